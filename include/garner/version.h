// The library's version, for #if and for messages.
#pragma once
#define GARNER_VERSION "0.1.0"
