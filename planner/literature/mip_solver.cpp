#include "planner/literature/mip_solver.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "planner/system/child.h"
#include "planner/system/on_path.h"
#include "planner/system/temporary_folder.h"

namespace memo::planner {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kGraceSeconds = 1;  // for a solver that is writing its answer
constexpr auto kBetweenLooks = std::chrono::milliseconds(5);

std::string file_in(const process::TemporaryFolder& folder, const char* name) {
  return (folder.path() / name).string();
}

// The solver at work, in a process group of its own. Ctrl-C in the terminal reaches only this program, which then
// kills the solver and whatever it has started.
class RunningSolver {
 public:
  explicit RunningSolver(std::vector<std::string> words)
      : child_(process::start({.words = std::move(words),
                               .output = kNothing,
                               .errors = kNothing,
                               .apart = true,
                               .input = kNothing})) {}
  ~RunningSolver() {
    process::kill_with_group(child_);
    static_cast<void>(process::wait_for(child_));
  }
  RunningSolver(const RunningSolver&) = delete;
  RunningSolver& operator=(const RunningSolver&) = delete;

  [[nodiscard]] bool has_ended() const { return process::has_ended(child_.id); }

 private:
  static constexpr const char* kNothing = "/dev/null";

  process::Child child_;
};

std::vector<std::string> command(const MipSolver& solver, const process::TemporaryFolder& folder,
                                 const MipLimits& limits) {
  const std::string whole_seconds = fmt::format("{}", static_cast<long>(std::ceil(limits.seconds)));
  if (solver.kind == MipSolver::Kind::kGlpsol) {
    return {solver.path,   "--lp", file_in(folder, "model.lp"), "--tmlim",
            whole_seconds, "-w",   file_in(folder, "answer")};
  }
  std::vector<std::string> words{solver.path, file_in(folder, "model.lp"), "sec", whole_seconds};
  if (limits.tree_nodes) words.insert(words.end(), {"maxNodes", fmt::format("{}", *limits.tree_nodes)});
  words.insert(words.end(), {"solve", "solution", file_in(folder, "answer")});
  return words;
}

// Waits until the solver ends, time is up, or the caller cancels. Its destructor ends one that still runs.
void wait_for(const RunningSolver& running, const MipLimits& limits) {
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(limits.seconds + kGraceSeconds));
  while (!running.has_ended() && Clock::now() < deadline) {
    if (limits.cancel != nullptr && limits.cancel->load()) return;
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

// Reads CBC's answer: "Optimal - objective value 12.0", "Integer infeasible - …", "Stopped on time - …", then
// one column to a line: number, name, value, reduced cost. Columns that are zero may be missing.
MipAnswer read_cbc(std::istream& in, const MipModel& model) {
  MipAnswer answer;
  std::string status;
  std::getline(in, status);
  const auto says = [&status](const char* words) { return status.find(words) != std::string::npos; };
  if (says("nfeasible")) answer.verdict = MipAnswer::Verdict::kInfeasible;
  if (says("Optimal")) answer.verdict = MipAnswer::Verdict::kOptimal;
  if (says("Stopped") && !says("no integer solution")) answer.verdict = MipAnswer::Verdict::kFeasible;
  std::map<std::string, double> by_name;
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string number, name;
    double value = 0;
    if (fields >> number >> name >> value) by_name[name] = value;
  }
  for (const std::string& column : model.columns) answer.values.push_back(by_name[column]);
  answer.objective = answer.values.front();
  return answer;
}

// Reads GLPK's answer: "s mip ROWS COLUMNS STATUS OBJECTIVE", then "j NUMBER VALUE" for each column, numbered
// from 1 as they appear.
MipAnswer read_glpsol(std::istream& in, const MipModel& model) {
  MipAnswer answer;
  answer.values.resize(model.columns.size());
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string key, skipped;
    fields >> key;
    if (key == "s") {
      char status = 'u';
      fields >> skipped >> skipped >> skipped >> status >> answer.objective;
      if (status == 'o') answer.verdict = MipAnswer::Verdict::kOptimal;
      if (status == 'f') answer.verdict = MipAnswer::Verdict::kFeasible;
      if (status == 'n') answer.verdict = MipAnswer::Verdict::kInfeasible;
    } else if (key == "j") {
      std::size_t number = 0;
      double value = 0;
      if (fields >> number >> value && number >= 1 && number <= answer.values.size()) {
        answer.values[number - 1] = value;
      }
    }
  }
  return answer;
}

}  // namespace

std::optional<MipSolver> find_mip_solver() {
  if (auto path = process::on_path("cbc"); !path.empty()) return MipSolver{MipSolver::Kind::kCbc, path};
  if (auto path = process::on_path("glpsol"); !path.empty()) return MipSolver{MipSolver::Kind::kGlpsol, path};
  return std::nullopt;
}

MipAnswer run_mip_solver(const MipSolver& solver, const MipModel& model, const MipLimits& limits) try {
  const process::TemporaryFolder folder("mip");
  std::ofstream(file_in(folder, "model.lp")) << model.lp;
  {
    const RunningSolver running(command(solver, folder, limits));
    wait_for(running, limits);
  }
  std::ifstream in(file_in(folder, "answer"));
  if (!in) return {};
  return solver.kind == MipSolver::Kind::kCbc ? read_cbc(in, model) : read_glpsol(in, model);
} catch (const std::runtime_error&) {  // neither a folder nor a process can be made
  return {};
}

}  // namespace memo::planner
