#include "planner/tool/compare/allocators.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "planner/tool/compare/measured_run.h"
#include "runtime/formats/guest_options.h"

namespace memo::compare {
namespace {

// A library with the package that contains it.
struct Packaged {
  const char* library;
  const char* package;
};

// The peers' libraries, by the names that Debian gives them. Of one allocator the newest comes first.
constexpr Packaged kJemalloc = {"libjemalloc.so.2", "libjemalloc2"};
constexpr Packaged kTcmalloc = {"libtcmalloc_minimal.so.4", "libtcmalloc-minimal4"};
constexpr Packaged kMimalloc[] = {{"libmimalloc.so.3", "libmimalloc3"},
                                  {"libmimalloc.so.2", "libmimalloc2.0"}};

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

bool loader_finds(const std::string& library) {
  if (library.find('/') != std::string::npos) return std::filesystem::exists(library);
  return std::ranges::any_of(loader_folders(), [&](const std::filesystem::path& folder) {
    return std::filesystem::exists(folder / library);
  });
}

// Returns the newest mimalloc that is installed, else the oldest, which Debian 12 has.
const Packaged& newest_mimalloc() {
  const auto* found =
      std::ranges::find_if(kMimalloc, [](const Packaged& one) { return loader_finds(one.library); });
  return found == std::end(kMimalloc) ? *std::prev(std::end(kMimalloc)) : *found;
}

Allocator row(std::string name, const Packaged& packaged, process::Environment settings,
              Compared compared = Compared::kUsually) {
  return {std::move(name), packaged.library, std::move(settings), packaged.package, compared};
}

// Returns the settings of jemalloc in one variable.
process::Environment conf(const char* settings) {
  return {{"MALLOC_CONF", settings}};
}

// "jemalloc-thesis" has the settings of the thesis that this project implements. The tuned allocators keep their
// memory: they do not purge, do not trim, and do not map large blocks one by one. Of mimalloc's settings the first two
// are those of 2.0, the third that of later ones; each ignores what it does not know.
std::vector<Allocator> usual_peers() {
  const Packaged& mimalloc = newest_mimalloc();
  return {
      {"glibc", "", {}, "libc6"},
      {"glibc-tuned",
       "",
       {{"GLIBC_TUNABLES",
         "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=17179869184:glibc.malloc.top_pad=16777216"}},
       "libc6"},
      row("jemalloc", kJemalloc, {}),
      row("jemalloc-thesis", kJemalloc, conf("oversize_threshold:1048576")),
      row("jemalloc-tuned", kJemalloc, conf("dirty_decay_ms:-1,muzzy_decay_ms:-1,oversize_threshold:0")),
      row("tcmalloc", kTcmalloc, {}),
      row("tcmalloc-tuned", kTcmalloc,
          {{"TCMALLOC_RELEASE_RATE", "0"}, {"TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES", "268435456"}}),
      row("mimalloc", mimalloc, {}),
      row("mimalloc-tuned", mimalloc,
          {{"MIMALLOC_ALLOW_DECOMMIT", "0"}, {"MIMALLOC_PAGE_RESET", "0"}, {"MIMALLOC_PURGE_DELAY", "-1"}}),
  };
}

// Returns the settings that processor makers publish for inference. Intel's are those of the launcher of its extension
// for PyTorch, and those of its reference models; AMD's those of zentorch's set-up script; AWS tells PyTorch on Graviton
// to ask for huge pages and to keep more of oneDNN's primitives, and leaves the allocator.
std::vector<Allocator> vendors_settings() {
  static constexpr auto kNamed = Compared::kWhenNamed;
  return {
      row("intel", kJemalloc, conf("oversize_threshold:1,background_thread:true,metadata_thp:auto"), kNamed),
      row("intel-models", kJemalloc,
          conf("oversize_threshold:1,background_thread:true,metadata_thp:auto,dirty_decay_ms:9000000000,"
               "muzzy_decay_ms:9000000000"),
          kNamed),
      row("amd", kJemalloc,
          conf(
              "oversize_threshold:1,background_thread:true,metadata_thp:auto,dirty_decay_ms:-1,muzzy_decay_ms:-1"),
          kNamed),
      {"aws", "", {{"THP_MEM_ALLOC_ENABLE", "1"}, {"LRU_CACHE_CAPACITY", "1024"}}, "libc6", kNamed},
  };
}

// "jemalloc-bare" has one arena and no thread caches, and so shows what several arenas and the caches are
// worth. "jemalloc-our-conf" has the settings that are compiled into libmemomalloc.so, and gives nothing back.
std::vector<Allocator> what_parts_are_worth() {
  static constexpr auto kNamed = Compared::kWhenNamed;
  return {
      row("jemalloc-bare", kJemalloc, conf("narenas:1,tcache:false"), kNamed),
      row("jemalloc-our-conf", kJemalloc,
          conf("oversize_threshold:0,lg_extent_max_active_fit:40,dirty_decay_ms:-1,muzzy_decay_ms:-1"),
          kNamed),
  };
}

std::vector<Allocator> ours() {
  return {{std::string(kOff), std::string(kOurs), {{"MEMOMALLOC_MODE", "off"}}, "memomalloc"},
          {std::string(kServe), std::string(kOurs), {{"MEMOMALLOC_MODE", "serve"}}, "memomalloc"}};
}

std::vector<Allocator> made_table() {
  std::vector<Allocator> table;
  for (const std::vector<Allocator>& part :
       {usual_peers(), vendors_settings(), what_parts_are_worth(), ours()})
    table.insert(table.end(), part.begin(), part.end());
  return table;
}

// Returns true if the variable tunes an allocator, and could reach one of them from the user's environment and not the
// others.
bool tunes_an_allocator(std::string_view name) {
  return name.starts_with("MALLOC_") || name.starts_with("MIMALLOC_") || name.starts_with("TCMALLOC_");
}

std::vector<std::string> settings_of_others() {
  std::vector<std::string> names = {"MALLOC_CONF", "GLIBC_TUNABLES"};
  for (const GuestOption& row : kGuestOptions) names.emplace_back(row.variable);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (tunes_an_allocator(text)) names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

}  // namespace

std::span<const Allocator> all_allocators() {
  static const std::vector<Allocator> table = made_table();
  return table;
}

std::vector<Allocator> allocators_named(const std::vector<std::string>& names) {
  const std::span<const Allocator> table = all_allocators();
  std::vector<Allocator> chosen;
  for (const Allocator& row : table) {
    if (std::ranges::find(names, row.name) != names.end()) chosen.push_back(row);
  }
  for (const std::string& name : names) {
    if (std::ranges::find(table, name, &Allocator::name) != table.end()) continue;
    std::vector<std::string_view> known;
    for (const Allocator& row : table) known.emplace_back(row.name);
    throw std::invalid_argument(
        fmt::format("no allocator \"{}\"; there are {}", name, fmt::join(known, ", ")));
  }
  return chosen;
}

bool is_installed(const Allocator& allocator) {
  return allocator.library.empty() || allocator.library == kOurs || loader_finds(allocator.library);
}

std::string package_of(std::string_view file_name) {
  std::vector<Packaged> known = {kJemalloc, kTcmalloc};
  known.insert(known.end(), std::begin(kMimalloc), std::end(kMimalloc));
  const auto found =
      std::ranges::find_if(known, [&](const Packaged& one) { return file_name.starts_with(one.library); });
  return found == known.end() ? "" : found->package;
}

std::string settings_text(const Allocator& allocator) {
  std::vector<std::string> words;
  for (const auto& [name, value] : allocator.settings) words.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(words, " "));
}

process::Command under(const Allocator& allocator, const std::vector<std::string>& words) {
  process::Command command{words, allocator.settings, settings_of_others(), {}, {}};
  if (allocator.library.empty()) return command;
  const process::Environment injected = process::injection(allocator.library, command.set);
  command.set.insert(command.set.end(), injected.begin(), injected.end());
  return command;
}

std::string preload_failure(const Allocator& allocator, const std::filesystem::path& folder) {
  if (allocator.library.empty() || allocator.library == kOurs) return "";
  process::Command command = under(allocator, {"/bin/true"});
  command.output = folder / "preload.output";
  command.errors = folder / "preload.errors";
  const int status = process::wait_for(process::start(command));
  std::istringstream errors(text_of(command.errors));
  std::string first;
  std::getline(errors, first);
  if (status == 0 && first.find("cannot be preloaded") == std::string::npos) return "";
  return first.empty() ? fmt::format("/bin/true exited with {} under it", status) : first;
}

}  // namespace memo::compare
