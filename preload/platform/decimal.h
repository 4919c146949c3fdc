// A number in decimal digits, without the C library's formats.
#pragma once

namespace memo::guest {

class Decimal {
 public:
  explicit constexpr Decimal(unsigned long number) {
    do {
      *--first_ = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
  }
  Decimal(const Decimal&) = delete;
  Decimal& operator=(const Decimal&) = delete;

  [[nodiscard]] constexpr const char* text() const { return first_; }

 private:
  static constexpr int kMostDigits = 20;
  char digits_[kMostDigits + 1] = {};  // filled from the end, which is a NUL
  char* first_ = digits_ + kMostDigits;
};

}  // namespace memo::guest
