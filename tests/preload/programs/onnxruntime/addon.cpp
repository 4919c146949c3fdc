// A plugin that needs the runtime and asks for its table in a constructor, as C++ programs do whose API object is a
// global: while dlopen is still at work, and through a slot that nobody can have patched yet.
#include "tests/preload/programs/onnxruntime/fake_runtime.h"

namespace {

struct Api {
  const Entry* table = OrtGetApiBase()->table(1);
};
const Api g_api;

}  // namespace

extern "C" const Entry* table_of_addon() {
  return g_api.table;
}
