// Tells whether this process may write to stderr. Of a command and all that it starts, one process may, and to the file that
// it was given alone: what another one says may stand in an answer that the program reads from it.
//
//   memomalloc run ── sets MEMOMALLOC_SPEAKER ──► the program ──► a helper, its output captured: never
//
// Where no command started the program, its first process with the library may: the one whose parent was not started with the
// same LD_PRELOAD.
#pragma once

namespace memo::guest {

// Finds out whether this process may. To be called at the start, when the standard files were remembered.
void settle_speaker();

// Returns true if this process may write to stderr now: it is the one that was settled on and no copy of it, stderr is the file
// of the start, and no pipe that takes the program's stdout as well.
[[nodiscard]] bool may_speak();

}  // namespace memo::guest
