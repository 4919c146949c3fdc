#include "tests/bench/instances.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "planner/problem/csv.h"

namespace memo::bench {

std::vector<std::filesystem::path> instances_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::directory_entry& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

planner::Problem read_instance(const std::filesystem::path& file) {
  std::ifstream in(file);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  return planner::read_csv(text, file.string()).problem;
}

planner::Bytes capacity_in_name(const std::filesystem::path& file) {
  const std::string number = file.stem().extension().string();  // ".1048576"
  planner::Bytes capacity = 0;
  if (number.size() > 1) std::from_chars(number.data() + 1, number.data() + number.size(), capacity);
  return capacity;
}

std::vector<planner::Problem> instances_with_capacity(const std::filesystem::path& folder) {
  std::vector<planner::Problem> problems;
  for (const std::filesystem::path& file : instances_below(folder)) {
    const planner::Bytes capacity = capacity_in_name(file);
    if (capacity == 0) continue;
    problems.push_back(read_instance(file));
    problems.back().capacity = capacity;
  }
  if (problems.empty())
    throw std::invalid_argument(
        fmt::format("no instance with a name like A.1048576.csv in \"{}\"", folder.string()));
  return problems;
}

}  // namespace memo::bench
