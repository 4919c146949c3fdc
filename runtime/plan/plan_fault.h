// Why a plan was refused.
#pragma once

namespace memo::runtime {

// The fault in one sentence.
struct PlanFault {
  char text[200];
};

// Writes the sentence, and returns false.
__attribute__((format(printf, 2, 3))) bool fault(PlanFault* why, const char* format, ...);

}  // namespace memo::runtime
