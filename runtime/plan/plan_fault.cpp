#include "runtime/plan/plan_fault.h"

#include <cstdarg>
#include <cstdio>

namespace memo::runtime {

bool fault(PlanFault* why, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(why->text, sizeof why->text, format, arguments);
  va_end(arguments);
  return false;
}

}  // namespace memo::runtime
