#include "tests/bench/instance_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>
#include <stdexcept>

#include "planner/problem/csv.h"

namespace memo::bench {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("cannot read {}", path));
  return {std::istreambuf_iterator<char>(file), {}};
}

void* allocate_and_touch(std::size_t size) {
  constexpr std::size_t kPage = 4096;
  void* block = nullptr;
  if (posix_memalign(&block, 64, size) != 0) throw std::bad_alloc();
  auto* bytes = static_cast<volatile char*>(block);
  for (std::size_t i = 0; i < size; i += kPage) bytes[i] = 1;
  return block;
}

}  // namespace

InstanceEvents read_events(const std::string& path, std::size_t divide) {
  const planner::Instance instance = planner::read_csv(text_of(path), path);
  const std::vector<planner::Buffer>& buffers = instance.problem.buffers;
  InstanceEvents read{buffers.size(), {}};
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::size_t size = std::max<std::size_t>(1, static_cast<std::size_t>(buffers[i].size) / divide);
    read.events.push_back({buffers[i].life.begin, true, i, size});
    read.events.push_back({buffers[i].life.end, false, i, size});
  }
  std::ranges::stable_sort(read.events, [](const Event& a, const Event& b) {
    return a.time != b.time ? a.time < b.time : a.begins < b.begins;
  });
  return read;
}

void follow(const Event& event, std::vector<void*>& blocks) {
  if (event.begins) {
    blocks[event.buffer] = allocate_and_touch(event.size);
  } else {
    std::free(blocks[event.buffer]);
  }
}

void run_pass(const InstanceEvents& pass, std::vector<void*>& blocks) {
  for (const Event& event : pass.events) follow(event, blocks);
}

}  // namespace memo::bench
