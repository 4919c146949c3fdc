// Programs whose passes are known, because they are made here: what find_period is tested with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "planner/period/period.h"

namespace memo::planner::programs {

inline constexpr Bytes kTensor = 100'000;
inline constexpr ContextId kRequest = 1;          // opens a pass of the programs below
inline constexpr ContextId kStrays = 5000;        // contexts from here on belong to no pass
inline constexpr std::size_t kContexts = 20'000;  // more than any program has
inline constexpr std::uint32_t kDeep = 9000;  // bytes of stack below the loop: where the network allocates

using Random = std::mt19937;

inline std::uint32_t below(Random& random, std::uint32_t limit) {
  return static_cast<std::uint32_t>(random() % limit);
}

// A thread as it allocates and frees.
class Program {
 public:
  std::uint32_t allocate(ContextId context, Bytes size, std::uint32_t depth = 0) {
    now_ns_ += 100;
    steps_.push_back({.context = context, .size = size, .depth = depth, .at_ns = now_ns_});
    return here() - 1;
  }
  void release(std::uint32_t step) { steps_[step].freed_at = here(); }
  void wait(std::uint64_t ns) { now_ns_ += ns; }

  [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(steps_.size()); }
  [[nodiscard]] const Sequence& steps() const { return steps_; }

 private:
  Sequence steps_;
  std::uint64_t now_ns_ = 0;
};

// The facts that a test knows of a program.
struct Known {
  std::vector<Sequence> threads;
  std::vector<std::uint32_t> begins = {};  // of the passes of the thread that has them
  std::vector<ContextId> closed = {};      // contexts that may not open a pass
};

inline std::optional<Period> find(const std::vector<Sequence>& threads,
                                  const std::vector<ContextId>& closed = {}) {
  std::vector<bool> may_open(kContexts, true);
  for (const ContextId context : closed) may_open[context] = false;
  Deadline never;
  return find_period(threads, may_open, never);
}
inline std::optional<Period> find(const Known& known) {
  return find(known.threads, known.closed);
}

// Runs a network: the next layer frees the tensor of a layer. Each layer makes some small blocks, and each has a context of
// its own.
template <typename Between>
void run_layers(Program& program, ContextId first, int layers, const Between& between) {
  std::uint32_t input = program.allocate(first, kTensor);
  for (int layer = 1; layer < layers; ++layer) {
    const auto context = first + static_cast<ContextId>(4 * layer);
    between();
    const std::uint32_t shape = program.allocate(context, 64);
    const std::uint32_t output = program.allocate(context + 1, kTensor + layer);
    const std::uint32_t scratch = program.allocate(context + 2, 4096);
    program.release(scratch);
    program.release(shape);
    program.release(input);
    input = output;
  }
  program.release(input);
}

inline void run_layers(Program& program, ContextId first, int layers) {
  run_layers(program, first, layers, [] {});
}

// Does what a request does, from its first allocation to its last free.
inline void serve_request(Program& program, ContextId network = 100, int layers = 12) {
  const std::uint32_t request = program.allocate(kRequest, 200);
  run_layers(program, network, layers);
  program.release(request);
}

inline void load_weights(Program& program) {
  for (ContextId layer = 0; layer < 300; ++layer) program.allocate(kStrays + 1000 + layer % 7, 1000 * layer);
}

// Returns the steps, with those whose depth is unknown deep in the stack.
inline Sequence deep_below(Sequence steps) {
  for (Step& step : steps)
    if (step.depth == 0) step.depth = kDeep;
  return steps;
}

// Makes a program whose one thread loads weights, and waits for each request.
inline Known one_thread() {
  Program program;
  load_weights(program);
  std::vector<std::uint32_t> begins;
  for (int pass = 0; pass < 20; ++pass) {
    program.wait(1'000'000);
    begins.push_back(program.here());
    serve_request(program);
  }
  return {.threads = {program.steps()}, .begins = std::move(begins)};
}

// An interpreter makes such a block again and again while it loads, and one more before each pass, after the longest wait.
inline Known loading_full_of_the_opener() {
  Program program;
  Random random(5);
  for (int step = 0; step < 20'000; ++step)
    program.allocate(step % 4 == 0 ? kRequest : kStrays + below(random, 300), below(random, 10'000));
  for (int pass = 0; pass < 20; ++pass) {
    program.wait(1'000'000);
    serve_request(program, 100, 60);
  }
  return {.threads = {program.steps()}};
}

// Makes a program like a loop in Python: what the network returns lives into the next round, and is looked at between two of
// them. Before its last operator a block less is alive, and the wait is longer, but a caller deep in the network allocates
// there.
inline Known loop_in_python() {
  Program program;
  std::optional<std::uint32_t> answer;
  std::vector<std::uint32_t> begins;
  for (int pass = 0; pass < 30; ++pass) {
    begins.push_back(program.here());
    program.release(program.allocate(kRequest, 4000, 500));
    program.wait(5'000);
    run_layers(program, 100, 40);
    program.wait(50'000);
    const std::uint32_t result = program.allocate(2, 4000, 6000);
    program.allocate(3, 200, 6000);
    if (answer) {
      program.release(*answer);
      program.release(*answer + 1);
    }
    answer = result;
  }
  return {.threads = {deep_below(program.steps())}, .begins = std::move(begins)};
}

// The shallowest call site allocates twice in each round: the second time it would begin a pass of one step.
inline Known shallow_site_that_allocates_twice() {
  constexpr ContextId kTwice = 2;
  Program program;
  std::vector<std::uint32_t> begins;
  for (int pass = 0; pass < 30; ++pass) {
    begins.push_back(program.here());
    program.release(program.allocate(kRequest, 200, 2000));
    for (int time = 0; time < 2; ++time) program.release(program.allocate(kTwice, 32, 1000));
    program.wait(50'000);
    run_layers(program, 100, 40);
  }
  return {.threads = {deep_below(program.steps())}, .begins = std::move(begins)};
}

// The recording ends right after a pass, and the first pass warms up in its first half: an anchor in the middle has as many
// whole passes, and a half at either end.
inline Known cut_off_at_both_ends() {
  Program program;
  load_weights(program);
  ContextId junk = kStrays;
  run_layers(program, 100, 300, [&] { program.allocate(junk++, 64); });
  run_layers(program, 100, 300);
  std::vector<std::uint32_t> begins;
  for (int pass = 0; pass < 12; ++pass) {
    begins.push_back(program.here());
    serve_request(program, 100, 300);
  }
  program.release(program.allocate(kRequest, 200));
  return {.threads = {program.steps()}, .begins = std::move(begins)};
}

inline constexpr ContextId kTick = 2;

// Makes a program in which a timer's context, where the least is alive, cuts each pass in four, of which one is a pass.
inline Known timer_in_each_pass() {
  constexpr ContextId kHeld = 3;
  constexpr ContextId kBlocks = 20;
  Program program;
  for (int pass = 0; pass < 15; ++pass) {
    for (int tick = 0; tick < 4; ++tick) program.release(program.allocate(kTick, 64));
    std::vector<std::uint32_t> held;
    for (ContextId block = 0; block < kBlocks; ++block) held.push_back(program.allocate(kHeld + block, 3000));
    run_layers(program, 100, 300);
    for (const std::uint32_t block : held) program.release(block);
  }
  Known known{.threads = {program.steps()}};
  for (ContextId block = 0; block < kBlocks; ++block) known.closed.push_back(kHeld + block);
  return known;
}

// Makes a program of which one thread loads, and does in parts what is also the middle of the other's passes.
inline Known thread_that_loads_what_another_runs() {
  constexpr ContextId kShared = 2;
  Program loading;
  ContextId junk = kStrays;
  for (int part = 0; part < 10; ++part) {
    for (int round = 0; round < 2; ++round) {
      loading.allocate(kShared, 200);
      run_layers(loading, 1000, 8);
    }
    for (int step = 0; step < 700; ++step) loading.allocate(junk++, 200);
  }
  Program serving;
  for (int pass = 0; pass < 20; ++pass) {
    serving.wait(1'000'000);
    const std::uint32_t request = serving.allocate(kRequest, 200);
    run_layers(serving, 100, 30);
    const std::uint32_t middle = serving.allocate(kShared, 200);
    run_layers(serving, 300, 30);
    serving.release(middle);
    serving.release(request);
  }
  return {.threads = {loading.steps(), serving.steps()}};
}

// Does what a script does between two requests, never twice alike, and of any length.
inline void do_something_else(Program& program, Random& random, ContextId& script) {
  for (std::uint32_t step = below(random, 4) == 0 ? 150 + below(random, 60) : below(random, 8); step > 0;
       --step)
    program.release(program.allocate(script++, 100));
}

// The script between two passes begins with the context that opens a pass.
inline Known script_between_passes() {
  Program program;
  Random random(3);
  ContextId script = kStrays;
  std::vector<std::uint32_t> begins;
  for (int pass = 0; pass < 30; ++pass) {
    begins.push_back(program.here());
    serve_request(program, 100, 30);
    program.release(program.allocate(kRequest, 200));
    program.release(program.allocate(2, 200));
    do_something_else(program, random, script);
  }
  return {.threads = {program.steps()}, .begins = std::move(begins)};
}

// A pass is a loop that hands a tensor from one round to the next.
inline Known loop_within_each_pass() {
  Program program;
  std::vector<std::uint32_t> begins;
  for (int pass = 0; pass < 12; ++pass) {
    begins.push_back(program.here());
    const std::uint32_t request = program.allocate(kRequest, 200);
    std::uint32_t state = program.allocate(2, kTensor);
    for (int round = 0; round < 10; ++round) {
      run_layers(program, 100, 6);
      const std::uint32_t next = program.allocate(3, kTensor);
      program.release(state);
      state = next;
    }
    program.release(state);
    program.release(request);
  }
  return {.threads = {program.steps()}, .begins = std::move(begins)};
}

inline Known variants_in_turn() {
  Program program;
  for (int pass = 0; pass < 40; ++pass) {
    program.wait(1000);
    serve_request(program, pass % 2 == 0 ? 100 : 1000, pass % 2 == 0 ? 60 : 80);
  }
  return {.threads = {program.steps()}};
}

// Four workers and a thread that never allocates. Each worker begins with what is left of a pass.
inline Known workers() {
  Known known;
  for (int thread = 0; thread < 4; ++thread) {
    Program program;
    if (thread == 0) load_weights(program);
    run_layers(program, 100, 3 + thread);
    for (int pass = 0; pass < 6; ++pass) {
      program.wait(50'000);
      serve_request(program);
    }
    known.threads.push_back(program.steps());
  }
  known.threads.emplace_back();
  return known;
}

// Two threads take turns. Each runs a network of its own, and both open their passes at one place.
inline Known threads_with_networks_of_their_own() {
  Program one;
  Program other;
  for (int pass = 0; pass < 12; ++pass) {
    one.wait(100'000);
    serve_request(one, 100, 30);
    other.wait(100'000);
    serve_request(other, 1000, 40);
  }
  return {.threads = {one.steps(), other.steps()}};
}

// A pass begins with two small blocks, and the program waits for a request between them. The last pass closes the one before
// it and ends the recording.
inline Known wait_after_the_first_block() {
  constexpr ContextId kBefore = 2;
  Program program;
  for (int pass = 0; pass < 30; ++pass) {
    program.release(program.allocate(kBefore, 64));
    program.wait(1'000'000);
    program.release(program.allocate(kRequest, 64));
    run_layers(program, 100, 40);
  }
  return {.threads = {program.steps()}};
}

// Closes all contexts but these.
inline Known only(const std::vector<ContextId>& open, Known known) {
  for (ContextId context = 0; context < kContexts; ++context)
    if (std::find(open.begin(), open.end(), context) == open.end()) known.closed.push_back(context);
  return known;
}

// A loop over small things, such as the lines of a script.
inline Known small_things() {
  Program program;
  for (int line = 0; line < 1000; ++line) {
    std::vector<std::uint32_t> words;
    for (ContextId word = 0; word < 40; ++word) words.push_back(program.allocate(word, 30 + word));
    for (const std::uint32_t word : words) program.release(word);
  }
  return {.threads = {program.steps()}};
}

inline Known without_order() {
  Program program;
  Random random(11);
  for (int step = 0; step < 50'000; ++step) {
    const std::uint32_t block = program.allocate(below(random, 200), below(random, 100'000));
    if (below(random, 2) == 0) program.release(block);
  }
  return {.threads = {program.steps()}};
}

}  // namespace memo::planner::programs
