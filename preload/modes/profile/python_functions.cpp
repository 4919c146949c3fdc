#include "preload/modes/profile/python_functions.h"

#include "preload/modes/profile/numbered_once.h"
#include "preload/modes/profile/python_text.h"
#include "preload/modes/profile/trace_file.h"
#include "preload/platform/decimal.h"
#include "runtime/formats/trace_format.h"
#include "runtime/platform/spare_stack.h"

namespace memo::guest {
namespace {

NumberedOnce<1U << 17> g_functions;

struct Function {
  const char* name;
  const char* file;
  int line;
};

bool read_function(const PythonInterpreter& interpreter, const PythonMemory& memory, const char* object,
                   Function& function) {
  constexpr std::size_t kHead = 136;  // bytes; the fields that are read lie in them
  char head[kHead];
  if (!memory.copy(object, head, sizeof head)) return false;
  if (PythonMemory::field<const void*>(head, kObjectType) != interpreter.code_type) return false;
  const PythonLayout& layout = *interpreter.layout;
  function = {PythonMemory::field<const char*>(head, layout.code_name),
              PythonMemory::field<const char*>(head, layout.code_file),
              PythonMemory::field<int>(head, layout.code_line)};
  return true;
}

// Tells functions apart without reading their texts. A function may get the place of one that is gone, and the places of its
// name and of its file: then Python's hash of the name is another one.
std::uint64_t hash_of(const char* code, const Function& function, std::uint64_t name_hash,
                      std::uint32_t file) {
  const std::uint64_t words[] = {reinterpret_cast<std::uint64_t>(code), name_hash,
                                 reinterpret_cast<std::uint64_t>(function.file),
                                 static_cast<std::uint64_t>(function.line)};
  return trace::checksum_words(file, words, sizeof words) | 1;
}

void write_function(const PythonInterpreter& interpreter, const PythonMemory& memory,
                    const Function& function, std::uint32_t number, TraceFile& file) {
  struct {
    trace::NameRecord record;
    PythonText text;
  } block{};
  block.text.append_string(interpreter, memory, function.name);
  block.text.append(" (");
  block.text.append_string(interpreter, memory, function.file);
  block.text.append(":");
  block.text.append(Decimal(function.line < 0 ? 0 : static_cast<unsigned long>(function.line)).text());
  block.text.append(")");
  const std::size_t bytes = block.text.length();
  block.record = {number, static_cast<std::uint32_t>(bytes)};
  file.append(trace::BlockKind::kFunctions, 0, 0, 0, &block, sizeof block.record + trace::padded(bytes));
}

}  // namespace

bool number_python_function(const PythonInterpreter& interpreter, const PythonMemory& memory,
                            const char* object, TraceFile& file, std::uint32_t& number) {
  Function function;
  PythonString name;
  if (!read_function(interpreter, memory, object, function)) return false;
  if (!read_python_string(interpreter, memory, function.name, name)) return false;
  bool fresh = false;
  number = g_functions.number_of(hash_of(object, function, name.hash, file.number()), fresh);
  if (fresh) runtime::on_spare_stack([&] { write_function(interpreter, memory, function, number, file); });
  return true;
}

}  // namespace memo::guest
