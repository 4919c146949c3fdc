// The public function about Python (runtime/include/memomalloc/memomalloc.h).

#include "memomalloc/memomalloc.h"
#include "preload/modes/profile/python_memory.h"

extern "C" void memo_python_runs(int runs) {
  memo::guest::let_python_be_read(runs != 0);
}
