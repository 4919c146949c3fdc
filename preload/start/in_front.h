// Finds an allocator that stands before this library, as where a program put its own in front in LD_PRELOAD.
#pragma once

namespace memo::guest {

// Returns the path of the object whose malloc the program calls instead of this library's, or null. Calls that
// malloc once: one that hands its calls on, as a tracer does, leads here, and then this library has started
// when the function returns. Not for a program that defines malloc itself, whose own malloc is left alone.
const char* allocator_in_front();

}  // namespace memo::guest
