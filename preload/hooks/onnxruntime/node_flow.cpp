#include "preload/hooks/onnxruntime/node_flow.h"

#include "memomalloc/memomalloc.h"
#include "preload/dispatch/backend.h"
#include "preload/log/log.h"
#include "preload/platform/platform.h"
#include "runtime/formats/hash.h"

namespace memo::guest::ort {
namespace {

// The objects as they lie in memory. A context says where the numbers of its node's values begin in one list of the session; the
// frame of a run has the values themselves:
//
//   context ── frame ── numbers: 0 33 34 35 …     of inputs, then of those that a body uses, then of outputs
//                 └──── values: [tensor] [tensor] …

// An absl::InlinedVector. `mark` is twice the length, and odd where the elements lie elsewhere.
struct List {
  std::size_t mark;
  const void* data;
  std::size_t capacity;

  [[nodiscard]] std::size_t length() const { return mark / 2; }
};

struct Tensor {
  const void* data;
  const void* owner[2];
  std::size_t rank;
  const std::int64_t* sides;
};

struct Value {
  const Tensor* tensor;
  const void* owner;
  const void* type;
};

struct Frame {
  const void* functions;
  const List* numbers;
  List values;
};

struct Context {
  const void* functions;
  const Frame* frame;
  const Kernel* kernel;
  const void* threads;
  const void* logger;
  std::int32_t first_input;
  std::int32_t first_of_body;
  std::int32_t first_output;
};

// A std::vector.
struct Vector {
  std::uintptr_t begin;
  std::uintptr_t end;
  std::uintptr_t room;

  // Returns the number of elements, or -1 if this is no vector.
  [[nodiscard]] std::int64_t length(std::size_t element) const {
    const bool ordered = begin <= end && end <= room && (begin == 0) == (room == 0);
    if (!ordered || begin % element != 0 || (end - begin) % element != 0) return -1;
    return static_cast<std::int64_t>((end - begin) / element);
  }
};

// How a node keeps the definitions of its values, somewhere after its type.
struct Definitions {
  Vector inputs;
  Vector counts;  // of inputs that belong together; numbers of four bytes
  Vector outputs;
  Vector of_body;
};

template <typename T>
bool read(const void* from, T& into) {
  return platform::read_carefully(from, &into, sizeof into);
}

// Returns the element of a list.
template <typename T>
bool read_element(const List& copy, const List* list, std::size_t at, T& into) {
  if (at >= copy.length()) return false;
  const void* first = copy.mark % 2 != 0 ? copy.data : static_cast<const void*>(&list->data);
  return read(static_cast<const T*>(first) + at, into);
}

bool fit(const Definitions& definitions, const Context& context) {
  return definitions.inputs.length(sizeof(void*)) == context.first_of_body - context.first_input &&
         definitions.of_body.length(sizeof(void*)) == context.first_output - context.first_of_body &&
         definitions.counts.length(sizeof(std::int32_t)) >= 0 &&
         definitions.outputs.length(sizeof(void*)) > 0;
}

// Returns how many outputs the node has, or 0 if its layout is unknown. Looks for its definitions word by word: they are where
// the numbers of inputs are those that the context has.
std::int64_t count_outputs(const Node* node, const Context& context) {
  constexpr std::size_t kBegin = sizeof(Node) / sizeof(std::uintptr_t);
  constexpr std::size_t kWords = 48;
  constexpr std::size_t kNeeded = sizeof(Definitions) / sizeof(std::uintptr_t);
  std::uintptr_t words[kWords];
  if (!read(node, words)) return 0;
  for (std::size_t at = kBegin; at + kNeeded <= kWords; ++at) {
    const auto& found = *reinterpret_cast<const Definitions*>(words + at);
    if (fit(found, context)) return found.outputs.length(sizeof(void*));
  }
  return 0;
}

// Sessions that put several tensors into a block, each at a place by the hash of its list of numbers.
constexpr std::size_t kSessions = 64;
const void* g_sharing[kSessions];

const void*& place_of(const void* session) {
  return g_sharing[mixed(0, reinterpret_cast<std::uintptr_t>(session)) % kSessions];
}

bool shares_blocks(const void* session) {
  return __atomic_load_n(&place_of(session), __ATOMIC_RELAXED) == session;
}

void note_sharing(const void* session) {
  __atomic_store_n(&place_of(session), session, __ATOMIC_RELAXED);
  static bool told;
  if (!__atomic_exchange_n(&told, true, __ATOMIC_RELAXED)) {
    log_trouble(
        "an ONNX Runtime session has several tensors in one block: its data flow is not recorded; "
        "--ort-arena off gives each its own");
  }
}

// Returns true if that many elements, of any size that a type has, fill the block but for a little padding.
bool fill(std::uint64_t elements, std::size_t block) {
  constexpr std::uint64_t kLargestElement = 32;  // a text
  constexpr std::uint64_t kPadding = 256;
  for (std::uint64_t element = 1; element <= kLargestElement; element *= 2) {
    if (elements * element <= block && block < elements * element + kPadding) return true;
  }
  return false;
}

bool read_elements(const Tensor& tensor, std::uint64_t& elements) {
  constexpr std::size_t kMostSides = 32;
  std::int64_t sides[kMostSides];
  if (tensor.rank > kMostSides) return false;
  if (!platform::read_carefully(tensor.sides, sides, tensor.rank * sizeof *sides)) return false;
  elements = 1;
  for (const std::int64_t* side = sides; side != sides + tensor.rank; ++side) {
    if (*side < 0 || __builtin_mul_overflow(elements, static_cast<std::uint64_t>(*side), &elements))
      return false;
  }
  return elements < 1ULL << 48;
}

enum class Place { kOwnBlock, kSharedBlock, kUnknown };

// Says where a tensor lies. A block that begins with it may still have others: a block is the tensor's own if it fills it.
Place place_of_tensor(const Tensor& tensor) {
  memo_allocation block;
  if (tensor.data == nullptr || !backend().identify(tensor.data, &block)) return Place::kUnknown;
  std::uint64_t elements = 0;
  const bool alone =
      block.address == tensor.data && read_elements(tensor, elements) && fill(elements, block.size);
  return alone ? Place::kOwnBlock : Place::kSharedBlock;
}

// The values of a run, by their places in the list of numbers.
struct Values {
  Frame frame;
  List numbers;
  const Frame* its_frame;

  // Returns the tensor at a place; one without data where the value is left out, or is no tensor that can be read.
  [[nodiscard]] Tensor tensor(std::size_t at) const {
    std::int32_t number = -1;
    Value value{};
    Tensor found{};
    const bool known =
        read_element(numbers, frame.numbers, at, number) && number >= 0 &&
        read_element(frame.values, &its_frame->values, static_cast<std::size_t>(number), value) &&
        value.tensor != nullptr && read(value.tensor, found);
    return known ? found : Tensor{};
  }
};

// The blocks of a node: those that it reads, then those that it writes.
struct Blocks {
  static constexpr std::size_t kMost = 64;

  // Adds what values `first` to `end` lie in. Returns false if one of them shares its block.
  bool add(const Values& values, std::int64_t first, std::int64_t end) {
    bool shared = false;
    for (std::int64_t at = first; at < end && count < kMost; ++at) {
      const Tensor tensor = values.tensor(static_cast<std::size_t>(at));
      const Place place = place_of_tensor(tensor);
      shared = shared || place == Place::kSharedBlock;
      if (place == Place::kOwnBlock) blocks[count++] = tensor.data;
    }
    return !shared;
  }

  std::size_t count = 0;
  const void* blocks[kMost];
};

bool read_context(const void* pointer, const Kernel& kernel, Context& context) {
  return read(pointer, context) && context.kernel == &kernel && context.first_input >= 0 &&
         context.first_of_body >= context.first_input && context.first_output >= context.first_of_body;
}

bool read_values(const Context& context, Values& values) {
  values.its_frame = context.frame;
  return read(context.frame, values.frame) && read(values.frame.numbers, values.numbers);
}

}  // namespace

void note_node_flow(const Kernel& kernel, const void* pointer, const BoundaryName& label) {
  Context context;
  Values values;
  if (!read_context(pointer, kernel, context) || !read_values(context, values)) return;
  const void* const session = values.frame.numbers;
  const std::int64_t outputs = count_outputs(kernel.info->node, context);
  if (outputs == 0 || shares_blocks(session)) return;
  Blocks blocks;
  blocks.add(values, context.first_input, context.first_output);
  const std::size_t reads = blocks.count;
  if (!blocks.add(values, context.first_output, context.first_output + outputs)) return note_sharing(session);
  backend().note_data_flow(label, blocks.blocks, reads, blocks.count - reads);
}

}  // namespace memo::guest::ort
