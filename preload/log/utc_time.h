// A moment as logs write it, in UTC. The C library's conversions may read files and allocate.
#pragma once

#include <cstdint>

namespace memo::guest {

struct Date {
  unsigned year, month, day;
};

// Counts years from 1 March, so that a leap day is the last of its year.
constexpr Date date_of(unsigned days_since_1970) {
  constexpr unsigned kDaysOf400Years = 146097;
  const unsigned days = days_since_1970 + 719468;  // since 1 March of the year 0
  const unsigned day_of_era = days % kDaysOf400Years;
  const unsigned year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const unsigned month = (5 * day_of_year + 2) / 153;  // 0 is March
  const bool is_next_year = month >= 10;
  return {days / kDaysOf400Years * 400 + year_of_era + (is_next_year ? 1 : 0),
          is_next_year ? month - 9 : month + 3, day_of_year - (153 * month + 2) / 5 + 1};
}

class UtcTime {
 public:
  explicit constexpr UtcTime(std::int64_t nanoseconds_since_1970) {
    const auto milliseconds = static_cast<std::uint64_t>(nanoseconds_since_1970) / 1'000'000;
    const std::uint64_t seconds = milliseconds / 1000;
    const Date date = date_of(static_cast<unsigned>(seconds / 86'400));
    write(0, 4, date.year);
    write(5, 2, date.month);
    write(8, 2, date.day);
    write(11, 2, seconds / 3600 % 24);
    write(14, 2, seconds / 60 % 60);
    write(17, 2, seconds % 60);
    write(20, 3, milliseconds % 1000);
  }

  [[nodiscard]] constexpr const char* text() const { return text_; }

 private:
  constexpr void write(unsigned begin, unsigned digits, std::uint64_t number) {
    for (unsigned at = begin + digits; at-- > begin; number /= 10)
      text_[at] = static_cast<char>('0' + number % 10);
  }

  char text_[25] = "0000-00-00T00:00:00.000Z";
};

}  // namespace memo::guest
