// onnxruntime_infer PASSES|asked LIBRARY MODEL.onnx [malloc|tensors]: runs a model of 1 x 3 x 64 x 64 pixels on ONNX Runtime by its C
// interface, pass after pass, and prints one JSON object: a digest of every answer. With "asked" in the number's place it
// makes a pass for each line of its input, and answers with the digest of that. With the word malloc the session has no
// memory arena. With tensors it has no memory pattern either, so that it asks for each tensor by itself.
//
// LIBRARY is a libonnxruntime.so, such as the one in the Python package, which comes without a header. The interface is a
// table of functions that only ever grows at its end, so the few that are called here are named by their place in it.
#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct ApiBase {
  void* const* (*table)(std::uint32_t version);
  const char* (*version_string)();
};

enum Entry {
  kGetErrorMessage = 2,
  kCreateEnv = 3,
  kCreateSession = 7,
  kRun = 9,
  kCreateSessionOptions = 10,
  kDisableMemPattern = 17,
  kDisableCpuMemArena = 19,
  kSetIntraOpNumThreads = 24,
  kSessionGetInputName = 36,
  kSessionGetOutputName = 37,
  kCreateTensorWithData = 49,
  kGetTensorMutableData = 51,
  kGetTensorShapeElementCount = 64,
  kGetTensorTypeAndShape = 65,
  kCreateCpuMemoryInfo = 69,
  kGetDefaultAllocator = 78,
  kReleaseValue = 96,
  kReleaseTensorTypeAndShape = 99,
};

using Handle = void*;
void* const* g_table = nullptr;

// Returns the table of the library, which stays loaded.
void* const* load_table(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void* base = library == nullptr ? nullptr : dlsym(library, "OrtGetApiBase");
  if (base == nullptr) {
    std::fprintf(stderr, "onnxruntime_infer: %s\n", dlerror());
    std::exit(1);
  }
  return reinterpret_cast<const ApiBase* (*)()>(base)()->table(1);
}

template <typename Result, typename... Arguments>
Result call(Entry entry, Arguments... arguments) {
  return reinterpret_cast<Result (*)(Arguments...)>(g_table[entry])(arguments...);
}

// Calls a function that returns a status, which is null for success.
template <typename... Arguments>
void require(Entry entry, Arguments... arguments) {
  Handle status = call<Handle>(entry, arguments...);
  if (status == nullptr) return;
  std::fprintf(stderr, "onnxruntime_infer: %s\n",
               call<const char*>(kGetErrorMessage, static_cast<const void*>(status)));
  std::exit(1);
}

class Session {
 public:
  Session(const char* model, bool arena, bool pattern) {
    constexpr int kWarning = 2;
    Handle environment = nullptr;
    Handle options = nullptr;
    require(kCreateEnv, kWarning, "onnxruntime_infer", &environment);
    require(kCreateSessionOptions, &options);
    require(kSetIntraOpNumThreads, options, 1);
    if (!arena) require(kDisableCpuMemArena, options);
    if (!pattern) require(kDisableMemPattern, options);
    require(kCreateSession, environment, model, options, &session_);
    Handle allocator = nullptr;
    require(kGetDefaultAllocator, &allocator);
    require(kSessionGetInputName, session_, std::size_t{0}, allocator, &input_name_);
    require(kSessionGetOutputName, session_, std::size_t{0}, allocator, &output_name_);
    require(kCreateCpuMemoryInfo, 1, 0, &memory_);
  }

  // Returns the bytes of the first output, of which each element has four.
  std::string run(std::vector<float> image) {
    static constexpr std::array<std::int64_t, 4> kShape = {1, 3, 64, 64};
    constexpr int kFloat = 1;
    Handle input = nullptr;
    Handle output = nullptr;
    require(kCreateTensorWithData, memory_, image.data(), image.size() * sizeof(float), kShape.data(),
            kShape.size(), kFloat, &input);
    require(kRun, session_, Handle{nullptr}, &input_name_, &input, std::size_t{1}, &output_name_,
            std::size_t{1}, &output);
    std::string bytes = bytes_of(output);
    call<void>(kReleaseValue, input);
    call<void>(kReleaseValue, output);
    return bytes;
  }

 private:
  static std::string bytes_of(Handle tensor) {
    Handle shape = nullptr;
    std::size_t elements = 0;
    void* data = nullptr;
    require(kGetTensorTypeAndShape, tensor, &shape);
    require(kGetTensorShapeElementCount, shape, &elements);
    require(kGetTensorMutableData, tensor, &data);
    call<void>(kReleaseTensorTypeAndShape, shape);
    return {static_cast<const char*>(data), elements * sizeof(float)};
  }

  Handle session_ = nullptr;
  Handle memory_ = nullptr;
  char* input_name_ = nullptr;
  char* output_name_ = nullptr;
};

// FNV-1a.
class Digest {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  [[nodiscard]] unsigned long long value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

class Images {
 public:
  std::vector<float> next() {
    std::vector<float> image(std::size_t{3} * 64 * 64);
    for (float& value : image) value = pixel_(random_);
    return image;
  }

 private:
  std::mt19937 random_{1};
  std::uniform_real_distribution<float> pixel_{0, 1};
};

void make_passes(Session& session, int passes) {
  Images images;
  Digest digest;
  for (int pass = 0; pass < passes; ++pass) digest.add(session.run(images.next()));
  std::printf("{\"answer\": \"%016llx\"}\n", digest.value());
}

void answer_lines(Session& session) {
  Images images;
  for (std::string line; std::getline(std::cin, line);) {
    Digest digest;
    digest.add(session.run(images.next()));
    std::printf("%016llx\n", digest.value());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: onnxruntime_infer PASSES|asked LIBRARY MODEL.onnx [malloc|tensors]\n");
    return 2;
  }
  g_table = load_table(argv[2]);
  const std::string_view memory = argc < 5 ? "" : argv[4];
  Session session(argv[3], memory.empty(), memory != "tensors");
  if (std::strcmp(argv[1], "asked") == 0)
    answer_lines(session);
  else
    make_passes(session, std::atoi(argv[1]));
}
