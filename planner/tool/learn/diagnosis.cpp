#include "planner/tool/learn/diagnosis.h"

#include <fmt/format.h>

namespace memo::learn {
namespace {

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

// Returns the reason where nothing was recorded.
std::string diagnose_silence(const Facts& facts) {
  if (facts.script)
    return fmt::format(
        "{} is a script that starts other programs, and none of them has made a pass; put `memomalloc run --` "
        "in front of the program that runs the model",
        facts.program);
  if (facts.ended)
    return fmt::format(
        "{} ended without a pass and after too few allocations to learn from; give it more requests",
        facts.program);
  return fmt::format(
      "{} has made no pass so far; it is learned once it does. A server may be waiting for requests; otherwise "
      "name the function that runs a pass with --pass-symbol",
      facts.program);
}

// Returns the reason where what was recorded has no passes that recur.
std::string diagnose_trace(const Facts& facts) {
  const std::string found = fmt::format("no pass recurs in {} allocations{}", with_commas(facts.allocations),
                                        facts.ended ? "" : " so far");
  if (facts.marked_passes != 0)
    return fmt::format("{}: none of its {} passes ran twice alike; let it run longer", found,
                       with_commas(facts.marked_passes));
  if (facts.torch)
    return fmt::format(
        "{}: eager PyTorch was seen, its gradients on; wrap each request in `with memomalloc.forward():`, or send more "
        "alike with --passes-by period",
        found);
  return fmt::format(
      "{}: no function that runs a pass is known; name it with --pass-symbol, mark passes with memo_pass_begin, "
      "or send more requests alike",
      found);
}

}  // namespace

std::string diagnose(const Facts& facts) {
  if (facts.allocations != 0) return diagnose_trace(facts);
  if (facts.linked_statically)
    return fmt::format("{} is linked statically: no library can be loaded into it; link it without -static",
                       facts.program);
  return diagnose_silence(facts);
}

}  // namespace memo::learn
