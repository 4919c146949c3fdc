// generator [--cache] [--back N] STEPS…: a little recurrent network that generates so many numbers in one pass, for each argument.
// With --cache it looks back at everything so far, in a buffer that is made anew, a row longer, in each step. With --back it looks
// back at its state of N steps ago too. Prints a checksum of every number.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "memomalloc/memomalloc.h"
#include "tests/e2e/programs/operator.h"

namespace {

using Vector = std::vector<float>;
constexpr std::size_t kWidth = 512;

// A scope that the library is told of only while it profiles, as of Python's modules. A plan that waited for it would not see a
// step begin.
std::optional<Operator> label(const char* name) {
  static const char* const mode = std::getenv("MEMOMALLOC_MODE");
  static const bool is_profiled = mode != nullptr && std::string_view(mode) == "profile";
  return is_profiled ? std::optional<Operator>(std::in_place, name) : std::nullopt;
}

Vector embed(float token) {
  const Operator scope("embed");
  Vector result(kWidth);
  for (std::size_t i = 0; i < kWidth; ++i) result[i] = std::sin(token + static_cast<float>(i));
  return result;
}

Vector mix(const Vector& a, const Vector& b, float weight) {
  const Operator scope("mix");
  const Vector turned(b.rbegin(), b.rend());
  Vector result(kWidth);
  for (std::size_t i = 0; i < kWidth; ++i) result[i] = weight * a[i] + (1 - weight) * turned[i];
  return result;
}

Vector activate(const Vector& a) {
  const Operator scope("activate");
  Vector result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = std::tanh(a[i]);
  return result;
}

Vector longer(const Vector& cache, const Vector& row) {
  const Operator scope("cat");
  Vector result(cache.size() + row.size());
  std::copy(row.begin(), row.end(), std::copy(cache.begin(), cache.end(), result.begin()));
  return result;
}

Vector attend(const Vector& cache, const Vector& state) {
  const Operator scope("attend");
  Vector scores(cache.size() / kWidth);
  for (std::size_t row = 0; row < scores.size(); ++row)
    scores[row] = std::inner_product(state.begin(), state.end(),
                                     cache.begin() + static_cast<std::ptrdiff_t>(row * kWidth), 0.0F);
  Vector result(kWidth);
  for (std::size_t row = 0; row < scores.size(); ++row)
    for (std::size_t i = 0; i < kWidth; ++i)
      result[i] += scores[row] * cache[row * kWidth + i] / static_cast<float>(cache.size());
  return result;
}

Vector widened(const Vector& state) {
  const Operator scope("widen");
  Vector result(16 * kWidth);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = state[i % kWidth];
  return result;
}

float next_token(const Vector& state) {
  const Operator scope("token");
  const Vector squares = mix(state, state, 0.5F);
  return std::accumulate(squares.begin(), squares.end(), 0.0F) / 8;
}

// Something wide of each of the last steps, in the block in which it was made. It is freed when the one that takes its turn is there.
class States {
 public:
  explicit States(std::size_t steps) : states_(steps) {}

  void look_back(Vector& state) {
    if (states_.empty()) return;
    Vector& oldest = states_[step_++ % states_.size()];
    if (!oldest.empty()) state = activate(mix(state, Vector(oldest.begin(), oldest.begin() + kWidth), 0.7F));
    oldest = widened(state);
  }

 private:
  std::vector<Vector> states_;
  std::size_t step_ = 0;
};

float step(float token, Vector& state, Vector* cache, States& states) {
  const std::optional<Operator> part = label("[step]");
  const Vector input = embed(token);
  state = activate(mix(input, state, 0.3F));
  state = activate(mix(activate(input), state, 0.6F));
  if (cache != nullptr) {
    *cache = longer(*cache, state);
    state = activate(attend(*cache, state));
  }
  states.look_back(state);
  return next_token(state);
}

std::uint64_t generate(int steps, bool cached, std::size_t back, std::uint64_t sum) {
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
  Vector state = embed(0);
  Vector cache;
  std::optional<States> states(back);
  float token = 1;
  for (int i = 0; i < steps; ++i) {
    token = step(token, state, cached ? &cache : nullptr, *states);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &token, sizeof bits);
    sum = sum * 31 + bits;
  }
  states.reset();
  const Vector last = activate(mix(embed(token), state, 0.5F));
  if (memo_pass_end != nullptr) memo_pass_end();
  return sum + static_cast<std::uint64_t>(std::fabs(last[0]) * 1000);
}

}  // namespace

int main(int count, char** arguments) {
  bool cached = false;
  std::size_t back = 0;
  std::uint64_t sum = 0;
  for (int i = 1; i < count; ++i) {
    if (std::string_view(arguments[i]) == "--cache")
      cached = true;
    else if (std::string_view(arguments[i]) == "--back" && i + 1 < count)
      back = static_cast<std::size_t>(std::atoi(arguments[++i]));
    else
      sum = generate(std::atoi(arguments[i]), cached, back, sum);
  }
  std::printf("%016llx\n", static_cast<unsigned long long>(sum));
}
