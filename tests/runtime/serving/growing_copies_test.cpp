// Growth in copies of the process, and where the kernel refuses threads. Apart from growing_test.cpp: the thread sanitizer
// knows nothing of copies that are made without fork().
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/children.h"
#include "tests/runtime/serving/texts.h"

namespace memo::runtime {
namespace {

using namespace testing;

// Runs a pass without a call of the C library's allocator, one of whose locks another thread may have held when this copy was
// made.
void run_bare_pass(std::size_t bytes) {
  struct Call {
    std::size_t size;
    std::uint64_t site;
    void* block;
  } calls[] = {{40, kCell, nullptr}, {bytes, kFirst, nullptr}, {bytes, kSecond, nullptr}};
  const Pass pass;
  for (Call& call : calls) {
    call.block = allocate(call.size, call.site);
    if (call.block != nullptr) std::memset(call.block, 'c', call.size);
  }
  for (const Call& call : calls) {
    if (call.block != nullptr && !release(call.block)) _exit(2);
  }
}

// A copy has no helper: what one had begun is begun anew. It starts none either, for it has only one thread, and glibc's locks
// as they were.
TEST(GrowingBeside, IsBegunAnewInACopyOfTheProcess) {
  have_had_a_thread();
  std::atomic<bool> over{false};
  std::thread other([&] {
    while (!over) {
      if (!try_to_serve(plan_of_texts())) continue;
      run_pass(3 * kBytes / 2);
      run_pass(kBytes);
    }
  });
  for (int child = 0; child < 40; ++child)
    EXPECT_TRUE(holds_in_copy([] {
      for (int pass = 0; pass < 20; ++pass) run_bare_pass(3 * kBytes / 2);
      return true;
    })) << child;
  over = true;
  other.join();
}

// Makes the kernel refuse threads from now on.
bool refuse_threads() {
  const auto refuse = [](std::uint32_t call) {
    return std::vector<sock_filter>{BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
                                    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN)};
  };
  std::vector<sock_filter> filter = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const std::uint32_t call : {std::uint32_t{SYS_clone}, std::uint32_t{SYS_clone3}})
    for (const sock_filter& step : refuse(call)) filter.push_back(step);
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{.len = static_cast<unsigned short>(filter.size()), .filter = filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(GrowingBeside, IsDoneBeforeThePassWhereNoThreadCanBeStarted) {
  serve(plan_of_texts());
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    have_had_a_thread();
    if (!refuse_threads()) _exit(0);  // a machine without filters has nothing to show here
    const std::size_t larger = 3 * kBytes / 2;
    run_pass(larger);
    _exit(run_pass(larger) == 3 ? 0 : 1);
  }
  EXPECT_TRUE(ends_well(child));
}

}  // namespace
}  // namespace memo::runtime
