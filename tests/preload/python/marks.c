// Stands for the preloaded library: writes down each mark, in order, to the file that MARKS names. Serving stands aside while there
// is a variable ASIDE, and PLANS counts the plans.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void note(const char* what, const char* about) {
  char line[256];
  const int length = snprintf(line, sizeof line, "%s%s\n", what, about);
  const int file = open(getenv("MARKS"), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0 || write(file, line, (size_t)length) != length) abort();
  close(file);
}

int memo_pass_begin(uint64_t key) {
  char text[32];
  snprintf(text, sizeof text, "pass %llx", (unsigned long long)key);
  note(text, "");
  return getenv("ASIDE") == NULL;
}

void memo_pass_end(void) {
  note("end", "");
}

void memo_scope_begin(const char* name) {
  note("scope ", name);
}

void memo_scope_end(void) {
  note("left", "");
}

void memo_data_flow(const char* operation, const void* const* blocks, size_t reads, size_t writes) {
  char text[200] = "";
  for (size_t i = 0; i < reads + writes; ++i) {
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s %lx", i == reads ? " ->" : "",
             (unsigned long)(uintptr_t)blocks[i]);
  }
  note(operation, text);
}

// Tells of a pass while there is a variable PASS: not counted if that is "0".
int memo_last_pass(uint64_t* out) {
  const char* pass = getenv("PASS");
  for (uint64_t at = 0; pass != NULL && at < 5; ++at) out[at] = 100 + at;
  if (pass != NULL) out[5] = strcmp(pass, "0") != 0;
  return pass != NULL;
}

size_t memo_release(void) {
  note("release", "");
  return 4096;
}

size_t memo_stats_json(char* out, size_t capacity) {
  const char* plans = getenv("PLANS");
  return (size_t)snprintf(out, capacity,
                          "{\"state\": \"serving\", \"plans_loaded\": %s, \"long\": \"%070000d\"}",
                          plans == NULL ? "1" : plans, 0);
}
