#include "planner/variants/loops_in_loops.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "planner/variants/loops.h"
#include "planner/variants/structures.h"

namespace memo::planner {
namespace {

// The passes with one name and key.
std::vector<std::vector<Member>> kinds_of(const std::vector<Member>& members) {
  std::map<std::pair<std::string_view, std::uint64_t>, std::vector<Member>> kinds;
  for (const Member& member : members)
    kinds[{member.view->trace->name(member.pass->name), member.pass->key}].push_back(member);
  std::vector<std::vector<Member>> found;
  found.reserve(kinds.size());
  for (auto& [name, kind] : kinds) found.push_back(std::move(kind));
  return found;
}

// Returns how many of the passes come only once.
std::size_t count_alone(const std::vector<Member>& members) {
  std::unordered_map<std::uint64_t, std::size_t> runs;
  for (const Member& member : members) runs[member.fingerprint] += member.runs;
  return static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const auto& one) { return one.second == 1; }));
}

// Returns how many passes have no variant once loops on one level are folded.
std::size_t left_by_one_level(std::vector<Member> members) {
  static_cast<void>(fold_loops(members));
  static_cast<void>(join_structures(members));
  return count_alone(members);
}

using Joining = std::vector<Variant> (*)(std::vector<Member>& members);

std::vector<Variant> join_nested(std::vector<Member>& members) {
  return join_structures(members, Structures::kWithLoopsInLoops);
}

// Folds one level, though what comes before the loop has sizes of its own in each pass.
std::vector<Variant> fold_any_sizes(std::vector<Member>& members) {
  return fold_loops(members, Frames::kOfAnySizes);
}

// Returns the variants of a kind with loops in loops, or with one that sizes before it do not keep apart, and removes their runs;
// none where one level is enough.
std::vector<Variant> join_kind(std::vector<Member>& kind) {
  const std::size_t left = left_by_one_level(kind);
  if (left < kFewShapes) return {};
  for (const Joining join : {join_nested, fold_any_sizes}) {
    std::vector<Member> rest = kind;
    std::vector<Variant> found = join(rest);
    if (found.empty() || left_by_one_level(rest) >= left) continue;
    kind = std::move(rest);
    return found;
  }
  return {};
}

}  // namespace

std::vector<Variant> join_loops_in_loops(std::vector<Member>& members) {
  std::vector<Variant> variants;
  std::vector<Member> rest;
  for (std::vector<Member>& kind : kinds_of(members)) {
    std::vector<Variant> found = join_kind(kind);
    std::move(found.begin(), found.end(), std::back_inserter(variants));
    rest.insert(rest.end(), kind.begin(), kind.end());
  }
  members = std::move(rest);
  return variants;
}

}  // namespace memo::planner
