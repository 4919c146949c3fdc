// The recordings of a process in mode auto: what begins one, what it needs, and what follows its end. For one
// thread at a time, on a stack with room (runtime/platform/spare_stack.h), unless a function says otherwise.
#pragma once

namespace memo::guest {

// Begins the first recording of this process, or goes on with it (own_claim.h), if it gets the claim.
void claim_first_recording();

// Begins another recording, if a planner reads its trace and it is this process's turn.
void begin_recording();

// Renews the claim. Stops recording if another process has taken it over: the threads then go on looking for a
// plan, and for the claim.
void renew_own_claim();

[[nodiscard]] bool has_recorded_enough();

void end_recording();

// Stops recording, as its price says: for good where passes are marked, else until another stretch of everything may begin.
void rest_from_recording();

// Begins another stretch, if a planner reads its trace and it is this process's turn.
void begin_stretch();

// Stops the recording for good and drops its blocks, where there is no memory to learn.
void learn_nothing();

// Judges passes by the present plan from now on. Needs little stack.
void take_note_of_plan();

// Says which plan serves, or why none does.
void say_what_serves();

// Returns false as long as no planner would read the trace. For any thread.
[[nodiscard]] bool is_planned_for();

// Lets a child process learn by itself: while there is no plan it waits for the claim to record. A child whose
// parent has a plan serves from it. The passes that have warmed up in the parent are warm in the child. Needs
// little stack.
void learn_as_copy();

}  // namespace memo::guest
