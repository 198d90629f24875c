// From one job and the walk through it to the panels that show it.
#pragma once
#include "draw/picture.h"
#include "explain/lowered_call.h"

namespace garner {

/// The panels and notes of a scene whose job and steps are there.
Status paint_panels(const GivenTensors& given, Scene& scene);

/// Rules DR1 and DR2 for every tensor that would be shown.
Status check_room(const Job& job, const GivenTensors& given);

}  // namespace garner
