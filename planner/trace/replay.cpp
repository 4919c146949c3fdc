#include "planner/trace/replay.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace memo::planner {
namespace {

// Limits a block's bytes; no heap has larger blocks. An event that claims a larger one is damage; so sums of
// sizes stay far from overflow.
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
    case trace::EventKind::kReads:
    case trace::EventKind::kWrites:
      return sizeof(trace::AccessEvent) / 8;
    case trace::EventKind::kScopeBegin:
    case trace::EventKind::kScopeEnd:
    case trace::EventKind::kOperator:
      break;
  }
  return sizeof(trace::ScopeEvent) / 8;
}

}  // namespace

void Replay::thread(ThreadIndex thread, const std::vector<const Block*>& blocks) {
  thread_ = thread;
  adrift_ = false;
  thread_from_ = trace_.outside.size();
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
  drop_outside_from(adrift_from_);
}

void Replay::drop_outside_from(std::size_t first) {
  trace_.outside.resize(first);
  left_.outside_ticks.resize(first);
}

// Handles blocks missing before this one. A thread's first blocks are its oldest, and newer blocks replace the
// oldest first. Where the program writes on while the trace is read, blocks behind the first ones can be missing too.
// The frees among them are lost, so what the thread allocated before would seem to live for ever: it is left out, as
// if it had given way as well.
void Replay::missing_before(const Block& block, bool first, std::uint64_t last_ticks) {
  if (trace_.keeps_newest && first) {
    trace_.overwritten = true;
    adrift_ = true;
    adrift_from_ = trace_.outside.size();
    return;
  }
  damaged(block.offset, "blocks of this thread are missing before this one");
  if (trace_.keeps_newest && trace_.records_all) {
    trace_.overwritten = true;
    drop_outside_from(thread_from_);
  }
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
    case trace::EventKind::kOperator:
      return operation(head);
    case trace::EventKind::kReads:
    case trace::EventKind::kWrites:
      return access(head, at, offset);
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
    left_.outside_ticks.push_back(head.ticks);
    trace_.outside.push_back(made);
    return;
  }
  const bool unknown = (head.flags & trace::kScopeUnknown) != 0;
  made.scope = scope_stack_.empty() || unknown ? kNone : scope_stack_.back();
  made.life.begin = pass().events;
  live_[made.tagged] = static_cast<std::uint32_t>(pass().allocations.size());
  notes().allocation_ticks.push_back(head.ticks);
  pass().allocations.push_back(made);
  take_position(head.ticks);
}

void Replay::release(const trace::EventHead& head, const char* at) {
  const auto event = read_event<trace::FreeEvent>(at);
  if ((head.flags & trace::kFreedOverrun) != 0) ++trace_.overruns;
  if (in_pass()) {
    const auto own = live_.find(event.tagged);
    if (own != live_.end()) {
      Allocation& freed = pass().allocations[own->second];
      freed.freed = true;
      freed.overrun = (head.flags & trace::kFreedOverrun) != 0;
      freed.freed_by = thread_;
      freed.life.end = pass().events;
      freed.end_ns = context_.to_ns(head.ticks);
      live_.erase(own);
      return take_position(head.ticks);
    }
  }
  if ((head.flags & trace::kFreedOutsider) == 0)
    left_.frees.push_back({event.tagged, head.ticks, thread_, head.flags});
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
  left_.passes.emplace_back();
  live_.clear();
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

void Replay::operation(const trace::EventHead& head) {
  if (!in_pass()) return;
  Operation ended;
  ended.name = context_.name(head.detail);
  ended.scope = scope_stack_.empty() ? kNone : scope_stack_.back();
  ended.ended = pass().events;
  pass().operations.push_back(std::move(ended));
}

void Replay::access(const trace::EventHead& head, const char* at, std::uint64_t offset) {
  if (!in_pass() || pass().operations.empty()) return;
  const auto event = read_event<trace::AccessEvent>(at);
  if (event.size > kLargestSize) return damaged(offset, "a data flow of impossible size");
  const auto own = live_.find(event.tagged);
  const Access access{.allocation = own == live_.end() ? kNone : own->second,
                      .tagged = event.tagged,
                      .size = static_cast<Bytes>(event.size)};
  Operation& operation = pass().operations.back();
  (head.kind == trace::EventKind::kReads ? operation.reads : operation.writes).push_back(access);
}

void Replay::close_scope(std::uint64_t ticks) {
  Scope& scope = pass().scopes[scope_stack_.back()];
  scope.life.end = pass().events;
  scope.end_ns = context_.to_ns(ticks);
  scope_stack_.pop_back();
}

void Replay::finish() {
  match_frees(trace_, context_, left_);
  order_results();
}

void Replay::order_results() {
  std::stable_sort(trace_.passes.begin(), trace_.passes.end(),
                   [](const Pass& a, const Pass& b) { return a.number < b.number; });
  std::stable_sort(trace_.outside.begin(), trace_.outside.end(),
                   [](const Allocation& a, const Allocation& b) { return a.begin_ns < b.begin_ns; });
}

}  // namespace memo::planner
