#include "planner/tool/learn/looks.h"

#include <algorithm>

namespace memo::learn {

bool Looks::has_grown(const Trace& trace, Written written) const {
  const auto found = looks_.find(trace);
  return found == looks_.end() || written != found->second.written;
}

bool Looks::is_due(const Trace& trace, Written written, Clock::time_point now) const {
  const auto found = looks_.find(trace);
  return has_grown(trace, written) && (found == looks_.end() || now >= found->second.due);
}

void Looks::end_in_vain(const Trace& trace, Clock::time_point now, Clock::duration cost) {
  Look& look = looks_[trace];
  look.spent += cost;
  const auto pause = cost * std::max<Clock::rep>(1, look.spent / kPatience);
  look.due = now + std::clamp<Clock::duration>(pause, kShortestPause, kLongestPause);
}

}  // namespace memo::learn
