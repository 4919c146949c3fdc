#include "preload/modes/profile/modules.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "preload/modes/profile/trace_file.h"
#include "runtime/platform/loaded_object.h"
#include "runtime/platform/loader.h"
#include "runtime/platform/pages.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/platform/try_flag.h"

namespace memo::guest {
namespace {

runtime::LoaderChanges g_changes;  // the loader's counters at the last check
std::uint64_t g_last_hash;         // hash of the picture written last, 0 before the first of a file
std::uint32_t g_file;              // number of the file that g_last_hash is for
constinit runtime::TryFlag g_writing;

// The payload of a block of modules. One block holds some thousand modules; the rest is left out.
struct Picture {
  char* bytes;
  std::size_t capacity;
  std::size_t used;
};

void append(Picture& picture, const void* bytes, std::size_t count) {
  if (count != 0) std::memcpy(picture.bytes + picture.used, bytes, count);
  picture.used += count;
}

// Adds a module to the picture. Returns false if there is no room for it.
bool add_module(Picture& picture, const runtime::LoadedObject& info) {
  const char* path = runtime::path_of(info);
  const std::span<const std::uint8_t> id = runtime::build_id_of(info);
  const runtime::Extent extent = runtime::extent_of(info);
  const trace::ModuleRecord record{extent.begin, extent.end, extent.base,
                                   static_cast<std::uint32_t>(id.size()),
                                   static_cast<std::uint32_t>(std::strlen(path))};
  const std::size_t text = std::size_t{record.build_id_bytes} + record.path_bytes;
  if (picture.used + sizeof record + trace::padded(text) > picture.capacity) return false;
  append(picture, &record, sizeof record);
  append(picture, id.data(), id.size());
  append(picture, path, record.path_bytes);
  picture.used = trace::padded(picture.used);
  return true;
}

// Writes the picture, unless it equals the last one: a module that was loaded and unloaded again changes
// nothing.
void write_picture(TraceFile& file) {
  const std::size_t capacity = trace::kMaxPayload - sizeof(trace::BlockHeader);
  void* memory = runtime::map_pages(capacity);
  if (memory == nullptr) return;
  Picture picture{static_cast<char*>(memory), capacity, 0};
  runtime::for_each_loaded_object(
      [&picture](const runtime::LoadedObject& info) { return !add_module(picture, info); });
  const std::uint64_t hash = trace::checksum_words(trace::kMagic, picture.bytes, picture.used) | 1;
  if (hash != g_last_hash) file.append(trace::BlockKind::kModules, 0, 0, 0, picture.bytes, picture.used);
  g_last_hash = hash;
  runtime::unmap_pages(memory, capacity);
}

}  // namespace

void write_modules_if_changed(TraceFile& file) {
  const TraceFile::Use use(file);
  if (!use.may_write()) return;
  const runtime::HeldFlag writing(g_writing);
  if (!writing.is_mine()) return;
  if (g_file != file.number()) g_last_hash = 0;
  g_file = file.number();
  const runtime::LoaderChanges now = runtime::loader_changes();
  if (g_last_hash == 0 || now != g_changes) runtime::on_spare_stack([&] { write_picture(file); });
  g_changes = now;
}

void write_build_id_of_program(char* out, std::size_t capacity) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::span<const std::uint8_t> id;
  runtime::for_each_loaded_object([&id](const runtime::LoadedObject& program) {
    id = runtime::build_id_of(program);
    return true;
  });
  for (const std::uint8_t byte : id.first(std::min(id.size(), capacity > 2 ? (capacity - 1) / 2 : 0))) {
    *out++ = kDigits[byte >> 4];
    *out++ = kDigits[byte & 15];
  }
  *out = '\0';
}

void let_modules_be_written() {
  g_writing.give_up_in_copy();
}

}  // namespace memo::guest
