// Turns the events of the threads into passes. First it replays each thread alone, which settles most frees.
// Then it matches the other frees, by other threads or after the pass, by their tagged pointers.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "planner/trace/blocks.h"
#include "planner/trace/module_map.h"
#include "planner/trace/trace.h"

namespace memo::planner {

// The tables that give the blocks of a trace their meaning: they turn ids into indices, and ticks into time.
struct TraceContext {
  ModuleMap modules;
  std::unordered_map<std::uint32_t, NameIndex> names;
  std::unordered_map<std::uint32_t, StackIndex> stacks;
  std::uint64_t first_ticks = 0;
  std::uint64_t first_ns = 0;
  double ns_per_tick = 1.0;

  [[nodiscard]] std::uint64_t to_ns(std::uint64_t ticks) const;
  [[nodiscard]] NameIndex name(std::uint32_t id) const;
  [[nodiscard]] StackIndex stack(std::uint32_t id) const;
};

class Replay {
 public:
  Replay(Trace& trace, TraceContext& context) : trace_(trace), context_(context) {}

  // Replays one thread. `blocks` are its kEvents blocks, sorted by sequence, without duplicates.
  void thread(ThreadIndex thread, const std::vector<const Block*>& blocks);

  // Matches the frees that are left, once every thread was replayed.
  void finish();

 private:
  struct PendingFree {
    std::uint64_t tagged;
    std::uint64_t ticks;
    ThreadIndex thread;
    std::uint8_t flags;
  };
  // Data of a pass that matching needs and the finished trace does not.
  struct PassNotes {
    std::vector<std::uint64_t> position_ticks;
    std::uint64_t end_ticks = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> live;  // tagged -> allocation
  };
  struct Candidate {
    std::uint64_t tagged;
    std::uint64_t ticks;
    std::size_t pass;  // index of the pass; kOutside: in Trace::outside
    std::size_t allocation;
    bool taken = false;
  };
  static constexpr std::size_t kOutside = SIZE_MAX;

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
  void drop_rest_of_pass();
  void damaged(std::uint64_t offset, const char* what) { trace_.damage.push_back({offset, what}); }

  [[nodiscard]] bool in_pass() const { return open_; }
  [[nodiscard]] Pass& pass() { return trace_.passes.back(); }
  [[nodiscard]] PassNotes& notes() { return notes_.back(); }
  [[nodiscard]] Allocation& at(const Candidate& candidate);
  void take_position(std::uint64_t ticks);
  [[nodiscard]] std::vector<Candidate> candidates() const;
  void settle(Candidate& candidate, const PendingFree& free);
  void match(std::vector<Candidate>::iterator begin, std::vector<Candidate>::iterator end,
             const PendingFree* first, const PendingFree* last);
  void order_results();

  Trace& trace_;
  TraceContext& context_;
  std::vector<PendingFree> pending_;
  std::vector<PassNotes> notes_;  // one for each of trace_.passes
  std::vector<std::vector<std::uint64_t>> allocation_ticks_;
  std::vector<std::uint64_t> outside_ticks_;

  // The state of the thread being replayed.
  ThreadIndex thread_ = 0;
  bool open_ = false;            // the last of trace_.passes is still running
  bool adrift_ = false;          // what is read may be the rest of a pass whose begin was overwritten
  std::size_t adrift_from_ = 0;  // the first of trace_.outside that may belong to it
  std::vector<ScopeIndex> scope_stack_;
};

}  // namespace memo::planner
