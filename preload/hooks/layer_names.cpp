#include "preload/hooks/layer_names.h"

#include <cstring>

#include "preload/boundaries/names.h"
#include "preload/platform/platform.h"
#include "runtime/formats/hash.h"

namespace memo::guest {
namespace {

constexpr std::size_t kLongestName = 250;

// How a LayerData begins. A std::string and the cv::String of OpenCV 3 both begin with these two words.
struct LayerData {
  int id;
  const char* name;
  std::size_t length;
};

// Layers whose names the kernel could read, each at a place by its hash: a system call for each layer of each pass would
// cost as much as a small layer.
constexpr std::size_t kRemembered = 4096;
std::uint64_t g_readable[kRemembered];

bool is_readable(const LayerData& layer) {
  char name[kLongestName];
  const std::uint64_t print = mixed(mixed(layer.length, reinterpret_cast<std::uintptr_t>(layer.name)),
                                    reinterpret_cast<std::uintptr_t>(&layer));
  std::uint64_t& place = g_readable[print % kRemembered];
  if (__atomic_load_n(&place, __ATOMIC_RELAXED) == print) return true;
  if (!platform::read_carefully(layer.name, name, layer.length)) return false;
  __atomic_store_n(&place, print, __ATOMIC_RELAXED);
  return true;
}

}  // namespace

const BoundaryName* layer_label(const void* data) {
  const auto& layer = *static_cast<const LayerData*>(data);
  if (layer.length == 0 || layer.length > kLongestName || !is_readable(layer)) return nullptr;
  char label[kLongestName + 3] = "[";
  std::memcpy(label + 1, layer.name, layer.length);
  std::memcpy(label + 1 + layer.length, "]", 2);
  return intern_name(label);
}

}  // namespace memo::guest
