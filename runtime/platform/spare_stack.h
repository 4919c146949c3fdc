// Runs rare code that needs a deep stack on a stack of the library. A thread of the program may have as little
// as 16 KiB (PTHREAD_STACK_MIN), most of which the program uses: no call of the library takes more than 4 KiB
// of it.
//
//   const std::uint64_t room = on_spare_stack([&] { return room_in_groups(places); });
//
// It takes no lock and never waits, so that it may be called with any lock held, and a fork may interrupt it
// anywhere. The library keeps a few idle stacks; a thread that finds none maps one and unmaps it again. If no
// memory is left for that, the code runs on the stack of its caller; code that is on a spare stack already
// stays there.
//
// No handler of the program runs on a spare stack, and no thread ends there: it holds back cancellation, and
// all signals but those that the code itself may cause. The code must not throw, and should call no function of
// the program.
//
// Costs two system calls and some atomic operations: not for a path that serves.
#pragma once

#include <type_traits>

namespace memo::runtime {

void run_on_spare_stack(void (*function)(void*), void* argument);

// Returns what the function returns.
template <typename Function>
auto on_spare_stack(Function function) {
  using Result = decltype(function());
  if constexpr (std::is_void_v<Result>) {
    run_on_spare_stack([](void* its) { (*static_cast<Function*>(its))(); }, &function);
  } else {
    struct Call {
      Function& function;
      Result result;
    } call{function, {}};
    run_on_spare_stack(
        [](void* its) {
          auto& the = *static_cast<Call*>(its);
          the.result = the.function();
        },
        &call);
    return call.result;
  }
}

}  // namespace memo::runtime
