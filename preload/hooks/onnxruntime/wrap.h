// ONNX Runtime: every Run is a pass, keyed by the shapes of its inputs.
//
// ONNX Runtime exports only OrtGetApiBase, which leads to a table of functions. When ONNX Runtime is loaded,
// MemoMalloc replaces the entries for Run and RunWithBinding in that table, in place. Two other ways were
// considered:
//   - Export our own OrtGetApiBase, which hands out a changed copy of the table. A program that opens ONNX
//     Runtime and asks that handle for the symbol, as C# and many bindings do, never reaches ours. Ours
//     cannot find the real one where the program opened ONNX Runtime RTLD_LOCAL, as node does, and cannot
//     tell it from the one of another version that is loaded as well. And programs that look for the name to
//     see whether ONNX Runtime is there would always find it.
//   - Hook the slots through which programs call OrtGetApiBase. C++ programs may keep the table in a global
//     object: they call while dlopen runs their constructors, before the library can have patched a slot.
// The table itself is one constant for all versions of the interface, so every caller sees the change,
// whenever and however it asked for the table. The library makes the change at the thread's first allocation
// after dlopen has returned. Making a session allocates, so that is in time for the first run of the session.
//
// RunAsync is not wrapped: its pass runs on a thread of ONNX Runtime's pool, and nothing tells there that it
// begins.
#pragma once

#include "preload/platform/elf_object.h"

namespace memo::guest {

// Notes the object if it is an ONNX Runtime; the same object may be noted again. Call this for every object
// that is loaded.
void note_onnxruntime(const ElfObject& object);

[[nodiscard]] bool onnxruntimes_are_noted();

// Changes the tables of the runtimes noted since the last call. Calls into these runtimes, so it must not run
// inside a walk of the loaded objects. Only one thread at a time may call this.
void wrap_noted_onnxruntimes();

}  // namespace memo::guest
