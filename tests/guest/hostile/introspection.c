/* What programs ask about the heap: mallinfo and mallinfo2 count what is in use, malloc_trim(0) gives idle
 * memory back to the kernel, malloc_info writes XML, mallopt takes its hints. Failure: figures that do not
 * follow what the program does, resident memory that stays after a trim, or a crash. */
#include "hostile.h"

enum { kBlocks = 2000 };
static const size_t kSize = 50000;

static long resident_pages(void) {
  long total = 0;
  long resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  EXPECT(file != NULL && fscanf(file, "%ld %ld", &total, &resident) == 2);
  fclose(file);
  return resident;
}

static void hold_and_release(void) {
  static void* blocks[kBlocks];
  const size_t before = mallinfo2().uordblks;
  for (int i = 0; i < kBlocks; ++i) {
    blocks[i] = malloc(kSize);
    memset(blocks[i], 1, kSize);
  }
  const size_t held = mallinfo2().uordblks - before;
  EXPECT(held >= kBlocks * kSize && held < kBlocks * kSize * 2);
  EXPECT((size_t)mallinfo().uordblks >= kBlocks * kSize);
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  EXPECT(mallinfo2().uordblks < before + kBlocks * kSize / 2);
}

static void trim_gives_back(void) {
  malloc_trim(0);
  const long idle = resident_pages();
  const long page = sysconf(_SC_PAGESIZE);
  hold_and_release();
  malloc_trim(0);
  EXPECT(resident_pages() < idle + (long)(kBlocks * kSize / 10) / page);
}

static void xml(void) {
  char* text = NULL;
  size_t length = 0;
  FILE* stream = open_memstream(&text, &length);
  EXPECT(malloc_info(0, stream) == 0);
  EXPECT(malloc_info(1, stream) == EINVAL);
  fclose(stream);
  EXPECT(strncmp(text, "<malloc version=\"1\">", 20) == 0 && strstr(text, "</malloc>") != NULL);
  free(text);
}

int main(void) {
  expect_right_allocator();
  EXPECT(mallopt(M_ARENA_MAX, 2) == 1);
  trim_gives_back();
  xml();
  return 0;
}
