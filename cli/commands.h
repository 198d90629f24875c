// The subcommands.
#pragma once

namespace garner::cli {

int tour(bool plans);
int info();

}  // namespace garner::cli
