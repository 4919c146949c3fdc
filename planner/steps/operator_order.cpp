#include "planner/steps/operator_order.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>

namespace memo::planner {
namespace {

// Blocks that one operator makes and the same ones use: they live and die together.
struct Bundle {
  Bytes bytes = 0;
  std::vector<OperationIndex> users;  // all that must have run before it dies; ascending
};

// What an operator asks of memory, whenever it runs.
struct Needs {
  Bytes most = 0;                      // the most that is alive at once of what it makes
  std::vector<std::uint32_t> makes;    // bundles that outlive it
  std::vector<std::uint32_t> uses;     // bundles that wait for it
  std::vector<OperationIndex> before;  // operators that must have run
};

// The pass as a problem of ordering. The last operator stands for what the pass does after its operators have ended.
class OrderProblem {
 public:
  explicit OrderProblem(const Pass& pass) : pass_(pass), needs_(pass.operations.size() + 1) {
    set_dependencies();
    find_users();
    add_allocations();
  }

  [[nodiscard]] const std::vector<Needs>& needs() const { return needs_; }
  [[nodiscard]] const std::vector<Bundle>& bundles() const { return bundles_; }

 private:
  [[nodiscard]] OperationIndex rest() const { return static_cast<OperationIndex>(pass_.operations.size()); }

  // Returns the operator in which the position of the pass lies.
  [[nodiscard]] OperationIndex operator_at(Time position) const {
    const auto after =
        std::upper_bound(pass_.operations.begin(), pass_.operations.end(), position,
                         [](Time at, const Operation& operation) { return at < operation.ended; });
    return static_cast<OperationIndex>(after - pass_.operations.begin());
  }

  void set_dependencies() {
    const RunOrder order(pass_);
    for (OperationIndex i = 0; i < rest(); ++i) needs_[i].before = order.before(i);
    needs_[rest()].before.resize(rest());
    std::iota(needs_[rest()].before.begin(), needs_[rest()].before.end(), OperationIndex{0});
  }

  void find_users() {
    users_.resize(pass_.allocations.size());
    for (OperationIndex i = 0; i < rest(); ++i) {
      for (const auto* list : {&pass_.operations[i].reads, &pass_.operations[i].writes})
        for (const Access& access : *list)
          if (access.allocation != kNone) users_[access.allocation].insert(i);
    }
  }

  void add_allocations() {
    std::map<std::pair<OperationIndex, std::vector<OperationIndex>>, std::uint32_t> known;
    std::vector<std::map<Time, Bytes>> steps(needs_.size());
    for (std::size_t i = 0; i < pass_.allocations.size(); ++i) {
      const Allocation& made = pass_.allocations[i];
      const OperationIndex maker = operator_at(made.life.begin);
      const OperationIndex freed = made.escapes ? rest() : operator_at(made.life.end);
      steps[maker][made.life.begin] += made.size;
      if (freed == maker && !made.escapes)
        steps[maker][made.life.end] -= made.size;
      else
        add_to_bundle(made.size, maker, users_of(users_[i], maker, freed, made.escapes), known);
    }
    for (OperationIndex i = 0; i < needs_.size(); ++i) needs_[i].most = most_of(steps[i]);
  }

  // A program frees a block in the operator after the last one that uses it. One that it frees later is held by the
  // operators in between.
  [[nodiscard]] std::vector<OperationIndex> users_of(std::set<OperationIndex> users, OperationIndex maker,
                                                     OperationIndex freed, bool escapes) const {
    users.insert(maker);
    if (escapes)
      users.insert(rest());
    else if (freed > *users.rbegin() + 1)
      users.insert(freed - 1);
    return {users.begin(), users.end()};
  }

  void add_to_bundle(Bytes bytes, OperationIndex maker, std::vector<OperationIndex> users,
                     std::map<std::pair<OperationIndex, std::vector<OperationIndex>>, std::uint32_t>& known) {
    const auto [at, fresh] = known.try_emplace({maker, users}, static_cast<std::uint32_t>(bundles_.size()));
    if (fresh) {
      needs_[maker].makes.push_back(at->second);
      for (const OperationIndex user : users) needs_[user].uses.push_back(at->second);
      bundles_.push_back({.bytes = 0, .users = std::move(users)});
    }
    bundles_[at->second].bytes += bytes;
  }

  static Bytes most_of(const std::map<Time, Bytes>& steps) {
    Bytes alive = 0;
    Bytes most = 0;
    for (const auto& [at, change] : steps) most = std::max(most, alive += change);
    return most;
  }

  const Pass& pass_;
  std::vector<Needs> needs_;
  std::vector<Bundle> bundles_;
  std::vector<std::set<OperationIndex>> users_;  // of each allocation
};

// Operators that have run, in some order.
struct Beginning {
  Bytes alive = 0;
  Bytes peak = 0;
  std::vector<std::uint32_t> left_users;   // of each bundle
  std::vector<std::uint32_t> left_before;  // of each operator: those that must still run first
  std::vector<bool> ran;
  std::shared_ptr<const Beginning> earlier;  // without its last operator
  OperationIndex last = kNone;
};

class Search {
 public:
  explicit Search(const OrderProblem& problem) : needs_(problem.needs()), bundles_(problem.bundles()) {
    followers_.resize(needs_.size());
    for (OperationIndex i = 0; i < needs_.size(); ++i)
      for (const OperationIndex earlier : needs_[i].before) followers_[earlier].push_back(i);
  }

  [[nodiscard]] Beginning nothing() const {
    Beginning first;
    first.ran.resize(needs_.size());
    for (const Bundle& bundle : bundles_)
      first.left_users.push_back(static_cast<std::uint32_t>(bundle.users.size()));
    for (const Needs& needs : needs_)
      first.left_before.push_back(static_cast<std::uint32_t>(needs.before.size()));
    return first;
  }

  void run(Beginning& state, OperationIndex next) const {
    const Needs& needs = needs_[next];
    state.peak = std::max(state.peak, state.alive + needs.most);
    for (const std::uint32_t made : needs.makes) state.alive += bundles_[made].bytes;
    for (const std::uint32_t used : needs.uses)
      if (--state.left_users[used] == 0) state.alive -= bundles_[used].bytes;
    for (const OperationIndex follower : followers_[next]) --state.left_before[follower];
    state.ran[next] = true;
    state.last = next;
  }

  [[nodiscard]] std::vector<OperationIndex> ready(const Beginning& state) const {
    std::vector<OperationIndex> ready;
    for (OperationIndex i = 0; i < needs_.size(); ++i)
      if (!state.ran[i] && state.left_before[i] == 0) ready.push_back(i);
    return ready;
  }

  // Returns the best beginnings of one operator more, at most `width`; of those that have run the same operators, one.
  [[nodiscard]] std::vector<std::shared_ptr<const Beginning>> continued(
      const std::vector<std::shared_ptr<const Beginning>>& states, std::size_t width) const {
    std::map<std::vector<bool>, std::shared_ptr<const Beginning>> best;
    for (const auto& state : states) {
      for (const OperationIndex next : ready(*state)) {
        auto longer = std::make_shared<Beginning>(*state);
        longer->earlier = state;
        run(*longer, next);
        auto& known = best[longer->ran];
        if (known == nullptr || longer->peak < known->peak) known = std::move(longer);
      }
    }
    std::vector<std::shared_ptr<const Beginning>> kept;
    kept.reserve(best.size());
    for (auto& [ran, state] : best) kept.push_back(std::move(state));
    std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
      return a->peak != b->peak ? a->peak < b->peak : a->alive < b->alive;
    });
    if (kept.size() > width) kept.resize(width);
    return kept;
  }

 private:
  const std::vector<Needs>& needs_;
  const std::vector<Bundle>& bundles_;
  std::vector<std::vector<OperationIndex>> followers_;
};

std::vector<OperationIndex> order_of(const Beginning& whole) {
  std::vector<OperationIndex> order;
  for (const Beginning* at = &whole; at->last != kNone; at = at->earlier.get()) order.push_back(at->last);
  std::reverse(order.begin(), order.end());
  order.pop_back();  // the rest of the pass
  return order;
}

// Returns what must be alive while the operator runs, in whatever order: what it makes, and what it uses that others have made.
Bytes needed_by(const OrderProblem& problem, OperationIndex index) {
  const Needs& needs = problem.needs()[index];
  Bytes bytes = needs.most;
  for (const std::uint32_t used : needs.uses)
    if (std::find(needs.makes.begin(), needs.makes.end(), used) == needs.makes.end())
      bytes += problem.bundles()[used].bytes;
  return bytes;
}

void find_neediest(const OrderProblem& problem, OrderAdvice& advice) {
  for (OperationIndex index = 0; index < problem.needs().size(); ++index) {
    const Bytes bytes = needed_by(problem, index);
    if (bytes <= advice.least) continue;
    advice.least = bytes;
    advice.neediest = index;
  }
}

Bytes peak_as_recorded(const Search& search, std::size_t count) {
  Beginning state = search.nothing();
  for (OperationIndex i = 0; i < count; ++i) search.run(state, i);
  return state.peak;
}

}  // namespace

OrderAdvice advise_order(const Pass& pass, std::size_t width) {
  const OrderProblem problem(pass);
  const Search search(problem);
  const std::size_t count = problem.needs().size();
  OrderAdvice advice;
  advice.recorded = advice.advised = peak_as_recorded(search, count);
  advice.order.resize(pass.operations.size());
  std::iota(advice.order.begin(), advice.order.end(), OperationIndex{0});
  find_neediest(problem, advice);
  if (advice.least == advice.recorded) return advice;
  std::vector<std::shared_ptr<const Beginning>> states{std::make_shared<Beginning>(search.nothing())};
  for (std::size_t i = 0; i < count; ++i) states = search.continued(states, width);
  if (states.empty() || states.front()->peak >= advice.recorded) return advice;
  advice.advised = states.front()->peak;
  advice.order = order_of(*states.front());
  return advice;
}

}  // namespace memo::planner
