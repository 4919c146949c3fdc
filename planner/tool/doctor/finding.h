// The result of one examination, and the command that mends what is wrong.
#pragma once

#include <string>
#include <vector>

namespace memo::doctor {

enum class Level {
  kFine,
  kAdvice,  // serving works, but could work better
  kFault,   // serving does not work, or not as the user asked
};

struct Finding {
  Level level;
  std::string about;  // the subject, in two words at most: "huge pages"
  std::string text;
  std::string cure;  // a command to type; "" where nothing needs mending
};
using Findings = std::vector<Finding>;

inline void append(Findings& all, Findings more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace memo::doctor
