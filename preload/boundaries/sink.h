// Tells of passes and scopes: to the sink of the mode, and to the arena. The tell functions are for the rest
// of this folder. They keep the vector registers of their caller (kept_vectors.h).
#pragma once

#include <cstdint>

#include "preload/boundaries/boundary.h"
#include "preload/route/route.h"

namespace memo::guest {

// Installs the sink. The mode's start() calls this once, while the process has one thread.
void set_boundary_sink(const BoundarySink* sink);

// Makes the library call this function after every dlopen, on a stack of the library's own, before the sink
// hears of it. The function may run none of the program's code but ONNX Runtime's getters. Call this once,
// while the process has one thread.
void call_after_loading(void (*function)());

[[nodiscard]] bool has_sink();

// Reports a scope that ended and a scope that began; either may be null. The arena hears of the scopes of its
// passes without the sink.
void tell_scopes(const BoundaryName* ended, const BoundaryName* begun);

void tell_pass_begin(const BoundaryName& name, std::uint64_t key, std::uintptr_t stack,
                     std::uintptr_t object);
void tell_pass_end(PassEnd how);

// Reports that dlopen has ended and loaded objects.
void tell_objects_loaded();

}  // namespace memo::guest
