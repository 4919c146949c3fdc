#include "memo_allocator.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>
#include <c10/core/CPUAllocator.h>
#include <memomalloc/optional.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string_view>
#include <vector>

namespace {

using Name = memo::tagged_ptr<void>;

// The alignment that vector instructions like, the same as that of PyTorch's own allocator. The room in front of a block, where
// the name stands, has as many bytes.
constexpr std::size_t kAlignment = 64;

// While MemoMalloc profiles, its own name for the block; else one of ours, which is as good for telling blocks apart.
Name make_name(void* block) {
  static std::atomic<std::uint16_t> next{1};
  memo_allocation known;
  if (memo_identify != nullptr && memo_identify(block, &known) != 0) return Name(known.tagged);
  return Name(block, next.fetch_add(1, std::memory_order_relaxed));
}

void free_named(void* data) {
  if (data != nullptr) std::free(static_cast<char*>(data) - kAlignment);
}

MemoAllocator g_allocator;

using Blocks = std::vector<const void*>;

// Adds where the tensors lie that a value is or contains. A view lies in the block of what it is a view of.
void add_blocks(const c10::IValue& value, Blocks& blocks) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    if (tensor.defined() && tensor.has_storage()) blocks.push_back(tensor.storage().data_ptr().get());
  } else if (value.isList()) {
    for (const c10::IValue& one : value.toListRef()) add_blocks(one, blocks);
  }
}

bool is_changed(const c10::Argument& argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

// What an operator was given. Its own list of inputs holds the answers once it has run.
struct Inputs final : at::ObserverContext {
  std::vector<c10::IValue> values;
};

// Tells which blocks an operator has read and written, as its schema says it: it writes the arguments that it changes, and the
// answers that are no views.
void tell_data_flow(const at::RecordFunction& operation, const std::vector<c10::IValue>& inputs) {
  const auto name = operation.operator_name();
  const auto known = name ? c10::Dispatcher::singleton().findSchema(*name) : c10::nullopt;
  if (!known) return;
  const c10::FunctionSchema& schema = known->schema();
  Blocks blocks;
  for (const c10::IValue& value : inputs) add_blocks(value, blocks);
  const std::size_t reads = blocks.size();
  for (std::size_t i = 0; i < inputs.size() && i < schema.arguments().size(); ++i)
    if (is_changed(schema.arguments()[i])) add_blocks(inputs[i], blocks);
  const std::vector<c10::IValue>& answers = operation.outputs();
  for (std::size_t i = 0; i < answers.size() && i < schema.returns().size(); ++i)
    if (schema.returns()[i].alias_info() == nullptr) add_blocks(answers[i], blocks);
  if (blocks.size() > reads)
    memo_try_data_flow(operation.name(), blocks.data(), reads, blocks.size() - reads);
}

bool wants_data_flow() {
  const char* wanted = std::getenv("MEMOMALLOC_DATA_FLOW");
  return wanted != nullptr && std::string_view(wanted) == "1";
}

thread_local int t_operators = 0;  // around the calling thread

// The outermost operators are the nodes of the graph: those that the network's author wrote.
std::unique_ptr<at::ObserverContext> operator_begins(const at::RecordFunction& operation) {
  static const bool wanted = wants_data_flow();
  memo_try_scope_begin(operation.name());
  if (++t_operators > 1 || !wanted) return nullptr;
  auto given = std::make_unique<Inputs>();
  given->values.assign(operation.inputs().begin(), operation.inputs().end());
  return given;
}

void operator_ends(const at::RecordFunction& operation, at::ObserverContext* context) {
  --t_operators;
  if (const auto* given = static_cast<const Inputs*>(context)) tell_data_flow(operation, given->values);
  memo_try_scope_end();
}

}  // namespace

c10::DataPtr MemoAllocator::allocate(std::size_t bytes) const {
  const c10::Device cpu(c10::DeviceType::CPU);
  if (bytes == 0) return {nullptr, cpu};
  void* block = nullptr;
  if (posix_memalign(&block, kAlignment, kAlignment + bytes) != 0) throw std::bad_alloc();
  *static_cast<Name*>(block) = make_name(block);
  void* data = static_cast<char*>(block) + kAlignment;
  return {data, data, &free_named, cpu};
}

c10::DeleterFnPtr MemoAllocator::raw_deleter() const {
  return &free_named;
}

void use_memo_allocator() {
  constexpr std::uint8_t kBeforeTheDefault = 1;
  c10::SetCPUAllocator(&g_allocator, kBeforeTheDefault);
}

OperatorScopes::OperatorScopes()
    : handle_(at::addThreadLocalCallback(at::RecordFunctionCallback(operator_begins, operator_ends)
                                             .needsInputs(true)
                                             .needsOutputs(true)
                                             .scopes({at::RecordScope::FUNCTION}))) {}

OperatorScopes::~OperatorScopes() {
  at::removeCallback(handle_);
}

Pass::Pass(std::uint64_t key) {
  if (memo_pass_begin != nullptr) memo_pass_begin(key);
}

Pass::~Pass() {
  if (memo_pass_end != nullptr) memo_pass_end();
}

std::uint64_t key_of(const at::Tensor& images) {
  std::uint64_t key = 0x9e3779b97f4a7c15;
  for (const std::int64_t length : images.sizes())
    key = (key ^ static_cast<std::uint64_t>(length)) * 0x100000001b3;
  return key | 1;
}

memo::tagged_ptr<void> name_of(const at::Tensor& tensor) {
  const c10::DataPtr& block = tensor.storage().data_ptr();
  if (block.get_deleter() != &free_named) return nullptr;
  return *reinterpret_cast<const Name*>(static_cast<const char*>(block.get()) - kAlignment);
}
