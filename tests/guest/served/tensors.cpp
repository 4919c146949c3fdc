// A program whose tensors come from a library with an allocator of its own, as those of PyTorch on AArch64 do.
//
// Proved: once the library of this project is there, every block comes from it and goes back to it, whoever of program and
// library asks for it and gives it back; passes are served; a new tensor is zero where the program asked for zeros; a request
// that cannot be met ends in the exception of the tensors' library. Built with TENSORS_BOUND_DIRECTLY, its library calls its
// own functions without slots, and then it must keep all of them. A failure is a block in the wrong allocator, or none at
// all.
#include "tensors.h"

#include <new>

#include "served.h"

namespace {

#ifdef TENSORS_BOUND_DIRECTLY
constexpr bool kTaken = false;
#else
constexpr bool kTaken = true;
#endif

bool taken_over() {
  const char* mode = getenv("MEMOMALLOC_MODE");
  return kTaken && mode != nullptr && strcmp(mode, "off") != 0;
}

void expect_own_blocks(std::uint64_t count) {
  EXPECT(own_blocks() == (taken_over() ? 0 : count));
}

// A tensor that the program makes and the library drops, and the other way round, inside a pass; both grow from operator to
// operator.
void pass() {
  const served::Pass scope;
  for (std::size_t bytes = 64; bytes <= 1 << 20; bytes *= 4) {
    void* mine = c10::alloc_cpu(bytes);
    void* theirs = make_tensor(bytes);
    EXPECT(mine != nullptr && theirs != nullptr && mine != theirs);
    EXPECT(reinterpret_cast<std::uintptr_t>(mine) % 64 == 0 &&
           reinterpret_cast<std::uintptr_t>(theirs) % 64 == 0);
    fill(mine, bytes, 1);
    fill(theirs, bytes, 2);
    EXPECT(is_filled(mine, bytes, 1) && is_filled(theirs, bytes, 2));
    expect_own_blocks(2);
    drop_tensor(mine);
    c10::free_cpu(theirs);
    expect_own_blocks(0);
  }
}

void nothing_is_a_tensor_of_no_bytes() {
  EXPECT(c10::alloc_cpu(0) == nullptr);
  c10::free_cpu(nullptr);
}

void zeros_where_they_are_asked_for() {
  constexpr std::size_t kBytes = 4096;
  FLAGS_caffe2_cpu_allocator_do_zero_fill = true;
  for (int time = 0; time < 4; ++time) {
    auto* block = static_cast<unsigned char*>(c10::alloc_cpu(kBytes));
    for (std::size_t at = 0; at < kBytes; ++at) EXPECT(block[at] == 0);
    fill(block, kBytes, 3);
    c10::free_cpu(block);
  }
  FLAGS_caffe2_cpu_allocator_do_zero_fill = false;
}

void the_librarys_own_exception(std::size_t bytes) {
  bool refused = false;
  try {
    c10::free_cpu(c10::alloc_cpu(bytes));
  } catch (const std::bad_alloc&) {
    refused = true;
  }
  EXPECT(refused);
}

}  // namespace

int main(int argc, char**) {
  if (served::recorded(argc, pass)) return 0;
  for (int time = 0; time < 20; ++time) pass();
  nothing_is_a_tensor_of_no_bytes();
  zeros_where_they_are_asked_for();
  the_librarys_own_exception(SIZE_MAX);
  the_librarys_own_exception(std::size_t{1} << 62);
  expect_own_blocks(0);
  return 0;
}
