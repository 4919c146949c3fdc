// The claim to record, which one process of a tree holds at a time. A process tree is what records into one folder:
// a server and the workers that it forks, and also workers that it starts as programs of their own under
// `memomalloc run`. All of them run the same passes and serve from the same plan, so one recording is enough.
//
//   FOLDER/recording.claim      {process, its start, what it does, when it was renewed}
//
//   no holder ──► records everything ──► records passes ──► awaits the plan ──► no holder
//                                                                              (the file is removed)
//
// The file says who holds the claim, and no lock is held on it: a lock would be a descriptor that the program
// may close, or that a forked child inherits. A process locks the file for the moment in which it reads and
// changes it. Another process takes the claim over:
//
//   from any holder                that has ended, or that has not renewed its claim for kLapse seconds
//   from one that saw no pass      if it has passes itself: a parent that prepares and forks records nothing of
//                                  use
//   from one that is not the       if it is, and has passes
//   program that was started
//   from one that awaits the plan  if there is none after kPlanning seconds
//
// The holder notices that when it renews its claim, at most a second of its work later, and records nothing
// from then on. So for that second two processes may record. That does no harm: each has a trace of its own. The
// claim saves the processes time; no block's safety depends on it. Where the file cannot be made or locked, every
// process may therefore record.
//
// To be called by one thread at a time, on a spare stack.
#pragma once

#include "runtime/formats/recording_claim.h"

namespace memo::guest {

enum class Claimed {
  kMine,      // this process may record
  kTaken,     // another process records
  kNoFolder,  // there is no folder to record into
};

// Sets the place of the claim: beside the traces that are named after `trace_pattern`.
void place_claim_beside(const char* trace_pattern);

// Takes the claim, or renews it if this process has it.
[[nodiscard]] Claimed claim_recording(claim::Work work);

// Renews the claim. Returns false if another process has taken it over.
[[nodiscard]] bool renew_claim(claim::Work work);

// Tells the other programs of the process tree, and asks as one of them, whether the program that was started marks its passes.
void say_that_program_marks();
[[nodiscard]] bool program_marks();

// Gives the claim up, if this process has it.
void give_up_claim();

}  // namespace memo::guest
