#include "planner/trace/as_served.h"

#include "planner/trace/labels.h"
#include "planner/trace/pass_answers.h"

namespace memo::planner {

void make_as_served(Trace& trace) {
  leave_out_labels(trace);
  end_answers_with_passes(trace);
}

}  // namespace memo::planner
