// Tells whether this process is the program that `memomalloc run` started: only that one's passes are learned and served.
//
//   run ─► sh, numactl, env ═══ exec ═══► python3 app.py           the program: the process that was started
//                                           ├─ fork ─► a worker    the program: it executes nothing (nothing is asked anew)
//                                           ├─ exec ─► python3 -c "… spawn_main …"     the program: a file that the command
//                                           │                      names, and no script but such a one
//                                           └─ exec ─► cc1plus, perl, python3 other.py           a stranger
//
// A stranger allocates as in mode off, and writes nothing. If it marks passes, and the program itself marks none, as a shell
// that starts a server by another name, it is learned all the same.
#pragma once

namespace memo::guest {

// Returns true for a process that executes another program than the one that was started. Reads /proc. Returns false where
// nothing says what was started.
[[nodiscard]] bool is_stranger();

}  // namespace memo::guest
