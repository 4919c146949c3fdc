#include "tests/bench/instances.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
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

}  // namespace memo::bench
