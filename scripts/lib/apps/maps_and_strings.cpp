// maps_and_strings ROUNDS: trees and strings that are built, changed and dropped, as programs without passes do.
#include <map>
#include <string>
#include <vector>

#include "steady.h"

int main(int, char** argv) {
  Answers answers;
  Dice dice(1);
  std::map<std::string, std::vector<std::string>> words;
  for (int round = 0; round < std::atoi(argv[1]); ++round) {
    for (int i = 0; i < 20000; ++i) {
      const std::string key = "a key that is too long to be kept inside " + std::to_string(dice.below(30000));
      words[key].push_back(std::string(dice.below(200), 'x') + std::to_string(i));
      if (dice.below(3) == 0) words.erase(words.begin());
    }
    answers.add(words.begin()->first + std::to_string(words.size()));
    if (round % 8 == 7) words.clear();
  }
  answers.finish();
}
