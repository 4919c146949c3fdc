/* Declares what the library that stands in for ONNX Runtime and its client agree on. To the wrappers all of it is opaque. */
#ifndef MEMO_TESTS_FAKE_RUNTIME_H
#define MEMO_TESTS_FAKE_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { kResultBytes = 77 };

struct Tensor {
  const int64_t* dimensions; /* NULL: a sequence, which has no shape */
  size_t rank;
};

struct Session {
  const void* expected_options;
  int fails;
  int runs;
  int served_by; /* the version of the runtime whose Run was called last */
};

struct Binding; /* two inputs: "left" and "right" */
struct Status;
struct Info;

typedef void (*Entry)(void);
typedef struct {
  const Entry* (*table)(uint32_t version);
  const char* (*version_string)(void);
} ApiBase;

const ApiBase* OrtGetApiBase(void);

/* Not in the real one: statuses and infos that nobody has released. */
int live_objects(void);

#ifdef __cplusplus
}
#endif

#endif
