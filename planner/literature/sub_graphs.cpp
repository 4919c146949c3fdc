#include "planner/literature/sub_graphs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "planner/placing/placement.h"

namespace memo::planner {
namespace {

constexpr std::size_t kMostBirths = 512;             // of a call
constexpr std::size_t kLeastInside = 2;              // buffers: one alone is its own block
constexpr std::size_t kLeastShareOneIn = 32;         // of all buffers: keeps the number of parts low
constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15;  // of the hashes; odd

// The births of a problem as a sequence of tokens: equal ones are of buffers that are alike.
class Births {
 public:
  explicit Births(const Problem& problem) : order_(birth_order(problem)), hashes_(order_.size() + 1) {
    std::map<std::tuple<Bytes, Bytes, std::size_t>, std::uint64_t> known;
    std::vector<Time> begins;
    for (const BufferIndex index : order_) begins.push_back(problem.buffers[index].life.begin);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Buffer& buffer = problem.buffers[order_[i]];
      const auto dead = std::lower_bound(begins.begin(), begins.end(), buffer.life.end);
      sees_.push_back(static_cast<std::size_t>(dead - begins.begin()) - i);
      const auto token = known.try_emplace({buffer.size, buffer.alignment, sees_[i]}, known.size() + 1);
      tokens_.push_back(token.first->second);
      hashes_[i + 1] = hashes_[i] * kBase + tokens_[i];
    }
  }

  [[nodiscard]] std::size_t size() const { return order_.size(); }

  // Returns equal values for equal sequences, and hardly ever for others.
  [[nodiscard]] std::uint64_t hash(std::size_t first, std::size_t births, std::uint64_t power) const {
    return hashes_[first + births] - hashes_[first] * power;
  }
  [[nodiscard]] bool are_alike(std::size_t a, std::size_t b, std::size_t births) const {
    const auto from = [&](std::size_t at) { return tokens_.begin() + static_cast<std::ptrdiff_t>(at); };
    return std::equal(from(a), from(a + births), from(b));
  }

  // Returns the buffers that are born in the call and die in it.
  [[nodiscard]] std::vector<BufferIndex> inside(std::size_t first, std::size_t births) const {
    std::vector<BufferIndex> found;
    for (std::size_t i = first; i < first + births; ++i)
      if (i + sees_[i] <= first + births) found.push_back(order_[i]);
    return found;
  }

 private:
  std::vector<BufferIndex> order_;
  std::vector<std::size_t> sees_;  // births, from a buffer's own on, that come before its end
  std::vector<std::uint64_t> tokens_;
  std::vector<std::uint64_t> hashes_;  // of the first tokens
};

// Where the calls of a part begin, none in another.
using Calls = std::vector<std::size_t>;

std::unordered_map<std::uint64_t, Calls> calls_of(const Births& births, std::size_t length,
                                                  std::uint64_t power) {
  std::unordered_map<std::uint64_t, Calls> calls;
  for (std::size_t first = 0; first + length <= births.size(); ++first) {
    Calls& known = calls[births.hash(first, length, power)];
    if (known.empty() || (known.back() + length <= first && births.are_alike(known.front(), first, length)))
      known.push_back(first);
  }
  return calls;
}

// The part found so far that has most buffers inside.
struct Best {
  std::size_t length = 0;
  std::size_t inside = 0;  // of all calls
  Calls calls;
};

// Takes the part that is better, and of equally good ones the one that begins first.
void improve(Best& best, const Births& births, std::size_t length, Calls calls) {
  if (calls.size() < 2 || calls.size() * length < best.inside) return;
  const std::size_t inside = births.inside(calls.front(), length).size();
  if (inside < kLeastInside) return;
  const std::size_t all = inside * calls.size();
  const bool earlier = all == best.inside && length == best.length && calls.front() < best.calls.front();
  if (all > best.inside || earlier) best = {length, all, std::move(calls)};
}

}  // namespace

std::optional<SubGraph> find_sub_graph(const Problem& problem, Budget& budget) {
  const Births births(problem);
  Best best;
  std::uint64_t power = kBase;
  for (std::size_t length = 2; length <= std::min(kMostBirths, births.size() / 2); ++length) {
    if (!budget.spend(births.size())) return std::nullopt;
    power *= kBase;
    for (auto& [hash, calls] : calls_of(births, length, power))
      improve(best, births, length, std::move(calls));
  }
  if (best.calls.empty() || best.inside * kLeastShareOneIn < births.size()) return std::nullopt;
  SubGraph found;
  for (const std::size_t first : best.calls) found.calls.push_back(births.inside(first, best.length));
  return found;
}

}  // namespace memo::planner
