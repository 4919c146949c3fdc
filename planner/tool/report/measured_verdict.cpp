#include "planner/tool/report/measured_verdict.h"

#include <fmt/format.h>

#include <algorithm>

namespace memo::planner {
namespace {

// Below this share of the other's memory, memory alone is a gain.
constexpr double kLeaner = 0.97;
// A ratio of a single round has no confidence, so a smaller difference says nothing.
constexpr double kSingleRound = 0.05;

const MeasuredAllocator* judged_in(const Measured& measured) {
  const auto found =
      std::ranges::find_if(measured.allocators, [](const auto& one) { return one.ratios.empty(); });
  return found == measured.allocators.end() ? nullptr : &*found;
}

const MeasuredAllocator* rival_in(const Measured& measured) {
  const auto has_speed = [](const auto& one) { return one.ratios.contains("times_as_fast"); };
  const auto glibc = std::ranges::find_if(
      measured.allocators, [&](const auto& one) { return one.name == "glibc" && has_speed(one); });
  if (glibc != measured.allocators.end()) return &*glibc;
  const auto first = std::ranges::find_if(measured.allocators, has_speed);
  return first == measured.allocators.end() ? nullptr : &*first;
}

// Returns the ratio of the peaks; 1 where it was not measured.
double memory_of(const MeasuredAllocator& rival) {
  const auto found = rival.ratios.find("peak_memory");
  return found == rival.ratios.end() ? 1 : found->second.value;
}

enum class Gain { kSpeed, kMemory, kNone, kLoss };

Gain gain_of(const compare::Ratio& speed, double memory) {
  const double least = speed.bounded ? speed.low : speed.value - kSingleRound;
  const double most = speed.bounded ? speed.high : speed.value + kSingleRound;
  if (least > 1) return Gain::kSpeed;
  if (most < 1) return Gain::kLoss;
  return memory < kLeaner ? Gain::kMemory : Gain::kNone;
}

std::string_view word_for(Gain gain) {
  if (gain == Gain::kSpeed) return "yes";
  if (gain == Gain::kMemory) return "yes, in memory";
  return gain == Gain::kLoss ? "no" : "no difference was measured";
}

std::string advice_for(Gain gain, const std::string& rival) {
  if (gain != Gain::kLoss) return "";
  return fmt::format(
      "run without it, as {} is faster here; `memomalloc doctor -- COMMAND` says what stands in the way",
      rival);
}

}  // namespace

MeasuredVerdict verdict_of(const Measured& measured) {
  const MeasuredAllocator* judged = judged_in(measured);
  const MeasuredAllocator* rival = rival_in(measured);
  if (judged == nullptr || rival == nullptr) return {"not measured: nothing was compared with it", ""};
  const compare::Ratio& speed = rival->ratios.at("times_as_fast");
  const double memory = memory_of(*rival);
  const Gain gain = gain_of(speed, memory);
  const std::string range = speed.bounded ? fmt::format(" ({:.3f} to {:.3f})", speed.low, speed.high) : "";
  return {fmt::format("{}: {} is {:.3f} times as fast as {}{}, with {:.2f} times as much memory at the peak",
                      word_for(gain), judged->name, speed.value, rival->name, range, memory),
          advice_for(gain, rival->name)};
}

}  // namespace memo::planner
