#include "runtime/slab/running_passes.h"

namespace memo::runtime {

constinit RunningPasses g_running_passes;

}  // namespace memo::runtime
