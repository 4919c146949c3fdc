#include "preload/modes/profile/trace_names.h"

#include <cstring>

#include "preload/modes/profile/trace_file.h"
#include "runtime/platform/spare_stack.h"

namespace memo::guest {
namespace {

constexpr std::uint32_t kMostNames = 1U << 15;
const BoundaryName* g_written[kMostNames];
std::uint64_t g_file_of[kMostNames];  // number + 1 of the file that the name was written to last

[[gnu::cold, gnu::noinline]] void write_name(const BoundaryName& name, TraceFile& file) {
  constexpr std::size_t kLongest = 4096;
  struct {
    trace::NameRecord record;
    char text[kLongest];
  } block{};
  const std::size_t length = strnlen(name.text, kLongest);
  block.record = {name.id, static_cast<std::uint32_t>(length)};
  std::memcpy(block.text, name.text, length);
  file.append(trace::BlockKind::kNames, 0, 0, 0, &block, sizeof block.record + trace::padded(length));
}

}  // namespace

void write_name_once(const BoundaryName& name, TraceFile& file) {
  if (name.id >= kMostNames) return;
  const std::uint64_t its_file = std::uint64_t{file.number()} + 1;
  if (__atomic_load_n(&g_file_of[name.id], __ATOMIC_RELAXED) == its_file) return;
  runtime::on_spare_stack([&] { write_name(name, file); });
  __atomic_store_n(&g_written[name.id], &name, __ATOMIC_RELEASE);
  __atomic_store_n(&g_file_of[name.id], its_file, __ATOMIC_RELAXED);
}

const char* name_text(std::uint32_t id) {
  if (id == 0 || id >= kMostNames) return nullptr;
  const BoundaryName* name = __atomic_load_n(&g_written[id], __ATOMIC_ACQUIRE);
  return name == nullptr ? nullptr : name->text;
}

}  // namespace memo::guest
