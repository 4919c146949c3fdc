#include "memomalloc/arena.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/formats/live_page.h"
#include "runtime/formats/plan_format.h"
#include "runtime/pass/arena.h"
#include "runtime/plan/plan_check.h"
#include "runtime/platform/limits.h"
#include "runtime/platform/standard_files.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/serving/statistics.h"

namespace memo::arena {

static_assert(kReasons == runtime::kReasonCount);

namespace {

// Runs before main(), while the three are what the program was started with.
[[gnu::constructor]] void remember_the_start() {
  runtime::remember_standard_files();
}

}  // namespace

bool serve_plan(const char* path) {
  return runtime::serve_plan(path);
}

bool accepts_plan(const void* bytes, std::size_t size, char* why, std::size_t capacity) {
  runtime::PlanFault fault{};
  if (runtime::check_plan({static_cast<const unsigned char*>(bytes), size}, &fault)) return true;
  std::snprintf(why, capacity, "%s", fault.text);
  return false;
}

void pass_begin(std::uint64_t key, const void* frame) {
  runtime::pass_begin(key, frame);
}

void pass_end() {
  runtime::pass_end();
}

bool pass_is_used_up(std::uint64_t site) {
  return runtime::pass_is_used_up(site);
}

void scope_begin(const char* name) {
  runtime::scope_begin(scope_name_hash(name));
}

void scope_end() {
  runtime::scope_end();
}

void* allocate(std::size_t size, std::size_t alignment, std::uint64_t site) {
  return runtime::allocate_aligned(size, alignment, site);
}

bool release(void* block) {
  return runtime::release(block);
}

std::size_t usable_size(const void* block) {
  return runtime::usable_size(block);
}

Figures figures() {
  const runtime::PassFigures passes = runtime::look_at_passes();
  Figures result{.passes = passes.passes,
                 .served = passes.served,
                 .served_bytes = passes.served_bytes,
                 .searched = passes.searched,
                 .missed = passes.missed,
                 .missed_bytes = passes.fallback_bytes,
                 .kept_bytes = passes.kept_bytes,
                 .missed_for = {}};
  std::copy(std::begin(passes.fallback), std::end(passes.fallback), result.missed_for);
  return result;
}

const char* reason_name(unsigned reason) {
  return runtime::reason_name(reason);
}

std::size_t statistics_json(char* out, std::size_t capacity) {
  runtime::end_passes_of_ended_threads();
  return runtime::statistics_json(out, capacity, nullptr);
}

std::size_t statistics_of_live_page(const void* page, std::size_t bytes, char* out, std::size_t capacity) {
  const auto& live = *static_cast<const LivePage*>(page);
  if (bytes < sizeof(LivePage) || std::memcmp(live.magic, kLiveMagic, sizeof live.magic) != 0) return 0;
  if (live.version != kLiveVersion || live.bytes != sizeof(LivePage)) return 0;
  return runtime::statistics_json(live, out, capacity);
}

std::uint64_t room_in_groups(const char* own, const char* all) {
  return runtime::room_in_groups({.own = own, .all = all});
}

}  // namespace memo::arena
