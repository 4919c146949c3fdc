// Lanes as plans come and go: a plan gets lanes of its own, and loses them when it is replaced and nothing lives in
// them any more. All functions are called under the lock of the plans (plan_lock.h).
#pragma once

#include <cstdint>

#include "runtime/slab/lane.h"

namespace memo::runtime {

// Returns how many lanes the plan needs tables for, where `asked` for passes were asked for; 0: as many as run at once.
[[nodiscard]] std::uint32_t most_lanes(const PlanFile& file, std::uint32_t asked);

// Returns how many lanes of the plan passes have used.
[[nodiscard]] std::uint32_t used_lanes(const LoadedPlan& plan);

// Adds lanes for passes, without memory yet, where `asked` were asked for. Returns false if there is room for none.
[[nodiscard]] bool add_lanes(LoadedPlan& plan, std::uint32_t asked);

// Adds one lane, without memory yet. Returns false if there are enough lanes of its kind, or no address space is left.
[[nodiscard]] bool add_lane_if_room(LoadedPlan& plan, LaneFor use);

// Hands the idle lanes of a plan in which nothing lives over to the larger plan that replaces it, with their pages.
void hand_over_lanes(LoadedPlan& from, LoadedPlan& to);

// Moves the pages of its other idle lanes, but for those of blocks that live, to unused lanes of the larger plan.
void move_pages_of_lanes(LoadedPlan& from, LoadedPlan& to);

// Gives up to `wanted` lanes of the plan their memory. Returns how many.
[[nodiscard]] std::uint32_t back_lanes(const LoadedPlan& plan, std::uint32_t wanted, Pages pages);

// Discards a plan that never served: its lanes are idle, and the plan goes with the last of them.
void take_back(LoadedPlan* plan);
void discard_if_unused(LoadedPlan* plan);

// Returns true if lanes of replaced plans are left, and it is time to look at them: for each thread once after a plan was
// replaced, since its own lane may go over then, and else after a pause. Any thread may call it, without the lock.
[[nodiscard]] bool old_lanes_are_due();

// Takes the empty lanes of replaced plans away. The calling thread's own goes over to the plan in force, if that is the
// same plan grown.
void retire_old_lanes();

}  // namespace memo::runtime
