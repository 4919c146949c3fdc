// prefork [--exec] [--small] [--warm] WORKERS: a server in the manner of gunicorn. The parent loads the network and runs no
// pass; with --small it allocates next to nothing, and with --warm it runs two passes. It makes its workers by fork, and
// with --exec each of them starts the program anew, as uvicorn's do. The parent reads commands from stdin and answers each
// with one line:
//
//   pass W N   lets worker W run N passes, and prints their checksum
//   stats W    prints the statistics of worker W, or {} without the library
//   pid W      prints the process of worker W
//   anew W     waits for the end of worker W, which somebody has killed, and makes another in its place
//   end        lets the workers end, and ends itself
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "memomalloc/memomalloc.h"
#include "tests/e2e/programs/operator.h"

namespace {

using Vector = std::vector<float>;
constexpr std::size_t kWidth = 256;
constexpr std::size_t kLayers = 24;
constexpr int kBlocksOfLoading = 100'000;  // as many as an interpreter makes that loads its modules

Vector layer(const Vector& input, float weight) {
  const Operator scope("layer");
  const Vector turned(input.rbegin(), input.rend());
  Vector result(input.size());
  for (std::size_t i = 0; i < input.size(); ++i) result[i] = std::tanh(weight * input[i] + turned[i]);
  return result;
}

// A list of blocks of many sizes: the library sees that this program is no shell.
[[gnu::noinline]] void load_network() {
  std::vector<void*> blocks;
  for (int i = 0; i < kBlocksOfLoading; ++i) {
    blocks.push_back(malloc(16 + static_cast<std::size_t>(i * 7919 % 500)));
    if (i % 2 == 0) continue;
    free(blocks[static_cast<std::size_t>(i / 2)]);
    blocks[static_cast<std::size_t>(i / 2)] = nullptr;
  }
  for (void* block : blocks) free(block);
}

[[gnu::noinline]] double run_pass() {
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
  Vector state(kWidth, 0.5F);
  for (std::size_t i = 0; i < kLayers; ++i) state = layer(state, 0.1F * static_cast<float>(i));
  double sum = 0;
  for (const float value : state) sum += value;
  state = Vector();
  if (memo_pass_end != nullptr) memo_pass_end();
  return sum;
}

struct Worker {
  pid_t process;
  int requests, answers;
};

// The answer of a worker: one line, with zeros after it.
struct Answer {
  char line[4096];
};

void run_passes(std::uint32_t passes, Answer& answer) {
  double sum = 0;
  for (std::uint32_t i = 0; i < passes; ++i) sum += run_pass();
  snprintf(answer.line, sizeof answer.line, "%.6f", sum);
}

void tell_statistics(Answer& answer) {
  snprintf(answer.line, sizeof answer.line, "{}");
  if (memo_stats_json != nullptr) memo_stats_json(answer.line, sizeof answer.line);
}

// Reads how many passes to run and answers with their checksum, until the parent closes the pipe.
int work(int requests, int answers) {
  std::uint32_t passes = 0;
  while (read(requests, &passes, sizeof passes) == sizeof passes) {
    Answer answer{};
    passes == 0 ? tell_statistics(answer) : run_passes(passes, answer);
    if (write(answers, &answer, sizeof answer) != sizeof answer) return 1;
  }
  return 0;
}

void become_worker(int requests, int answers, const std::vector<Worker>& others, const char* program) {
  for (const Worker& other : others) close(other.requests);
  if (program == nullptr) exit(work(requests, answers));
  char numbers[2][16];
  snprintf(numbers[0], sizeof numbers[0], "%d", requests);
  snprintf(numbers[1], sizeof numbers[1], "%d", answers);
  execl(program, program, "--worker", numbers[0], numbers[1], static_cast<char*>(nullptr));
  _exit(127);
}

Worker start_worker(const std::vector<Worker>& others, const char* program) {
  int requests[2];
  int answers[2];
  if (pipe(requests) != 0 || pipe(answers) != 0) exit(1);
  const pid_t child = fork();
  if (child == 0) {
    close(requests[1]);
    close(answers[0]);
    become_worker(requests[0], answers[1], others, program);
  }
  close(requests[0]);
  close(answers[1]);
  return {child, requests[1], answers[0]};
}

// Prints the worker's answer; an empty line if it has none any more.
void ask(const Worker& worker, std::uint32_t passes) {
  Answer answer{};
  if (write(worker.requests, &passes, sizeof passes) != sizeof passes ||
      read(worker.answers, &answer, sizeof answer) != sizeof answer)
    answer.line[0] = '\0';
  printf("%s\n", answer.line);
}

void put_anew(std::vector<Worker>& workers, std::size_t which, const char* program) {
  Worker& worker = workers[which];
  waitpid(worker.process, nullptr, 0);
  close(worker.requests);
  close(worker.answers);
  worker.requests = -1;
  worker = start_worker(workers, program);
}

void obey(const char* line, std::vector<Worker>& workers, const char* program) {
  unsigned which = 0;
  unsigned passes = 0;
  if (sscanf(line, "pass %u %u", &which, &passes) == 2) {
    ask(workers.at(which), passes);
  } else if (sscanf(line, "stats %u", &which) == 1) {
    ask(workers.at(which), 0);
  } else if (sscanf(line, "pid %u", &which) == 1) {
    printf("%d\n", workers.at(which).process);
  } else if (sscanf(line, "anew %u", &which) == 1) {
    put_anew(workers, which, program);
    printf("%d\n", workers.at(which).process);
  }
  fflush(stdout);
}

void let_end(const std::vector<Worker>& workers) {
  for (const Worker& worker : workers) close(worker.requests);
  for (const Worker& worker : workers) waitpid(worker.process, nullptr, 0);
}

int serve(unsigned count, const char* program) {
  signal(SIGPIPE, SIG_IGN);
  std::vector<Worker> workers;
  while (workers.size() < count) workers.push_back(start_worker(workers, program));
  char line[64];
  while (fgets(line, sizeof line, stdin) != nullptr && std::string_view(line) != "end\n")
    obey(line, workers, program);
  let_end(workers);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--worker") {
    load_network();
    return work(atoi(argv[2]), atoi(argv[3]));
  }
  const auto is_given = [&](std::string_view option) {
    return std::find(argv, argv + argc, option) != argv + argc;
  };
  if (!is_given("--small")) load_network();
  for (int pass = 0; is_given("--warm") && pass < 2; ++pass) run_pass();
  return serve(static_cast<unsigned>(atoi(argv[argc - 1])), is_given("--exec") ? argv[0] : nullptr);
}
