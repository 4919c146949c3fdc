// Turns the events of the threads into passes. First it replays each thread alone, which settles most frees.
// Then it matches the other frees, by other threads or after the pass (matching.h).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "planner/trace/blocks.h"
#include "planner/trace/matching.h"
#include "planner/trace/trace.h"
#include "planner/trace/trace_context.h"

namespace memo::planner {

class Replay {
 public:
  Replay(Trace& trace, TraceContext& context) : trace_(trace), context_(context) {}

  // Replays one thread. `blocks` are its kEvents blocks, sorted by sequence, without duplicates.
  void thread(ThreadIndex thread, const std::vector<const Block*>& blocks);

  // Matches the frees that are left, once every thread was replayed.
  void finish();

 private:
  void missing_before(const Block& block, bool first, std::uint64_t last_ticks);
  void block(const Block& block);
  void event(const trace::EventHead& head, const char* at, std::uint64_t offset);
  void allocate(const trace::EventHead& head, const char* at, std::uint64_t offset);
  void release(const trace::EventHead& head, const char* at);
  void pass_begin(const trace::EventHead& head, const char* at);
  void pass_end(std::uint64_t ticks, bool complete);
  void scope_begin(const trace::EventHead& head);
  void scope_end(const trace::EventHead& head);
  void close_scope(std::uint64_t ticks);
  void operation(const trace::EventHead& head);
  void access(const trace::EventHead& head, const char* at, std::uint64_t offset);
  void drop_rest_of_pass();
  void drop_outside_from(std::size_t first);
  void damaged(std::uint64_t offset, const char* what) { trace_.damage.push_back({offset, what}); }

  [[nodiscard]] bool in_pass() const { return open_; }
  [[nodiscard]] Pass& pass() { return trace_.passes.back(); }
  [[nodiscard]] Unmatched::PassNotes& notes() { return left_.passes.back(); }
  void take_position(std::uint64_t ticks);
  void order_results();

  Trace& trace_;
  TraceContext& context_;
  Unmatched left_;

  // The state of the thread being replayed.
  ThreadIndex thread_ = 0;
  bool open_ = false;            // the last of trace_.passes is still running
  bool adrift_ = false;          // what is read may be the rest of a pass whose begin was overwritten
  std::size_t adrift_from_ = 0;  // the first of trace_.outside that may belong to it
  std::size_t thread_from_ = 0;  // the first of trace_.outside that is the thread's
  std::vector<ScopeIndex> scope_stack_;
  std::unordered_map<std::uint64_t, std::uint32_t> live_;  // of the running pass: tagged -> allocation
};

}  // namespace memo::planner
