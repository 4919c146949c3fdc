#include "preload/hooks/onnxruntime/node.h"

#include <cstring>

#include "preload/boundaries/names.h"
#include "preload/platform/platform.h"
#include "runtime/formats/hash.h"

namespace memo::guest::ort {
namespace {

constexpr std::size_t kLongestName = 250;
constexpr std::size_t kLongestType = 80;

// Kernels whose objects could be read, each at a place by its hash: system calls for each node of each pass would cost as much as
// a small node. Where a kernel has the place of one that is gone, its info lies where that one's did, and can be read as well.
constexpr std::size_t kRemembered = 4096;
std::uint64_t g_readable[kRemembered];

std::uint64_t print_of(const Kernel& kernel) {
  return mixed(reinterpret_cast<std::uintptr_t>(&kernel), reinterpret_cast<std::uintptr_t>(kernel.info));
}

std::uint64_t& place_of(std::uint64_t print) {
  return g_readable[print % kRemembered];
}

bool is_known(const Kernel& kernel) {
  const std::uint64_t print = print_of(kernel);
  return __atomic_load_n(&place_of(print), __ATOMIC_RELAXED) == print;
}

void remember(const Kernel& kernel) {
  const std::uint64_t print = print_of(kernel);
  __atomic_store_n(&place_of(print), print, __ATOMIC_RELAXED);
}

// Reads the objects of a kernel.
struct Reader {
  bool known;  // they can be read

  [[nodiscard]] bool read(const void* from, void* into, std::size_t bytes) const {
    if (!known) return platform::read_carefully(from, into, bytes);
    std::memcpy(into, from, bytes);
    return true;
  }
};

bool is_word(const char* text, std::size_t length) {
  for (const char* at = text; at != text + length; ++at) {
    const char letter = static_cast<char>(*at | 0x20);
    if (!((letter >= 'a' && letter <= 'z') || (*at >= '0' && *at <= '9') || *at == '_')) return false;
  }
  return length != 0;
}

// A node's name and type, copied.
struct NodeTexts {
  std::size_t index;
  std::size_t name_length;
  std::size_t type_length;
  char name[kLongestName];
  char type[kLongestType];
};

bool read_texts(const Reader& reader, const Kernel& kernel, NodeTexts& texts) {
  KernelInfo info;
  const Node* same;
  Node node;
  if (!reader.read(kernel.info, &info, sizeof info) || !reader.read(info.helper, &same, sizeof(void*)) ||
      same != info.node || !reader.read(info.node, &node, sizeof node))
    return false;
  if (node.name.length > kLongestName || node.type.length > kLongestType) return false;
  texts.index = node.index;
  texts.name_length = node.name.length;
  texts.type_length = node.type.length;
  return reader.read(node.name.data, texts.name, texts.name_length) &&
         reader.read(node.type.data, texts.type, texts.type_length) && is_word(texts.type, texts.type_length);
}

bool read_texts(const Kernel& kernel, NodeTexts& texts) {
  const Reader reader{is_known(kernel)};
  if (!read_texts(reader, kernel, texts)) return false;
  if (!reader.known) remember(kernel);
  return true;
}

void append(char*& at, const char* text, std::size_t length) {
  std::memcpy(at, text, length);
  at += length;
}

void append_number(char*& at, std::size_t number) {
  char digits[20];
  char* first = digits + sizeof digits;
  do {
    *--first = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  append(at, first, static_cast<std::size_t>(digits + sizeof digits - first));
}

void append_name(char*& at, const NodeTexts& texts) {
  if (texts.name_length != 0) return append(at, texts.name, texts.name_length);
  append(at, texts.type, texts.type_length);
  append(at, "_", 1);
  append_number(at, texts.index);
}

}  // namespace

const BoundaryName* node_label(const Kernel& kernel) {
  NodeTexts texts;
  if (!read_texts(kernel, texts)) return nullptr;
  char label[kLongestName + kLongestType + sizeof "[ ()]"];
  char* at = label;
  append(at, "[", 1);
  append_name(at, texts);
  append(at, " (", 2);
  append(at, texts.type, texts.type_length);
  append(at, ")]", sizeof ")]");
  return intern_name(label);
}

}  // namespace memo::guest::ort
