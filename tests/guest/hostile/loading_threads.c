/* Four threads open plugins, run passes through them, and close them again, all at once: while one is hooked after its
 * dlopen, others are in the middle of theirs, with objects that the loader has mapped and not filled in yet.
 *
 *   loading_threads LOADS lazy|now PLUGIN...
 *
 * Prints the passes that were run. Failure: a crash, or a pass that computes something else; passes that the library has not
 * seen are counted by loading_test.py. */
#include "hostile.h"

#include <pthread.h>

enum { kThreads = 4, kPasses = 2 };

static int loads, flags, plugins;
static char** paths;

typedef int Run(int passes);

static void open_run_and_close(const char* path) {
  void* plugin = dlopen(path, flags);
  if (plugin == NULL) fprintf(stderr, "%s\n", dlerror());
  EXPECT(plugin != NULL);
  Run* run = (Run*)dlsym(plugin, "loading_run");
  EXPECT(run != NULL && run(kPasses) == kPasses);
  EXPECT(dlclose(plugin) == 0);
}

static void* open_and_close(void* argument) {
  const int first = (int)(intptr_t)argument;
  for (int load = 0; load < loads; ++load) open_run_and_close(paths[(first + load) % plugins]);
  free(malloc(10)); /* the last pass is over where the thread does something else */
  return NULL;
}

int main(int argc, char** argv) {
  EXPECT(argc > 3);
  expect_right_allocator();
  loads = atoi(argv[1]);
  flags = (strcmp(argv[2], "lazy") == 0 ? RTLD_LAZY : RTLD_NOW) | RTLD_LOCAL;
  paths = argv + 3;
  plugins = argc - 3;
  pthread_t threads[kThreads];
  for (intptr_t i = 0; i < kThreads; ++i)
    EXPECT(pthread_create(&threads[i], NULL, open_and_close, (void*)i) == 0);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  printf("%d\n", kThreads * loads * kPasses);
  return 0;
}
