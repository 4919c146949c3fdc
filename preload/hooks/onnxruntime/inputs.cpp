#include "preload/hooks/onnxruntime/inputs.h"

#include "runtime/formats/hash.h"
#include "runtime/formats/plan_format.h"

namespace memo::guest::ort {
namespace {

constexpr std::size_t kMostDimensions = 32;

struct Shape {
  const std::int64_t* dimensions;
  std::size_t count;
};

bool succeeded(const Functions& its, Status status) {
  if (status != nullptr) its.release_status(status);
  return status == nullptr;
}

// Reads the shape of a tensor. Since version 24 this is a look into the value. For older versions ONNX
// Runtime makes an object and frees it again: this happens outside the pass, and those versions offer no
// other way.
bool read_shape(const Functions& its, Value value, std::int64_t (&room)[kMostDimensions], Shape& shape) {
  if (its.get_shape_reference != nullptr) {
    int type = 0;
    return succeeded(its, its.get_shape_reference(value, &type, &shape.dimensions, &shape.count));
  }
  void* info = nullptr;
  if (!succeeded(its, its.get_tensor_type_and_shape(value, &info))) return false;
  const bool known = succeeded(its, its.get_dimensions_count(info, &shape.count)) &&
                     shape.count <= kMostDimensions &&
                     succeeded(its, its.get_dimensions(info, room, shape.count));
  shape.dimensions = room;
  its.release_info(info);
  return known;
}

std::uint64_t shape_hash(const Functions& its, Value value) {
  constexpr std::uint64_t kNoTensor = 1;  // hash of a value without a shape, such as a sequence or a map
  std::int64_t room[kMostDimensions];
  Shape shape{nullptr, 0};
  if (value == nullptr || !read_shape(its, value, room, shape)) return kNoTensor;
  std::uint64_t hash = mixed(0, shape.count);
  for (std::size_t i = 0; i < shape.count; ++i) {
    hash = mixed(hash, static_cast<std::uint64_t>(shape.dimensions[i]));
  }
  return hash;
}

// Returns the part of the key for one input. The key is the sum of these parts, so the order of the inputs
// does not matter.
std::uint64_t part_of_key(std::uint64_t name_hash, std::uint64_t shape) {
  return mixed(name_hash, shape);
}

// Turns the sum into a key. Key 0 would mean that there is nothing to tell passes apart by.
std::uint64_t key_from(std::uint64_t sum) {
  return sum == 0 ? 1 : sum;
}

// An input of a binding. The inputs of a binding lie in the window that begins at the hash of its address. An
// input that finds no room there is left out of the key: passes that differ only in its shape then count as
// one kind, which costs speed only.
struct Bound {
  const void* binding;  // null: free
  std::uint64_t name_hash;
  std::uint64_t shape;
};
constexpr std::size_t kMostBound = 1024;
constexpr std::size_t kWindow = 32;
Bound g_bound[kMostBound];

struct Window {
  explicit Window(const void* binding)
      : first(mixed(0, reinterpret_cast<std::uintptr_t>(binding)) % kMostBound) {}
  Bound& operator[](std::size_t i) const { return g_bound[(first + i) % kMostBound]; }
  std::size_t first;
};

// Returns true if the entry belongs to the binding. Other threads add and remove entries of other bindings
// meanwhile, but no other thread changes the entries of this one.
bool belongs_to(const Bound& bound, const void* binding) {
  return __atomic_load_n(&bound.binding, __ATOMIC_RELAXED) == binding;
}

bool claim(Bound& bound, const void* binding) {
  const void* free = nullptr;
  return __atomic_compare_exchange_n(&bound.binding, &free, binding, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED);
}

Bound* place_for(const void* binding, std::uint64_t name_hash) {
  const Window window(binding);
  for (std::size_t i = 0; i < kWindow; ++i) {
    if (belongs_to(window[i], binding) && window[i].name_hash == name_hash) return &window[i];
  }
  for (std::size_t i = 0; i < kWindow; ++i) {
    if (claim(window[i], binding)) return &window[i];
  }
  return nullptr;
}

}  // namespace

std::uint64_t key_of_inputs(const Functions& its, const char* const* names, const Value* values,
                            std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += part_of_key(scope_name_hash(names[i]), shape_hash(its, values[i]));
  }
  return key_from(sum);
}

void remember_bound(const Functions& its, const void* binding, const char* name, Value value) {
  const std::uint64_t name_hash = scope_name_hash(name);
  Bound* place = place_for(binding, name_hash);
  if (place == nullptr) return;
  place->name_hash = name_hash;
  place->shape = shape_hash(its, value);
}

void forget_bound(const void* binding) {
  const Window window(binding);
  for (std::size_t i = 0; i < kWindow; ++i) {
    const void* none = nullptr;
    if (belongs_to(window[i], binding)) __atomic_store(&window[i].binding, &none, __ATOMIC_RELEASE);
  }
}

std::uint64_t key_of_bound(const void* binding) {
  const Window window(binding);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kWindow; ++i) {
    if (belongs_to(window[i], binding)) sum += part_of_key(window[i].name_hash, window[i].shape);
  }
  return key_from(sum);
}

}  // namespace memo::guest::ort
