// Stands for the preloaded library: writes down each mark, in order, to the file that MARKS names.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void note(const char* what, const char* about) {
  char line[256];
  const int length = snprintf(line, sizeof line, "%s%s\n", what, about);
  const int file = open(getenv("MARKS"), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0 || write(file, line, (size_t)length) != length) abort();
  close(file);
}

void memo_pass_begin(uint64_t key) {
  char text[32];
  snprintf(text, sizeof text, "pass %llx", (unsigned long long)key);
  note(text, "");
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

size_t memo_release(void) {
  note("release", "");
  return 4096;
}

size_t memo_stats_json(char* out, size_t capacity) {
  return (size_t)snprintf(out, capacity, "{\"state\": \"serving\", \"long\": \"%070000d\"}", 0);
}
