// A thread of the library, for work that no pass should wait for.
//
// It lives as long as the work takes, in a program that has threads of its own. In any other, none is started: a second
// thread would change what the program is. The C library locks what it does not lock for one thread, some calls of the
// kernel fail (unshare, setns), and languages warn when such a program forks.
//
// The thread takes no signal that is meant for the program, inherits no name, and is never joined. A copy of the process
// does not have it, and at the end of the process it ends anywhere: what it leaves half done must do no harm.
#pragma once

namespace memo::runtime {

// Starts a thread that calls `work` once. Returns false, and calls nothing, if the program has only one thread or if no
// further thread can be had. May allocate, as pthread_create() does: to be called without a lock of the library. Costs
// some twenty microseconds.
[[nodiscard]] bool start_helper(void (*work)());

}  // namespace memo::runtime
