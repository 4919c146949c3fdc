// Answers what programs ask about the heap, with jemalloc's figures in the terms of glibc.

#include <malloc.h>
#include <stdio.h>

#include <cerrno>
#include <climits>

#include "preload/heap/heap.h"
#include "preload/symbols/entry.h"
#include "runtime/platform/spare_stack.h"

using namespace memo::guest;

namespace {

struct HeapFigures {
  std::size_t in_use;  // bytes that the program holds
  std::size_t mapped;  // bytes backed by memory, or reserved for it
  std::size_t idle;    // bytes mapped and not in use
};

HeapFigures heap_figures() {
  heap::refresh_figures();
  const std::size_t in_use = heap::figure("stats.allocated");
  const std::size_t mapped = heap::figure("stats.resident");
  return {in_use, mapped, mapped > in_use ? mapped - in_use : 0};
}

// Returns the value, or INT_MAX where it is greater. The fields of mallinfo are too small for today's heaps;
// glibc lets them wrap.
int clamped(std::size_t value) {
  return value > INT_MAX ? INT_MAX : static_cast<int>(value);
}

}  // namespace

// Returns 1 if pages went back to the kernel, like glibc's. Python servers call malloc_trim(0) through ctypes
// when they are idle.
MEMO_EXPORT int malloc_trim(std::size_t) {
  heap::refresh_figures();
  const std::size_t before = heap::figure("stats.resident");
  heap::give_back_idle();
  heap::refresh_figures();
  return heap::figure("stats.resident") < before ? 1 : 0;
}

MEMO_EXPORT struct mallinfo2 mallinfo2(void) {
  const HeapFigures figures = heap_figures();
  struct mallinfo2 info = {};
  info.arena = figures.mapped;
  info.uordblks = figures.in_use;
  info.fordblks = figures.idle;
  return info;
}

MEMO_EXPORT struct mallinfo mallinfo(void) {
  const HeapFigures figures = heap_figures();
  struct mallinfo info = {};
  info.arena = clamped(figures.mapped);
  info.uordblks = clamped(figures.in_use);
  info.fordblks = clamped(figures.idle);
  return info;
}

MEMO_EXPORT int malloc_info(int options, FILE* stream) {
  if (options != 0) return EINVAL;
  const HeapFigures figures = heap_figures();
  char text[256];
  memo::runtime::on_spare_stack([&] {
    snprintf(text, sizeof text,
             "<malloc version=\"1\">\n"
             "<total type=\"rest\" count=\"0\" size=\"%zu\"/>\n"
             "<system type=\"current\" size=\"%zu\"/>\n"
             "</malloc>\n",
             figures.idle, figures.mapped);
  });
  fputs(text, stream);  // on the program's stack, since the stream may call functions of the program
  return 0;
}

MEMO_EXPORT void malloc_stats(void) {
  memo::runtime::on_spare_stack([] { memo_je_malloc_stats_print(nullptr, nullptr, nullptr); });
}

// Ignores advice that is meant for ptmalloc. Returns 1, which says that it was understood: 0 makes some
// programs give up because of a hint.
MEMO_EXPORT int mallopt(int, int) {
  return 1;
}
