#include "planner/trace/replay.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace memo::planner {
namespace {

// No heap has blocks beyond this many bytes. An event that claims a larger one is damage; so sums of sizes stay
// far from overflow.
constexpr std::uint64_t kLargestSize = std::uint64_t{1} << 47;
constexpr std::uint8_t kLargestAlignmentLog2 = 47;

template <typename Event>
Event read_event(const char* at) {
  Event event;
  std::memcpy(&event, at, sizeof event);
  return event;
}

std::size_t words_needed(trace::EventKind kind) {
  switch (kind) {
    case trace::EventKind::kAllocate:
      return sizeof(trace::AllocateEvent) / 8;
    case trace::EventKind::kFree:
      return sizeof(trace::FreeEvent) / 8;
    case trace::EventKind::kPassBegin:
      return sizeof(trace::PassBeginEvent) / 8;
    case trace::EventKind::kPassEnd:
      return sizeof(trace::PassEndEvent) / 8;
    case trace::EventKind::kScopeBegin:
    case trace::EventKind::kScopeEnd:
      break;
  }
  return sizeof(trace::ScopeEvent) / 8;
}

}  // namespace

std::uint64_t TraceContext::to_ns(std::uint64_t ticks) const {
  const auto elapsed = static_cast<double>(static_cast<std::int64_t>(ticks - first_ticks)) * ns_per_tick;
  const double limit = 9e18;  // the ticks of a damaged clock must still convert
  return first_ns + static_cast<std::uint64_t>(static_cast<std::int64_t>(std::clamp(elapsed, -limit, limit)));
}

NameIndex TraceContext::name(std::uint32_t id) const {
  const auto at = names.find(id);
  return at == names.end() ? 0 : at->second;
}

StackIndex TraceContext::stack(std::uint32_t id) const {
  const auto at = stacks.find(id);
  return at == stacks.end() ? kNone : at->second;
}

void Replay::thread(ThreadIndex thread, const std::vector<const Block*>& blocks) {
  thread_ = thread;
  adrift_ = false;
  std::uint64_t expected = 0;
  std::uint64_t last_ticks = 0;
  for (const Block* one : blocks) {
    if (one->header.sequence != expected) missing_before(*one, one == blocks.front(), last_ticks);
    expected = one->header.sequence + 1;
    last_ticks = one->header.ticks;
    block(*one);
  }
  if (adrift_ && !trace_.records_all) drop_rest_of_pass();
  if (in_pass()) pass_end(last_ticks, false);
}

// Drops the allocations of a pass whose begin was overwritten. Only the pass's end tells them from allocations
// outside of passes.
void Replay::drop_rest_of_pass() {
  trace_.outside.resize(adrift_from_);
  outside_ticks_.resize(adrift_from_);
}

// Handles blocks missing before this one. A thread's first blocks are its oldest, and newer blocks replace the
// oldest first.
void Replay::missing_before(const Block& block, bool first, std::uint64_t last_ticks) {
  if (trace_.keeps_newest && first) {
    trace_.overwritten = true;
    adrift_ = true;
    adrift_from_ = trace_.outside.size();
    return;
  }
  damaged(block.offset, "blocks of this thread are missing before this one");
  if (in_pass()) pass_end(last_ticks, false);
}

void Replay::block(const Block& block) {
  const std::string_view events = block.payload;
  std::size_t at = 0;
  while (at < events.size()) {
    const std::uint64_t offset = block.offset + sizeof block.header + at;
    if (events.size() - at < sizeof(trace::EventHead)) return damaged(offset, "an event that is cut off");
    const auto head = read_event<trace::EventHead>(events.data() + at);
    const std::size_t bytes = std::size_t{head.words} * 8;
    if (bytes < words_needed(head.kind) * 8 || bytes > events.size() - at) {
      return damaged(offset, "an event of impossible length; the rest of its block was left out");
    }
    event(head, events.data() + at, offset);
    at += bytes;
  }
}

void Replay::event(const trace::EventHead& head, const char* at, std::uint64_t offset) {
  ++trace_.events;
  switch (head.kind) {
    case trace::EventKind::kAllocate:
      return allocate(head, at, offset);
    case trace::EventKind::kFree:
      return release(head, at);
    case trace::EventKind::kPassBegin:
      return pass_begin(head, at);
    case trace::EventKind::kPassEnd:
      if (std::exchange(adrift_, false)) drop_rest_of_pass();
      if (in_pass()) pass_end(head.ticks, true);
      return;
    case trace::EventKind::kScopeBegin:
      return scope_begin(head);
    case trace::EventKind::kScopeEnd:
      return scope_end(head);
  }
}

void Replay::take_position(std::uint64_t ticks) {
  notes().position_ticks.push_back(ticks);
  ++pass().events;
}

void Replay::allocate(const trace::EventHead& head, const char* at, std::uint64_t offset) {
  const auto event = read_event<trace::AllocateEvent>(at);
  if (event.size > kLargestSize || head.alignment_log2 > kLargestAlignmentLog2) {
    return damaged(offset, "an allocation of impossible size");
  }
  Allocation made;
  made.tagged = event.tagged;
  made.size = static_cast<Bytes>(event.size);
  made.alignment = Bytes{1} << head.alignment_log2;
  made.kind = static_cast<AllocationKind>(head.flags & trace::kAllocationKindMask);
  made.site = context_.modules.resolve(event.site, head.ticks);
  made.stack_pointer = head.detail;
  made.thread = thread_;
  made.begin_ns = context_.to_ns(head.ticks);
  if ((head.flags & trace::kHasStack) != 0 && std::size_t{head.words} * 8 >= sizeof event + 8) {
    made.stack = context_.stack(static_cast<std::uint32_t>(read_event<std::uint64_t>(at + sizeof event)));
  }
  if (!in_pass()) {
    outside_ticks_.push_back(head.ticks);
    trace_.outside.push_back(made);
    return;
  }
  const bool unknown = (head.flags & trace::kScopeUnknown) != 0;
  made.scope = scope_stack_.empty() || unknown ? kNone : scope_stack_.back();
  made.life.begin = pass().events;
  notes().live[made.tagged] = static_cast<std::uint32_t>(pass().allocations.size());
  allocation_ticks_.back().push_back(head.ticks);
  pass().allocations.push_back(made);
  take_position(head.ticks);
}

void Replay::release(const trace::EventHead& head, const char* at) {
  const auto event = read_event<trace::FreeEvent>(at);
  if ((head.flags & trace::kFreedOverrun) != 0) ++trace_.overruns;
  if (in_pass()) {
    const auto own = notes().live.find(event.tagged);
    if (own != notes().live.end()) {
      Allocation& freed = pass().allocations[own->second];
      freed.freed = true;
      freed.overrun = (head.flags & trace::kFreedOverrun) != 0;
      freed.freed_by = thread_;
      freed.life.end = pass().events;
      freed.end_ns = context_.to_ns(head.ticks);
      notes().live.erase(own);
      return take_position(head.ticks);
    }
  }
  if ((head.flags & trace::kFreedOutsider) == 0)
    pending_.push_back({event.tagged, head.ticks, thread_, head.flags});
}

void Replay::pass_begin(const trace::EventHead& head, const char* at) {
  if (in_pass()) pass_end(head.ticks, false);
  adrift_ = false;
  const auto event = read_event<trace::PassBeginEvent>(at);
  Pass begun;
  begun.number = event.pass;
  begun.key = event.key;
  begun.thread = thread_;
  begun.name = context_.name(head.detail);
  begun.begin_ns = context_.to_ns(head.ticks);
  trace_.passes.push_back(std::move(begun));
  notes_.emplace_back();
  allocation_ticks_.emplace_back();
  open_ = true;
}

void Replay::pass_end(std::uint64_t ticks, bool complete) {
  while (!scope_stack_.empty()) close_scope(ticks);
  pass().complete = complete;
  pass().end_ns = context_.to_ns(ticks);
  notes().end_ticks = ticks;
  for (Allocation& made : pass().allocations) {
    if (made.freed) continue;
    made.escapes = true;
    made.life.end = pass().events;
  }
  open_ = false;
}

void Replay::scope_begin(const trace::EventHead& head) {
  if (!in_pass()) return;
  Scope begun;
  begun.name = context_.name(head.detail);
  begun.parent = scope_stack_.empty() ? kNone : scope_stack_.back();
  begun.life.begin = pass().events;
  begun.begin_ns = context_.to_ns(head.ticks);
  scope_stack_.push_back(static_cast<ScopeIndex>(pass().scopes.size()));
  pass().scopes.push_back(begun);
}

void Replay::scope_end(const trace::EventHead& head) {
  if (in_pass() && !scope_stack_.empty()) close_scope(head.ticks);
}

void Replay::close_scope(std::uint64_t ticks) {
  Scope& scope = pass().scopes[scope_stack_.back()];
  scope.life.end = pass().events;
  scope.end_ns = context_.to_ns(ticks);
  scope_stack_.pop_back();
}

Allocation& Replay::at(const Candidate& candidate) {
  return candidate.pass == kOutside ? trace_.outside[candidate.allocation]
                                    : trace_.passes[candidate.pass].allocations[candidate.allocation];
}

std::vector<Replay::Candidate> Replay::candidates() const {
  std::vector<Candidate> all;
  for (std::size_t p = 0; p < trace_.passes.size(); ++p) {
    const std::vector<Allocation>& made = trace_.passes[p].allocations;
    for (std::size_t a = 0; a < made.size(); ++a) {
      if (!made[a].freed) all.push_back({made[a].tagged, allocation_ticks_[p][a], p, a});
    }
  }
  for (std::size_t a = 0; a < trace_.outside.size(); ++a) {
    all.push_back({trace_.outside[a].tagged, outside_ticks_[a], kOutside, a});
  }
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.tagged != b.tagged ? a.tagged < b.tagged : a.ticks < b.ticks;
  });
  return all;
}

void Replay::settle(Candidate& candidate, const PendingFree& free) {
  candidate.taken = true;
  Allocation& freed = at(candidate);
  freed.freed = true;
  freed.overrun = (free.flags & trace::kFreedOverrun) != 0;
  freed.freed_by = free.thread;
  freed.end_ns = context_.to_ns(free.ticks);
  if (candidate.pass == kOutside) return;
  const std::vector<std::uint64_t>& ticks = notes_[candidate.pass].position_ticks;
  const auto position = std::upper_bound(ticks.begin(), ticks.end(), free.ticks) - ticks.begin();
  freed.life.end = std::max<Time>(position, freed.life.begin + 1);
  freed.escapes = free.ticks > notes_[candidate.pass].end_ticks;
}

// Matches all allocations and frees of one tagged pointer. Nearly always there is one of each. Where the tag
// came again, each free takes the youngest allocation before it. A free whose allocation was overwritten finds
// only younger allocations, or none.
void Replay::match(std::vector<Candidate>::iterator begin, std::vector<Candidate>::iterator end,
                   const PendingFree* first, const PendingFree* last) {
  for (; first != last; ++first) {
    auto younger = std::upper_bound(begin, end, first->ticks, [](std::uint64_t ticks, const Candidate& one) {
      return ticks < one.ticks;
    });
    const bool too_young = younger == begin && trace_.overwritten;
    auto chosen = younger == begin ? begin : std::prev(younger);
    if (chosen == end || chosen->taken || too_young) {
      if (!trace_.overwritten) ++trace_.unmatched_frees;
    } else {
      settle(*chosen, *first);
    }
  }
}

void Replay::finish() {
  std::vector<Candidate> made = candidates();
  std::sort(pending_.begin(), pending_.end(), [](const PendingFree& a, const PendingFree& b) {
    return a.tagged != b.tagged ? a.tagged < b.tagged : a.ticks < b.ticks;
  });
  auto group = made.begin();
  for (std::size_t i = 0; i < pending_.size();) {
    const std::uint64_t tagged = pending_[i].tagged;
    std::size_t next = i;
    while (next < pending_.size() && pending_[next].tagged == tagged) ++next;
    group = std::lower_bound(group, made.end(), tagged,
                             [](const Candidate& one, std::uint64_t value) { return one.tagged < value; });
    auto end = std::find_if(group, made.end(), [&](const Candidate& one) { return one.tagged != tagged; });
    match(group, end, pending_.data() + i, pending_.data() + next);
    i = next;
  }
  order_results();
}

void Replay::order_results() {
  std::stable_sort(trace_.passes.begin(), trace_.passes.end(),
                   [](const Pass& a, const Pass& b) { return a.number < b.number; });
  std::stable_sort(trace_.outside.begin(), trace_.outside.end(),
                   [](const Allocation& a, const Allocation& b) { return a.begin_ns < b.begin_ns; });
}

}  // namespace memo::planner
