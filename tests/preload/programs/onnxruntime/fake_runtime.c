/* A library that looks like ONNX Runtime from outside: OrtGetApiBase, and a constant table with the functions at the
 * places where the real one has them. Built as release FAKE_RELEASE of version FAKE_VERSION. */
#include "tests/preload/programs/onnxruntime/fake_runtime.h"
#include "tests/preload/programs/onnxruntime/fake_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Binding {
  const struct Tensor* inputs[2];
};
struct Status {
  const char* words;
};
struct Info {
  const struct Tensor* tensor;
};

static int g_live_objects;

static struct Status* failed(const char* words) {
  struct Status* status = malloc(sizeof *status);
  status->words = words;
  ++g_live_objects;
  return status;
}

static const char* get_error_message(const struct Status* status) {
  return status->words;
}

static void release_status(struct Status* status) {
  --g_live_objects;
  free(status);
}

static size_t bytes_of(const struct Tensor* tensor) {
  size_t bytes = 4;
  for (size_t i = 0; i < tensor->rank; ++i) bytes *= (size_t)tensor->dimensions[i];
  return bytes;
}

static int is(const char* text, const char* expected) {
  return strcmp(text, expected) == 0;
}

static struct Status* run(struct Session* session, const void* options, const char* const* input_names,
                          const struct Tensor* const* inputs, size_t input_count,
                          const char* const* output_names, size_t output_count, void** outputs) {
  session->served_by = FAKE_VERSION;
  ++session->runs;
  if (session->fails) return failed("as asked");
  if (options != session->expected_options || input_count != 2 || !is(input_names[0], "left") ||
      !is(input_names[1], "right") || output_count != 1 || !is(output_names[0], "sum"))
    return failed("an argument is not what it was");
  const size_t bytes[] = {bytes_of(inputs[0]), bytes_of(inputs[1])};
  run_kernels(bytes);
  outputs[0] = malloc(kResultBytes);
  return NULL;
}

static struct Status* run_with_binding(struct Session* session, const void* options,
                                       const struct Binding* binding) {
  session->served_by = FAKE_VERSION;
  ++session->runs;
  if (options != session->expected_options) return failed("an argument is not what it was");
  size_t bytes[2] = {0, 0};
  for (size_t i = 0; i < 2; ++i) {
    if (binding->inputs[i] != NULL) bytes[i] = bytes_of(binding->inputs[i]);
  }
  run_kernels(bytes);
  return NULL;
}

static struct Status* create_io_binding(struct Session* session, struct Binding** out) {
  (void)session;
  *out = calloc(1, sizeof **out);
  return NULL;
}

static struct Status* bind_input(struct Binding* binding, const char* name, const struct Tensor* value) {
  binding->inputs[is(name, "right")] = value;
  return NULL;
}

static void clear_bound_inputs(struct Binding* binding) {
  memset(binding, 0, sizeof *binding);
}

static void release_io_binding(struct Binding* binding) {
  free(binding);
}

static struct Status* get_tensor_type_and_shape(const struct Tensor* value, struct Info** out) {
  if (value->dimensions == NULL) return failed("a sequence has no shape");
  *out = malloc(sizeof **out);
  (*out)->tensor = value;
  ++g_live_objects;
  return NULL;
}

static struct Status* get_dimensions_count(const struct Info* info, size_t* out) {
  *out = info->tensor->rank;
  return NULL;
}

static struct Status* get_dimensions(const struct Info* info, int64_t* out, size_t count) {
  memcpy(out, info->tensor->dimensions, count * sizeof *out);
  return NULL;
}

static void release_info(struct Info* info) {
  --g_live_objects;
  free(info);
}

#if FAKE_VERSION >= 24
static struct Status* get_shape_reference(const struct Tensor* value, int* type, const int64_t** dimensions,
                                          size_t* count) {
  if (value->dimensions == NULL) return failed("a sequence has no shape");
  *type = 1;
  *dimensions = value->dimensions;
  *count = value->rank;
  return NULL;
}
#endif

static const Entry kTable[] = {
    [2] = (Entry)get_error_message,
    [9] = (Entry)run,
    [61] = (Entry)get_dimensions_count,
    [62] = (Entry)get_dimensions,
    [65] = (Entry)get_tensor_type_and_shape,
    [93] = (Entry)release_status,
    [99] = (Entry)release_info,
    [133] = (Entry)run_with_binding,
    [134] = (Entry)create_io_binding,
    [135] = (Entry)release_io_binding,
    [136] = (Entry)bind_input,
    [141] = (Entry)clear_bound_inputs,
#if FAKE_VERSION >= 24
    [414] = (Entry)get_shape_reference,
#endif
};

static const Entry* table(uint32_t version) {
  if (version >= 1 && version <= FAKE_VERSION) return kTable;
  fprintf(stderr, "the requested version %u is not available\n", version);
  return NULL;
}

static const char* version_string(void) {
  return FAKE_RELEASE;
}

const ApiBase* OrtGetApiBase(void) {
  static const ApiBase kBase = {table, version_string};
  return &kBase;
}

int live_objects(void) {
  return g_live_objects;
}
