// Remembers in which variant the last pass of an object ended, such as of a model, for objects whose passes one function runs and no
// key tells apart. A pass that follows another object's pass on its lane would begin in that one's variant, and leave it only where
// the two part: too late, if it holds much by then.
//
// This is advice alone. An object may be gone and its address be another's, one of very many may have been driven out by others, and
// a plan may have been exchanged since: then a pass begins in a variant that is not its own, as every pass may.
#pragma once

#include <cstdint>

#include "runtime/plan/loaded_plan.h"
#include "runtime/slab/lane.h"
#include "runtime/slab/progress.h"

namespace memo::runtime {

// Returns the variant in which a pass of this object is to begin that may use `wanted`. Null if nothing is known of the object.
[[nodiscard]] const Variant* last_variant_of(std::uintptr_t object, const LoadedPlan& plan,
                                             const Wanted& wanted);

// Notes how a pass of the object ended on its lane. After one that missed much where it was told to begin, the object's next pass
// tries the variant behind.
void note_variant_of(std::uintptr_t object, const Lane& lane, bool missed_much);

}  // namespace memo::runtime
