/* errno and error rules. free leaves errno alone; an impossible request sets ENOMEM and returns null;
 * posix_memalign returns its error and leaves *out as it was; overflowing products fail; odd alignments are
 * taken or refused as glibc does. Failure: any other answer, or a block where there should be none. */
#include "hostile.h"

#include <sys/mman.h>

static const size_t kTooBig = (size_t)PTRDIFF_MAX + 1;

static int fails_with_enomem(void* block) {
  return block == NULL && errno == ENOMEM;
}

#define EXPECT_ENOMEM(call)          \
  do {                               \
    errno = 0;                       \
    EXPECT(fails_with_enomem(call)); \
  } while (0)

static void impossible_sizes(void) {
  void* block = malloc(10);
  EXPECT_ENOMEM(malloc(kTooBig));
  EXPECT_ENOMEM(malloc(SIZE_MAX));
  EXPECT_ENOMEM(malloc(PTRDIFF_MAX));
  EXPECT_ENOMEM(calloc(1, kTooBig));
  EXPECT_ENOMEM(calloc(SIZE_MAX / 2, 3));
  EXPECT_ENOMEM(calloc((size_t)1 << 33, (size_t)1 << 33));
  EXPECT_ENOMEM(realloc(NULL, kTooBig));
  EXPECT_ENOMEM(realloc(block, kTooBig));
  EXPECT_ENOMEM(reallocarray(block, SIZE_MAX / 2, 3));
  EXPECT_ENOMEM(memalign(64, kTooBig));
  EXPECT_ENOMEM(aligned_alloc(64, kTooBig));
  EXPECT_ENOMEM(valloc(kTooBig));
  EXPECT_ENOMEM(pvalloc(SIZE_MAX));
  EXPECT_ENOMEM(pvalloc(kTooBig));
  free(block); /* a failed realloc left it alone */
}

static void posix_memalign_rules(void) {
  char mark;
  void* const before = &mark;
  const size_t bad_alignments[] = {0, 1, 2, 4, 7, 24, 100, SIZE_MAX};
  for (size_t i = 0; i < sizeof bad_alignments / sizeof *bad_alignments; ++i) {
    void* out = before;
    errno = 42;
    EXPECT(posix_memalign(&out, bad_alignments[i], 64) == EINVAL);
    EXPECT(out == before && errno == 42);
  }
  void* out = before;
  EXPECT(posix_memalign(&out, 64, kTooBig) == ENOMEM);
  EXPECT(out == before);
  EXPECT(posix_memalign(&out, 64, 0) == 0);
  free(out);
}

static void odd_alignments(void) {
  void* not_a_multiple = aligned_alloc(64, 100);
  EXPECT(not_a_multiple != NULL && is_aligned(not_a_multiple, 64));
  free(not_a_multiple);
  const size_t alignments[] = {0, 1, 3, 8, 24, 48, 64, 4096, 5000, (size_t)1 << 21};
  for (size_t i = 0; i < sizeof alignments / sizeof *alignments; ++i) {
    void* block = memalign(alignments[i], 10);
    EXPECT(block != NULL);
    EXPECT(is_aligned(block, alignments[i] & -alignments[i]) || alignments[i] == 0);
    free(block);
  }
  EXPECT(memalign(SIZE_MAX, 10) == NULL);
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void* whole_pages = pvalloc(1);
  EXPECT(is_aligned(whole_pages, page) && malloc_usable_size(whole_pages) >= page);
  free(whole_pages);
  void* page_aligned = valloc(1);
  EXPECT(is_aligned(page_aligned, page));
  free(page_aligned);
}

static void free_keeps_errno(void) {
  for (size_t size = 1; size < (size_t)1 << 26; size *= 3) {
    void* block = malloc(size);
    EXPECT(block != NULL);
    errno = 42;
    free(block);
    EXPECT(errno == 42);
  }
  errno = 42;
  free(NULL);
  EXPECT(errno == 42);
}

/* In a server that locks its memory, giving pages back fails inside free. */
static void free_keeps_errno_with_locked_memory(void) {
  enum { kBlocks = 64 };
  void* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) {
    blocks[i] = malloc((size_t)64 << 10);
    EXPECT(blocks[i] != NULL);
    mlock(blocks[i], (size_t)64 << 10); /* may be refused beyond the limit: some are locked */
  }
  errno = 42;
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  EXPECT(errno == 42);
  malloc_trim(0);
}

static void zero_sizes(void) {
  void* one = malloc(0);
  void* other = malloc(0);
  EXPECT(one != NULL && other != NULL && one != other);
  free(one);
  free(other);
  void* none = calloc(0, 8);
  EXPECT(none != NULL);
  free(none);
}

int main(void) {
  expect_right_allocator();
  impossible_sizes();
  posix_memalign_rules();
  odd_alignments();
  free_keeps_errno();
  free_keeps_errno_with_locked_memory();
  zero_sizes();
  return 0;
}
