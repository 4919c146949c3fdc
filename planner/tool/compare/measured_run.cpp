#include "planner/tool/compare/measured_run.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "planner/tool/compare/printed_figures.h"
#include "planner/tool/compare/resident.h"

namespace memo::compare {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kToldToEnd = 128 + SIGTERM;

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// Runs the client and returns its status. The client's environment does not name the server's allocator.
int run_client(const Workload& workload, const process::Command& server, const std::string& output) {
  process::Command client{{"/bin/sh", "-c", workload.client}, {}, server.unset, output, {}};
  return process::wait_for(process::start(client));
}

}  // namespace

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void add_resident(Resident resident, MeasuredRun& run) {
  run.figures["resident_steady"] = resident.steady;
  run.figures["resident_high"] = resident.high;
  run.figures["resident_average"] = resident.average;
  run.figures["resident_peak"] = resident.peak;
  run.memory = std::move(resident.over_time);
}

void add_usage(const rusage& usage, std::map<std::string, double>& figures) {
  constexpr double kKibibyte = 1024;
  figures["user_seconds"] = seconds_of(usage.ru_utime);
  figures["system_seconds"] = seconds_of(usage.ru_stime);
  figures["minor_faults"] = static_cast<double>(usage.ru_minflt);
  figures["major_faults"] = static_cast<double>(usage.ru_majflt);
  figures["switches"] = static_cast<double>(usage.ru_nvcsw + usage.ru_nivcsw);
  figures["resident_peak"] =
      std::max(figures["resident_peak"], static_cast<double>(usage.ru_maxrss) * kKibibyte);
}

MeasuredRun measure(process::Command command, const Workload& workload, const std::filesystem::path& folder) {
  const bool served = !workload.client.empty();
  command.output = folder / "output";
  command.errors = folder / "errors";
  const std::string judged = served ? (folder / "client").string() : command.output;

  MeasuredRun run;
  const Clock::time_point begin = Clock::now();
  const process::Child child = process::start(command);
  ResidentSampler sampler(child.id);
  int client_status = 0;
  if (served && child.exec_error == 0) {
    client_status = run_client(workload, command, judged);
    add_resident(sampler.finish(), run);
    kill(child.id, SIGTERM);
  }
  rusage usage{};
  run.status = process::wait_for(child, &usage);
  run.figures["seconds"] = std::chrono::duration<double>(Clock::now() - begin).count();
  if (!served) add_resident(sampler.finish(), run);
  add_usage(usage, run.figures);
  run.errors = text_of(command.errors);
  if (client_status != 0)
    throw std::runtime_error(fmt::format("the client exited with {}; the server's last words: {}",
                                         client_status, run.errors.empty() ? "none" : run.errors));
  if (served && run.status == kToldToEnd) run.status = 0;

  const PrintedFigures printed = printed_figures(text_of(judged));
  run.figures.insert(printed.figures.begin(), printed.figures.end());
  run.answers = printed.answers;
  return run;
}

}  // namespace memo::compare
