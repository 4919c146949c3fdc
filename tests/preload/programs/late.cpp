// Loaded while the program runs: its calls of hooked functions have to be found then.
#include "tests/preload/programs/hooked.h"

extern "C" void run_late(void (*body)()) {
  hooked_pass([body] { hooked_scope([body] { body(); }); });
}
