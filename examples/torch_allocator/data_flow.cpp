#include "data_flow.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>
#include <memomalloc/optional.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

namespace {

using Storages = std::vector<c10::Storage>;

// What an operator got. Kept until it ends, since it may let go of its arguments before.
struct Arguments final : at::ObserverContext {
  Storages all;
  Storages changed;
  std::size_t answers = 0;  // how many the schema names
};

thread_local unsigned t_depth = 0;  // operators inside each other

void add_storages(const c10::IValue& value, Storages& storages) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    if (tensor.defined() && tensor.has_storage()) storages.push_back(tensor.storage());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) add_storages(tensor, storages);
  }
}

bool is_among(const c10::Storage& storage, const Storages& storages) {
  return std::any_of(storages.begin(), storages.end(),
                     [&](const c10::Storage& one) { return one.is_alias_of(storage); });
}

// Returns the last values. Where TorchScript calls an operator, PyTorch shows all that is on the stack, and the operator's own come
// last.
template <typename List>
c10::ArrayRef<const c10::IValue> last_of(const List& values, std::size_t count) {
  const std::size_t taken = std::min(count, values.size());
  return c10::ArrayRef<const c10::IValue>(values.data() + (values.size() - taken), taken);
}

// Collects what an operator is called with. One without a schema is left out: nothing says which values are its own.
std::unique_ptr<at::ObserverContext> operator_begins(const at::RecordFunction& operation) {
  if (t_depth++ > 0) return nullptr;
  const auto schema = operation.operator_schema();
  if (!schema.has_value()) return nullptr;
  auto arguments = std::make_unique<Arguments>();
  arguments->answers = schema->returns().size();
  const auto inputs = last_of(operation.inputs(), schema->arguments().size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    add_storages(inputs[i], arguments->all);
    const c10::AliasInfo* alias = schema->arguments()[i].alias_info();
    if (alias != nullptr && alias->isWrite()) add_storages(inputs[i], arguments->changed);
  }
  return arguments;
}

// Returns what the operator made, or changed.
Storages written_by(const at::RecordFunction& operation, const Arguments& arguments) {
  Storages written = arguments.changed;
  Storages answers;
  for (const c10::IValue& answer : last_of(operation.outputs(), arguments.answers))
    add_storages(answer, answers);
  std::copy_if(answers.begin(), answers.end(), std::back_inserter(written),
               [&](const c10::Storage& one) { return !is_among(one, arguments.all); });
  return written;
}

void operator_ends(const at::RecordFunction& operation, at::ObserverContext* context) {
  if (--t_depth > 0 || context == nullptr) return;
  const auto& arguments = static_cast<const Arguments&>(*context);
  const Storages written = written_by(operation, arguments);
  if (written.empty()) return;
  std::vector<const void*> blocks;
  for (const Storages* storages : {&arguments.all, &written})
    for (const c10::Storage& storage : *storages) blocks.push_back(storage.data());
  memo_try_data_flow(operation.name(), blocks.data(), arguments.all.size(), written.size());
}

}  // namespace

DataFlow::DataFlow()
    : handle_(at::addThreadLocalCallback(at::RecordFunctionCallback(operator_begins, operator_ends)
                                             .needsInputs(true)
                                             .needsOutputs(true)
                                             .scopes({at::RecordScope::FUNCTION}))) {}

DataFlow::~DataFlow() {
  at::removeCallback(handle_);
}
