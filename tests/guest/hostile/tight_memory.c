/* Holds so much memory at once, in blocks of one size, three times over, each thread its part: nothing that the library takes
 * for itself may be what is missing. Every block is written, and found as it was written.
 *
 *   tight_memory [THREADS MEBIBYTES BLOCK_BYTES] */
#include "hostile.h"

#include <pthread.h>

enum { kMostThreads = 16, kRounds = 3 };

struct Share {
  size_t blocks;
  size_t bytes; /* of a block */
};

static void hold(const struct Share* share, unsigned char** blocks) {
  for (size_t i = 0; i < share->blocks; ++i) {
    blocks[i] = malloc(share->bytes);
    EXPECT(blocks[i] != NULL);
    memset(blocks[i], (int)(i % 251), share->bytes);
  }
  for (size_t i = 0; i < share->blocks; ++i) {
    EXPECT(blocks[i][0] == i % 251 && blocks[i][share->bytes - 1] == i % 251);
    free(blocks[i]);
  }
}

static void* work(void* share_of_thread) {
  const struct Share* share = share_of_thread;
  unsigned char** blocks = malloc(share->blocks * sizeof *blocks);
  EXPECT(blocks != NULL);
  for (int round = 0; round < kRounds; ++round) hold(share, blocks);
  free(blocks);
  return NULL;
}

int main(int count, char** words) {
  expect_right_allocator();
  const size_t threads = count > 3 ? strtoul(words[1], NULL, 10) : 2;
  const size_t bytes = (count > 3 ? strtoul(words[2], NULL, 10) : 16) << 20;
  const size_t block = count > 3 ? strtoul(words[3], NULL, 10) : 1000;
  EXPECT(threads <= kMostThreads);
  struct Share share = {bytes / threads / block, block};
  pthread_t others[kMostThreads];
  for (size_t i = 0; i < threads; ++i) EXPECT(pthread_create(&others[i], NULL, work, &share) == 0);
  for (size_t i = 0; i < threads; ++i) EXPECT(pthread_join(others[i], NULL) == 0);
  return 0;
}
