// The names of OpenCV's layers, for recordings.
#pragma once

#include "preload/boundaries/boundary.h"

namespace memo::guest {

// Returns the name of a layer as a label, "[conv1]", from the LayerData that forwardLayer gets; null where there is none.
// OpenCV has had a number and then the name at its beginning since 3.0. Where it has something else one day, the kernel says
// that the name cannot be read, or the label is nonsense.
const BoundaryName* layer_label(const void* data);

}  // namespace memo::guest
