// Noise for simulated requests: by a fixed seed, so that a run fails again as it failed.
#pragma once

#include <cstdint>

namespace memo::runtime::testing {

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 1) {}

  std::uint64_t next() {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
    return mixed ^ mixed >> 31;
  }
  // From 0 to 1.
  double part() { return static_cast<double>(next() >> 11) / 9007199254740992.0; }

  // Around 1, by `spread` on average; one in fifty is half as much again, as on a machine on which something else happens.
  double factor(double spread) {
    const double sum = part() + part() + part() + part() - 2;  // of a deviation of about 0.58
    return (1 + spread * sum / 0.58) * (part() < 0.02 ? 1.5 : 1);
  }

 private:
  std::uint64_t state_;
};

}  // namespace memo::runtime::testing
