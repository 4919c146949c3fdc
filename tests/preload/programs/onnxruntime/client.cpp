// client SCENE FOLDER: runs sessions of a library that looks like ONNX Runtime in ways the trace must show. Exits with 0
// where what it can see itself is right.
#include <dlfcn.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/preload/programs/onnxruntime/fake_runtime.h"

namespace {

void require(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "client: not so: %s\n", what);
  std::exit(1);
}
#define REQUIRE(condition) require(condition, #condition)

std::string g_folder;

void* open_library(const std::string& name) {
  void* library = dlopen((g_folder + "/lib" + name + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) std::fprintf(stderr, "client: %s\n", dlerror());
  REQUIRE(library != nullptr);
  return library;
}

template <typename Function>
Function* function_of(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

// The functions of a runtime as a program calls them: through its table.
struct Runtime {
  void* library;
  const Entry* table;

  template <typename Result, typename... Arguments>
  Result call(std::size_t entry, Arguments... arguments) const {
    return reinterpret_cast<Result (*)(Arguments...)>(table[entry])(arguments...);
  }
  [[nodiscard]] int live() const { return function_of<int()>(library, "live_objects")(); }
};

// Opens the runtime as the bindings of other languages do: asks the handle for the symbol.
Runtime open_runtime(const std::string& name) {
  void* library = open_library(name);
  const ApiBase* base = function_of<const ApiBase*()>(library, "OrtGetApiBase")();
  return {library, base->table(1)};
}

// Dimensions of the two inputs: left is 2 × width, right is 5.
struct Inputs {
  explicit Inputs(std::int64_t width) : left_shape{2, width} {}
  std::int64_t left_shape[2];
  std::int64_t right_shape[1] = {5};
  Tensor left{left_shape, 2};
  Tensor right{right_shape, 1};
};

void allocate_outside() {
  void* volatile block = std::malloc(1);
  std::free(block);
}

// Making a session allocates, which is when the library notices that dlopen has returned.
const int g_options = 0;
Session new_session() {
  allocate_outside();
  return {&g_options, 0, 0, 0};
}

Status* run_on(const Runtime& runtime, Session& session, const Tensor& left, const Tensor& right,
               void** result) {
  const char* const names[] = {"left", "right"};
  const Tensor* const inputs[] = {&left, &right};
  const char* const outputs[] = {"sum"};
  const void* options = &g_options;
  return runtime.call<Status*>(9, &session, options, static_cast<const char* const*>(names),
                               static_cast<const Tensor* const*>(inputs), std::size_t{2},
                               static_cast<const char* const*>(outputs), std::size_t{1}, result);
}

void run(const Runtime& runtime, Session& session, std::int64_t width) {
  const Inputs inputs(width);
  void* result = nullptr;
  Status* status = run_on(runtime, session, inputs.left, inputs.right, &result);
  REQUIRE(status == nullptr);
  REQUIRE(result != nullptr);
  std::free(result);
}

// The rights of the page, "r--p" where it can be read only.
std::string rights_of(const void* address) {
  std::ifstream maps("/proc/self/maps");
  std::uintptr_t begin = 0, end = 0;
  char dash = 0;
  std::string rights, rest;
  while (maps >> std::hex >> begin >> dash >> end >> rights && std::getline(maps, rest)) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (at >= begin && at < end) return rights;
  }
  return "not mapped";
}

void scene_shapes() {
  const Runtime runtime = open_runtime("ort_new");
  Session session = new_session();
  for (const std::int64_t width : {3, 3, 4}) {
    run(runtime, session, width);
    allocate_outside();
  }
  REQUIRE(session.runs == 3);
  REQUIRE(rights_of(runtime.table) == "r--p");
}

// The addon has the table from before its library could be looked at.
void scene_addon() {
  void* addon = open_library("ort_addon");
  const Runtime runtime{addon, function_of<const Entry*()>(addon, "table_of_addon")()};
  Session session = new_session();
  run(runtime, session, 3);
}

// Each call reaches the runtime it was meant for, and both read the same shapes.
void scene_two_runtimes() {
  const Runtime newer = open_runtime("ort_new");
  const Runtime older = open_runtime("ort_old");
  Session session = new_session();
  run(newer, session, 3);
  const int by_newer = session.served_by;
  run(older, session, 3);
  REQUIRE(by_newer == 30 && session.served_by == 17);
  REQUIRE(newer.live() == 0 && older.live() == 0);
}

// A binding of a session, with the calls that a program makes on it.
class Bound {
 public:
  Bound(const Runtime& runtime, Session& session) : runtime_(runtime), session_(session) {
    runtime_.call<Status*>(134, &session_, &binding_);
  }
  void bind(const char* name, const Tensor& tensor) {
    REQUIRE(runtime_.call<Status*>(136, binding_, name, &tensor) == nullptr);
  }
  void run() {
    const void* options = &g_options;
    REQUIRE(runtime_.call<Status*>(133, &session_, options, binding_) == nullptr);
  }
  void clear() { runtime_.call<void>(141, binding_); }
  void release() { runtime_.call<void>(135, binding_); }

 private:
  const Runtime& runtime_;
  Session& session_;
  Binding* binding_ = nullptr;
};

void scene_binding() {
  const Runtime runtime = open_runtime("ort_old");
  Session session = new_session();
  const Inputs narrow(3);
  const Inputs wide(4);
  run(runtime, session, 3);
  Bound bound(runtime, session);
  bound.bind("right", narrow.right);
  bound.bind("left", narrow.left);
  bound.run();
  bound.bind("left", wide.left);
  bound.run();
  bound.clear();
  bound.bind("left", narrow.left);
  bound.bind("right", narrow.right);
  bound.run();
  bound.release();
  REQUIRE(session.runs == 4 && runtime.live() == 0);
}

// Each thread has bindings of its own, and shapes of its own.
void scene_threads() {
  const Runtime runtime = open_runtime("ort_new");
  std::vector<std::thread> threads;
  for (std::int64_t number = 1; number <= 8; ++number) {
    threads.emplace_back([&runtime, number] {
      Session session = new_session();
      const Inputs inputs(number);
      for (int i = 0; i < 50; ++i) {
        Bound bound(runtime, session);
        bound.bind("left", inputs.left);
        bound.bind("right", inputs.right);
        bound.run();
        bound.release();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void scene_failing() {
  const Runtime runtime = open_runtime("ort_new");
  const Inputs inputs(3);
  Session session = new_session();
  session.fails = 1;
  void* result = nullptr;
  Status* status = run_on(runtime, session, inputs.left, inputs.right, &result);
  REQUIRE(status != nullptr && result == nullptr);
  REQUIRE(std::strcmp(runtime.call<const char*>(2, status), "as asked") == 0);
  allocate_outside();
  runtime.call<void>(93, status);
  REQUIRE(runtime.live() == 0);
}

void run_a_sequence(const std::string& name) {
  const Runtime runtime = open_runtime(name);
  const Inputs inputs(3);
  const Tensor sequence{nullptr, 0};
  Session session = new_session();
  void* result = nullptr;
  REQUIRE(run_on(runtime, session, sequence, inputs.right, &result) == nullptr);
  REQUIRE(runtime.live() == 0);
  std::free(result);
}

void scene_sequence() {
  run_a_sequence("ort_new");
  run_a_sequence("ort_old");
}

// Unloaded and loaded again, most likely where it was.
void scene_reload() {
  for (int i = 0; i < 12; ++i) {
    const Runtime runtime = open_runtime("ort_new");
    Session session = new_session();
    run(runtime, session, 3);
    REQUIRE(dlclose(runtime.library) == 0);
  }
}

// The library must never come back where it was: what lies there now is kept from the loader.
void scene_reload_elsewhere() {
  for (int i = 0; i < 20; ++i) {
    const Runtime runtime = open_runtime("ort_new");
    Session session = new_session();
    run(runtime, session, 3);
    Dl_info about;
    REQUIRE(dladdr(runtime.table, &about) != 0);
    REQUIRE(dlclose(runtime.library) == 0);
    REQUIRE(mmap(about.dli_fbase, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) ==
            about.dli_fbase);
  }
}

void scene_future() {
  const Runtime runtime = open_runtime("ort_future");
  Session session = new_session();
  run(runtime, session, 3);
}

void scene_hundred() {
  const Runtime runtime = open_runtime("ort_new");
  Session session = new_session();
  for (int i = 0; i < 100; ++i) run(runtime, session, i % 2 == 0 ? 300 : 400);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> scenes = {
      {"shapes", scene_shapes},     {"addon", scene_addon},     {"two-runtimes", scene_two_runtimes},
      {"binding", scene_binding},   {"threads", scene_threads}, {"failing", scene_failing},
      {"sequence", scene_sequence}, {"reload", scene_reload},   {"reload-elsewhere", scene_reload_elsewhere},
      {"future", scene_future},     {"hundred", scene_hundred}};
  if (argc != 3 || scenes.find(argv[1]) == scenes.end()) return 2;
  g_folder = argv[2];
  scenes.at(argv[1])();
  return 0;
}
