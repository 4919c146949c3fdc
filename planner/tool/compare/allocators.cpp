#include "planner/tool/compare/allocators.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "runtime/formats/guest_options.h"

namespace memo::compare {
namespace {

// "jemalloc-bare" has one arena and no thread caches, and so shows what several arenas and the caches are
// worth. "jemalloc-our-conf" has the settings that are compiled into libmemomalloc.so. "jemalloc-thesis" has the
// settings of the thesis that this project implements. The tuned allocators keep their memory: they do not
// purge, do not trim, and do not map large blocks one by one.
constexpr Allocator kAllocators[] = {
    {"glibc", "", "", "libc6"},
    {"glibc-tuned", "",
     "GLIBC_TUNABLES=glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=17179869184:glibc.malloc.top_pad=16777216",
     "libc6"},
    {"jemalloc", "libjemalloc.so.2", "", "libjemalloc2"},
    {"jemalloc-thesis", "libjemalloc.so.2", "MALLOC_CONF=oversize_threshold:1048576", "libjemalloc2"},
    {"jemalloc-tuned", "libjemalloc.so.2",
     "MALLOC_CONF=dirty_decay_ms:-1,muzzy_decay_ms:-1,oversize_threshold:0", "libjemalloc2"},
    {"jemalloc-bare", "libjemalloc.so.2", "MALLOC_CONF=narenas:1,tcache:false", "libjemalloc2", false},
    {"jemalloc-our-conf", "libjemalloc.so.2",
     "MALLOC_CONF=oversize_threshold:0,dirty_decay_ms:-1,muzzy_decay_ms:-1,lg_extent_max_active_fit:8",
     "libjemalloc2", false},
    {"tcmalloc", "libtcmalloc_minimal.so.4", "", "libtcmalloc-minimal4"},
    {"tcmalloc-tuned", "libtcmalloc_minimal.so.4",
     "TCMALLOC_RELEASE_RATE=0 TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES=268435456", "libtcmalloc-minimal4"},
    {"mimalloc", "libmimalloc.so.2", "", "libmimalloc2.0"},
    {"mimalloc-tuned", "libmimalloc.so.2", "MIMALLOC_ALLOW_DECOMMIT=0 MIMALLOC_PAGE_RESET=0",
     "libmimalloc2.0"},
    {kOff, kOurs, "MEMOMALLOC_MODE=off", "memomalloc"},
    {kServe, kOurs, "MEMOMALLOC_MODE=serve", "memomalloc"},
};

// Returns the variables that would reach some of the allocators and not others, if they came from the user's
// environment.
std::vector<std::string> settings_of_others() {
  std::vector<std::string> names = {"MALLOC_CONF", "GLIBC_TUNABLES"};
  for (const GuestOption& row : kGuestOptions) names.emplace_back(row.variable);
  return names;
}

// Asks the loader for its folders. Loading an allocator to try it is no option: this process must not contain
// it.
std::vector<std::filesystem::path> loader_folders() {
  std::vector<std::filesystem::path> folders;
  void* program = dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo header{};
  if (program == nullptr || dlinfo(program, RTLD_DI_SERINFOSIZE, &header) != 0) return folders;
  std::vector<std::max_align_t> memory(header.dls_size / sizeof(std::max_align_t) + 1);
  auto* found = reinterpret_cast<Dl_serinfo*>(memory.data());
  if (dlinfo(program, RTLD_DI_SERINFOSIZE, found) != 0 || dlinfo(program, RTLD_DI_SERINFO, found) != 0)
    return folders;
  for (unsigned int i = 0; i < found->dls_cnt; ++i) folders.emplace_back(found->dls_serpath[i].dls_name);
  return folders;
}

}  // namespace

std::span<const Allocator> all_allocators() {
  return kAllocators;
}

std::vector<Allocator> allocators_named(const std::vector<std::string>& names) {
  std::vector<Allocator> chosen;
  for (const Allocator& row : kAllocators) {
    if (std::ranges::find(names, row.name) != names.end()) chosen.push_back(row);
  }
  for (const std::string& name : names) {
    if (std::ranges::find(kAllocators, name, &Allocator::name) != std::end(kAllocators)) continue;
    std::vector<std::string_view> known;
    for (const Allocator& row : kAllocators) known.push_back(row.name);
    throw std::invalid_argument(
        fmt::format("no allocator \"{}\"; there are {}", name, fmt::join(known, ", ")));
  }
  return chosen;
}

bool is_installed(const Allocator& allocator) {
  if (allocator.library.empty() || allocator.library == kOurs) return true;
  return std::ranges::any_of(loader_folders(), [&](const std::filesystem::path& folder) {
    return std::filesystem::exists(folder / allocator.library);
  });
}

process::Environment settings_of(const Allocator& allocator) {
  process::Environment parsed;
  std::istringstream words{std::string(allocator.settings)};
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    parsed.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return parsed;
}

process::Command under(const Allocator& allocator, const std::vector<std::string>& words) {
  process::Command command{words, settings_of(allocator), settings_of_others(), {}, {}};
  if (allocator.library.empty()) return command;
  const process::Environment injected = process::injection(std::string(allocator.library), command.set);
  command.set.insert(command.set.end(), injected.begin(), injected.end());
  return command;
}

}  // namespace memo::compare
