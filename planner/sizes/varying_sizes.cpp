#include "planner/sizes/varying_sizes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace memo::planner {
namespace {

constexpr std::size_t kFewestPasses = 8;  // fewer may lie on a line by chance
constexpr std::size_t kMostKinds = 64;    // those with most bytes count
constexpr std::size_t kMostSources = 12;  // of these, candidates are made from so many
constexpr std::size_t kMostCandidates = 64;
constexpr std::int64_t kMostParts = 64;  // common denominator of a quotient
constexpr std::int64_t kBeyondUnits =
    4;  // times the common factor, from which on a unit tells that sizes have a constant
constexpr int kHighestPower = 2;
constexpr double kOffOneIn = 32;      // of a size's range may lie between it and the line
constexpr double kExact = 1e-6;       // of that, for the rounding of the arithmetic
constexpr double kHardly = 0.02;      // of the sizes or their bytes: as good as nothing
constexpr double kOfTheSizes = 0.75;  // have to follow the numbers
constexpr double kOfTheBytes = 0.9;   // likewise, of the bytes by which the sizes vary

using Numbers = SizesOfPasses;

bool varies(const Numbers& numbers) {
  return std::adjacent_find(numbers.begin(), numbers.end(), std::not_equal_to<>()) != numbers.end();
}

std::int64_t most_of(const Numbers& numbers) {
  return *std::max_element(numbers.begin(), numbers.end());
}
std::int64_t least_of(const Numbers& numbers) {
  return *std::min_element(numbers.begin(), numbers.end());
}
std::int64_t range_of(const Numbers& numbers) {
  return most_of(numbers) - least_of(numbers);
}

std::int64_t common_factor(const Numbers& numbers, std::int64_t without) {
  return std::accumulate(
      numbers.begin(), numbers.end(), std::int64_t{0},
      [without](std::int64_t common, std::int64_t number) { return std::gcd(common, number - without); });
}

Numbers without_common_factor(Numbers numbers) {
  const std::int64_t common = common_factor(numbers, 0);
  for (std::int64_t& number : numbers) number /= std::max<std::int64_t>(common, 1);
  return numbers;
}

// Returns the sizes in their own unit: without what all of them have beyond whole units, as the header of a block in Python.
Numbers in_units(Numbers sizes) {
  const std::int64_t unit = common_factor(sizes, sizes.front());
  if (unit >= kBeyondUnits * common_factor(sizes, 0)) {
    const std::int64_t beyond = sizes.front() % unit;
    for (std::int64_t& size : sizes) size -= beyond;
  }
  return without_common_factor(std::move(sizes));
}

// Sizes that are the same but for a factor, and what all of them weigh.
struct Kind {
  Numbers numbers;
  double may_be_off = 0;
  std::size_t sizes = 0;
  double bytes = 0;
};

std::vector<Kind> kinds_of(const std::vector<SizesOfPasses>& sizes) {
  std::map<Numbers, Kind> kinds;
  for (const SizesOfPasses& one : sizes) {
    if (!varies(one)) continue;
    Kind& kind = kinds[in_units(one)];
    ++kind.sizes;
    kind.bytes += static_cast<double>(range_of(one));
  }
  std::vector<Kind> sorted;
  for (auto& [numbers, kind] : kinds) {
    kind.numbers = numbers;
    kind.may_be_off = static_cast<double>(range_of(numbers)) / kOffOneIn;
    sorted.push_back(std::move(kind));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Kind& a, const Kind& b) { return a.bytes > b.bytes; });
  sorted.resize(std::min(sorted.size(), kMostKinds));
  return sorted;
}

// ---- candidates ----

std::optional<Numbers> roots_of(const Numbers& numbers) {
  Numbers roots;
  for (const std::int64_t number : numbers) {
    const auto root = static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(number))));
    if (root * root != number) return std::nullopt;
    roots.push_back(root);
  }
  return roots;
}

// Returns the quotients in common parts, if these are few.
std::optional<Numbers> quotients_of(const Numbers& over, const Numbers& under) {
  std::int64_t parts = 1;
  for (std::size_t i = 0; i < over.size(); ++i) {
    if (under[i] <= 0 || over[i] <= 0) return std::nullopt;
    parts = std::lcm(parts, under[i] / std::gcd(over[i], under[i]));
    if (parts > kMostParts) return std::nullopt;
  }
  Numbers quotients;
  for (std::size_t i = 0; i < over.size(); ++i) {
    const std::int64_t common = std::gcd(over[i], under[i]);
    quotients.push_back(over[i] / common * (parts / (under[i] / common)));
  }
  return without_common_factor(std::move(quotients));
}

class Candidates {
 public:
  explicit Candidates(const std::vector<Kind>& kinds) {
    for (std::size_t i = 0; i < std::min(kinds.size(), kMostSources); ++i) add(kinds[i].numbers);
    const std::size_t sources = found_.size();
    divide(0, sources, sources);              // pq² / pq = q
    divide(sources, found_.size(), sources);  // pq / q = p
  }

  [[nodiscard]] const std::vector<Numbers>& all() const { return found_; }

 private:
  void add(std::optional<Numbers> numbers) {
    if (!numbers || found_.size() == kMostCandidates || !varies(*numbers) || least_of(*numbers) <= 0) return;
    if (std::find(found_.begin(), found_.end(), *numbers) != found_.end()) return;
    found_.push_back(*numbers);
    add(roots_of(found_.back()));
  }

  // Divides the first `sources` candidates by those from `first` to `end`.
  void divide(std::size_t first, std::size_t end, std::size_t sources) {
    for (std::size_t under = first; under < end; ++under)
      for (std::size_t over = 0; over < sources; ++over) add(quotients_of(found_[over], found_[under]));
  }

  std::vector<Numbers> found_;
};

// ---- do sizes follow numbers ----

// A product of powers of the numbers, of each pass, with the passes where it is least and most.
struct Product {
  explicit Product(std::vector<double> products) : of(std::move(products)) {
    const auto [least, most] = std::minmax_element(of.begin(), of.end());
    low = static_cast<std::size_t>(least - of.begin());
    high = static_cast<std::size_t>(most - of.begin());
  }
  std::vector<double> of;
  std::size_t low = 0;
  std::size_t high = 0;
};

// How well sizes lie on a rising line over a product.
enum class Fit { kNot, kRounded, kExactly };

Fit fit_of(const Kind& kind, const Product& over) {
  const auto begin = static_cast<double>(kind.numbers[over.low]);
  const auto end = static_cast<double>(kind.numbers[over.high]);
  if (over.low == over.high || end <= begin) return Fit::kNot;
  const double slope = (end - begin) / (over.of[over.high] - over.of[over.low]);
  double most_off = 0;
  for (std::size_t i = 0; i < kind.numbers.size(); ++i) {
    const double on_it = begin + slope * (over.of[i] - over.of[over.low]);
    most_off = std::max(most_off, std::abs(on_it - static_cast<double>(kind.numbers[i])));
    if (most_off > kind.may_be_off) return Fit::kNot;
  }
  return most_off < kind.may_be_off * kExact ? Fit::kExactly : Fit::kRounded;
}

Fit best_fit(const Kind& kind, const std::vector<Product>& products) {
  Fit best = Fit::kNot;
  for (const Product& over : products) {
    best = std::max(best, fit_of(kind, over));
    if (best == Fit::kExactly) break;
  }
  return best;
}

std::vector<double> times(std::vector<double> products, const Numbers& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) products[i] *= static_cast<double>(numbers[i]);
  return products;
}

// Returns all products of powers of the numbers, without the constant one.
std::vector<Product> products_of(const std::vector<const Numbers*>& numbers) {
  std::vector<std::vector<double>> all{std::vector<double>(numbers.front()->size(), 1.0)};
  for (const Numbers* factor : numbers) {
    const std::size_t others = all.size();
    for (int power = 1; power <= kHighestPower; ++power)
      for (std::size_t i = 0; i < others; ++i) all.push_back(times(all[all.size() - others], *factor));
  }
  return {all.begin() + 1, all.end()};
}

// Shares of the sizes, and of the bytes by which they vary.
struct Share {
  double sizes = 0;
  double bytes = 0;

  void add(const Kind& kind) {
    sizes += static_cast<double>(kind.sizes);
    bytes += kind.bytes;
  }
  [[nodiscard]] Share of(const Share& all) const {
    return {.sizes = sizes / all.sizes, .bytes = bytes / all.bytes};
  }
  [[nodiscard]] double sum() const { return sizes + bytes; }
};

// How much of the sizes follows some numbers.
struct Followed {
  Share exactly;
  Share nearly;  // exactly, or but for rounding

  [[nodiscard]] bool enough() const { return nearly.sizes >= kOfTheSizes && nearly.bytes >= kOfTheBytes; }
};

Followed followed_by(const std::vector<Kind>& kinds, const std::vector<const Numbers*>& numbers) {
  const std::vector<Product> products = products_of(numbers);
  Share all;
  Followed found;
  for (const Kind& kind : kinds) {
    all.add(kind);
    const Fit fit = best_fit(kind, products);
    if (fit != Fit::kNot) found.nearly.add(kind);
    if (fit == Fit::kExactly) found.exactly.add(kind);
  }
  return {.exactly = found.exactly.of(all), .nearly = found.nearly.of(all)};
}

// ---- the best of the candidates ----

using Choice = std::vector<const Numbers*>;

double product_of_largest(const Choice& choice) {
  return std::accumulate(choice.begin(), choice.end(), 1.0, [](double product, const Numbers* numbers) {
    return product * static_cast<double>(most_of(*numbers));
  });
}

// Remembers the choice that most sizes follow, and of equals that which most follow exactly: a width, not its rounded
// half. Then the smaller numbers win: a batch and a length, not their product and a length.
class Best {
 public:
  explicit Best(const std::vector<Kind>& kinds) : kinds_(&kinds) {}

  void try_out(const Choice& choice) {
    const Followed followed = followed_by(*kinds_, choice);
    if (!followed.enough()) return;
    if (!choice_.empty() && !is_better(choice, followed)) return;
    choice_ = choice;
    followed_ = followed;
  }

  [[nodiscard]] const Choice& choice() const { return choice_; }

 private:
  [[nodiscard]] bool is_better(const Choice& choice, const Followed& followed) const {
    for (const Share Followed::*share : {&Followed::nearly, &Followed::exactly}) {
      const double gain = (followed.*share).sum() - (followed_.*share).sum();
      if (std::abs(gain) > kHardly) return gain > 0;
    }
    return product_of_largest(choice) < product_of_largest(choice_);
  }

  const std::vector<Kind>* kinds_;
  Choice choice_;
  Followed followed_;
};

Choice best_of_one(const std::vector<Kind>& kinds, const std::vector<Numbers>& candidates) {
  Best best(kinds);
  for (const Numbers& numbers : candidates) best.try_out({&numbers});
  return best.choice();
}

Choice best_of_two(const std::vector<Kind>& kinds, const std::vector<Numbers>& candidates) {
  Best best(kinds);
  for (std::size_t a = 0; a < candidates.size(); ++a)
    for (std::size_t b = a + 1; b < candidates.size(); ++b) best.try_out({&candidates[a], &candidates[b]});
  return best.choice();
}

std::vector<Numbers> sorted(const Choice& choice) {
  std::vector<Numbers> numbers;
  for (const Numbers* chosen : choice) numbers.push_back(*chosen);
  std::sort(numbers.begin(), numbers.end(),
            [](const Numbers& a, const Numbers& b) { return most_of(a) < most_of(b); });
  return numbers;
}

}  // namespace

std::vector<VaryingSize> ranges_of(const std::vector<SizesOfPasses>& numbers) {
  std::vector<VaryingSize> ranges;
  ranges.reserve(numbers.size());
  for (const Numbers& one : numbers)
    ranges.push_back({.least = static_cast<std::uint64_t>(least_of(one)),
                      .most = static_cast<std::uint64_t>(most_of(one))});
  return ranges;
}

std::vector<SizesOfPasses> varying_numbers(const std::vector<SizesOfPasses>& sizes) {
  if (sizes.empty() || sizes.front().size() < kFewestPasses) return {};
  const std::vector<Kind> kinds = kinds_of(sizes);
  const Candidates candidates(kinds);
  const Choice one = best_of_one(kinds, candidates.all());
  return sorted(one.empty() ? best_of_two(kinds, candidates.all()) : one);
}

}  // namespace memo::planner
