// helper_programs REQUESTS: an unmarked server that lets perl work for it, and puts all that perl prints into its answer.
#include <map>
#include <memory>
#include <string>

#include "steady.h"

namespace {

std::string printed_by_perl(int number) {
  const std::string command =
      "perl -e 'my %h; $h{$_ % 997} .= chr(65 + $_ % 26) x 9 for 1 .. 150000; print length(join \",\", values %h), \" " +
      std::to_string(number) + "\"' 2>&1";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  char piece[256];
  while (std::fgets(piece, sizeof piece, pipe.get()) != nullptr) text += piece;
  return text;
}

// As many allocations as a server makes that parses what it was sent.
std::string parsed(int number) {
  std::map<int, std::string> fields;
  for (int i = 0; i < 3000; ++i)
    fields[i * 7919 % 3001] = "a field of the request with number " + std::to_string(number + i);
  return fields.begin()->second;
}

}  // namespace

int main(int, char** argv) {
  Answers answers;
  for (int i = 0; i < std::atoi(argv[1]); ++i) answers.add(parsed(i) + printed_by_perl(i));
  answers.finish();
}
