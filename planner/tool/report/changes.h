// Holds what differs between an earlier run and a later one, as figures beside each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace memo::planner {

enum class Unit { kCount, kBytes, kShare };

struct ChangedFigure {
  std::string name;
  Unit unit = Unit::kCount;
  std::optional<double> before;  // nothing where the earlier run has no such thing
  std::optional<double> after;   // nothing where the later run has it no more
};

struct ChangeTable {
  std::string title;
  std::vector<ChangedFigure> rows;
};

struct Differences {
  std::vector<std::string> sentences;  // what changed, in words
  std::vector<ChangeTable> tables;
};

// Returns "6.10 MiB", "95.00 %", "12", or "-" where there is none.
[[nodiscard]] std::string value_text(Unit unit, std::optional<double> value);

// Returns "+18.0 %", "-4.90 points" for shares, "new", "gone", or "" where nothing changed.
[[nodiscard]] std::string change_text(const ChangedFigure& figure);

}  // namespace memo::planner
