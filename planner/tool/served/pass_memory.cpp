#include "planner/tool/served/pass_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "planner/tool/text/numbers.h"
#include "runtime/formats/memory_buckets.h"

namespace memo::planner {
namespace {

using Json = nlohmann::ordered_json;

struct PassMemory {
  std::array<std::uint64_t, kMemoryBuckets> buckets{};
  std::uint64_t passes = 0;
  std::uint64_t sum = 0;
  std::uint64_t most = 0;
};

std::string name_of(std::uint32_t bucket) {
  return bucket + 1 == kMemoryBuckets ? "more" : std::to_string(memory_bound_of(bucket));
}

// Returns the number of this name; 0 where there is none, since the file may be of any program.
std::uint64_t number_in(const Json& object, const std::string& name) {
  if (!object.is_object()) return 0;
  const auto found = object.find(name);
  return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

PassMemory read(const Json& statistics) {
  PassMemory memory;
  const auto part = statistics.find("pass_memory");
  if (part == statistics.end() || !part->is_object()) return memory;
  memory.sum = number_in(*part, "sum");
  memory.most = number_in(*part, "most");
  const auto counts = part->find("up_to");
  for (std::uint32_t bucket = 0; counts != part->end() && bucket < kMemoryBuckets; ++bucket) {
    memory.buckets[bucket] = number_in(*counts, name_of(bucket));
    memory.passes += memory.buckets[bucket];
  }
  return memory;
}

Json written(const PassMemory& memory) {
  Json counts = Json::object();
  for (std::uint32_t bucket = 0; bucket < kMemoryBuckets; ++bucket)
    if (memory.buckets[bucket] != 0) counts[name_of(bucket)] = memory.buckets[bucket];
  return {{"sum", memory.sum}, {"most", memory.most}, {"up_to", counts}};
}

std::uint64_t less(std::uint64_t later, std::uint64_t earlier) {
  return later - std::min(earlier, later);
}

std::string buckets_for_prometheus(const PassMemory& memory, const std::string& labels) {
  std::string text;
  std::uint64_t passes = 0;
  for (std::uint32_t bucket = 0; bucket < kMemoryBuckets; ++bucket) {
    passes += memory.buckets[bucket];
    const std::string bound = bucket + 1 == kMemoryBuckets ? "+Inf" : name_of(bucket);
    text += fmt::format("memomalloc_pass_memory_bytes_bucket{{{},le=\"{}\"}} {}\n", labels, bound, passes);
  }
  return text;
}

}  // namespace

// The most is measured less often than passes are counted, so that the mean may be ahead of it.
std::string describe_pass_memory(const Json& statistics) {
  const PassMemory memory = read(statistics);
  if (memory.passes == 0) return "";
  const std::uint64_t mean = memory.sum / memory.passes;
  const std::uint64_t most = std::max(memory.most, mean);
  return fmt::format("a request takes {} (most: {})", human_bytes(static_cast<Bytes>(mean)),
                     human_bytes(static_cast<Bytes>(most)));
}

std::string pass_memory_for_prometheus(const Json& statistics, const std::string& labels) {
  const PassMemory memory = read(statistics);
  if (memory.passes == 0) return "";
  return fmt::format(
      "# HELP memomalloc_pass_memory_bytes The most that a pass on a lane may have held at once\n"
      "# TYPE memomalloc_pass_memory_bytes histogram\n{1}"
      "memomalloc_pass_memory_bytes_sum{{{0}}} {2}\nmemomalloc_pass_memory_bytes_count{{{0}}} {3}\n"
      "# HELP memomalloc_pass_memory_most_bytes The greatest of these\n"
      "# TYPE memomalloc_pass_memory_most_bytes gauge\nmemomalloc_pass_memory_most_bytes{{{0}}} {4}\n",
      labels, buckets_for_prometheus(memory, labels), memory.sum, memory.passes, memory.most);
}

void take_pass_memory_before(const Json& earlier, Json& since) {
  PassMemory memory = read(since);
  if (memory.passes == 0) return;
  const PassMemory before = read(earlier);
  memory.sum = less(memory.sum, before.sum);
  for (std::uint32_t bucket = 0; bucket < kMemoryBuckets; ++bucket)
    memory.buckets[bucket] = less(memory.buckets[bucket], before.buckets[bucket]);
  since["pass_memory"] = written(memory);
}

}  // namespace memo::planner
