// ONNX Runtime: every Run is a pass, keyed by the shapes of its inputs.
//
// The library exports OrtGetApiBase alone, which leads to a table of functions. The entries for Run and RunWithBinding
// are replaced in that table, in place, when the library is loaded. Two other ways were considered:
//   - Exporting an OrtGetApiBase of our own that hands out a changed copy. A program that opens the library and asks
//     that handle for the symbol, as C# and many bindings do, never comes by it; the real one cannot be found from here
//     where the library was opened RTLD_LOCAL, as node's is, nor be told from another version's loaded beside it; and
//     programs that look for the name to see whether ONNX Runtime is there would find it always.
//   - Hooking the slots through which OrtGetApiBase is called. C++ programs may keep the table in a global object: they
//     call while dlopen runs their constructors, before anybody can have patched a slot.
// The table itself is one constant for all versions of the interface: whoever asked, whenever and however, sees the
// change. It is made at the thread's first allocation after dlopen has returned; a session allocates when it is made, so
// that is in time for its first run.
//
// RunAsync is not wrapped: the pass runs on a thread of the runtime's pool, and nothing says there that it begins.
#pragma once

#include "preload/platform/elf_object.h"

namespace memo::guest {

// Notes the object if it is a runtime, again and again if need be. To be called for every object that is loaded.
void note_onnxruntime(const ElfObject& object);

[[nodiscard]] bool onnxruntimes_are_noted();

// Changes the tables of the runtimes noted since the last call. Calls into them, and so must not run inside a walk of
// the loaded objects. One thread at a time.
void wrap_noted_onnxruntimes();

}  // namespace memo::guest
