// An occasion for rare work on threads that allocate from the heap and from nothing else, at no cost for the ways that nearly
// every call takes: jemalloc looks after a thread's cache after each 64 KiB or so that the thread allocates or frees, and the
// library comes along.
#pragma once

namespace memo::guest::heap {

// Calls the function on each thread, after about each 4 MiB that the thread has allocated or freed. jemalloc holds no lock then,
// and the thread is in the middle of a call of the allocator: the function may allocate, and keeps errno. A jemalloc of
// another version may have no such moment; then nothing is ever called.
void call_now_and_then(void (*function)());

}  // namespace memo::guest::heap
