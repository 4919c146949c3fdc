// How the C++ program of this folder makes its passes, as asked.py does for the others: a number of them in a row, with
// one digest of all answers at the end as JSON; or, with the word "asked" in the number's place, one for each line of
// their input, each answered with its digest.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

class Digest {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes)
      hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3;  // FNV-1a
  }
  [[nodiscard]] unsigned long long value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

// `forward` makes a pass, and returns the bytes of its answer.
template <typename Forward>
void make_passes(const std::string& passes, Forward forward) {
  Digest all;
  if (passes != "asked") {
    for (int pass = std::atoi(passes.c_str()); pass > 0; --pass) all.add(forward());
    std::printf("{\"answer\": \"%016llx\"}\n", all.value());
    return;
  }
  for (std::string line; std::getline(std::cin, line);) {
    Digest one;
    one.add(forward());
    std::printf("%016llx\n", one.value());
    std::fflush(stdout);
  }
}
