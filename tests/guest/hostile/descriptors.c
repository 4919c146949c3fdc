/* A program that takes every descriptor there is for its own, and then goes on writing files.
 *
 *     descriptors WAY FOLDER
 *
 * Each round it closes, moves or overlays descriptors that it never opened, in the way it is told, opens files of its own,
 * which get those numbers, and writes to them between its passes. Failure: a byte of one of its files is not the one that it
 * wrote, a file has another length, or a descriptor of its own is closed. In FOLDER/passes it leaves how many passes it made.
 * Says nothing, and returns 0, when all is well; so it does without the library. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "hostile.h"
#include "memomalloc/memomalloc.h"

enum { kRounds = 6, kFiles = 24, kSteps = 4, kPassesPerStep = 2, kBlocks = 24, kChunk = 1000, kChildren = 2 };

static const char* g_folder;
static unsigned g_passes;
static int g_files[kFiles]; /* open in this round */
static unsigned g_round;    /* also of which process: children count on from other numbers */

/* ---- passes ---- */

static void one_pass(void) {
  unsigned char* blocks[kBlocks];
  if (memo_pass_begin != NULL) memo_pass_begin(0);
  for (unsigned i = 0; i < kBlocks; ++i) {
    blocks[i] = (unsigned char*)malloc(40 + 60 * i);
    EXPECT(blocks[i] != NULL);
    fill(blocks[i], 40 + 60 * i, i);
  }
  for (unsigned i = 0; i < kBlocks; ++i) {
    EXPECT(is_filled(blocks[i], 40 + 60 * i, i));
    free(blocks[i]);
  }
  if (memo_pass_end != NULL) memo_pass_end();
  ++g_passes;
}

/* ---- files of its own ---- */

static void name_file(char* path, unsigned round, unsigned file) {
  snprintf(path, 4096, "%s/own.%u.%u", g_folder, round, file);
}

static unsigned seed_of(unsigned round, unsigned file, unsigned step) {
  return round * 31 + file * 7 + step;
}

static void expect_bytes(int file, unsigned number, unsigned steps) {
  unsigned char bytes[kChunk];
  struct stat about;
  EXPECT(fstat(file, &about) == 0 && about.st_size == (off_t)steps * kChunk);
  for (unsigned step = 0; step < steps; ++step) {
    EXPECT(pread(file, bytes, kChunk, (off_t)step * kChunk) == kChunk);
    EXPECT(is_filled(bytes, kChunk, seed_of(g_round, number, step)));
  }
}

static void open_files(void) {
  char path[4096];
  for (unsigned i = 0; i < kFiles; ++i) {
    name_file(path, g_round, i);
    g_files[i] = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    EXPECT(g_files[i] >= 0);
  }
}

static void write_step(unsigned step) {
  unsigned char bytes[kChunk];
  for (unsigned i = 0; i < kFiles; ++i) {
    fill(bytes, kChunk, seed_of(g_round, i, step));
    EXPECT(write(g_files[i], bytes, kChunk) == kChunk);
  }
}

static void check_by_path(unsigned steps) {
  char path[4096];
  for (unsigned i = 0; i < kFiles; ++i) {
    name_file(path, g_round, i);
    const int file = open(path, O_RDONLY);
    EXPECT(file >= 0);
    expect_bytes(file, i, steps);
    close(file);
  }
}

/* Makes the library say something, while its log or stderr may be a file of the program's. */
static void complain(void) {
  if (memo_plan_load != NULL) memo_plan_load("/nonexistent/plan");
}

static void write_files(void) {
  for (unsigned step = 0; step < kSteps; ++step) {
    write_step(step);
    if (step == 1) complain();
    for (int pass = 0; pass < kPassesPerStep; ++pass) one_pass();
    for (unsigned i = 0; i < kFiles; ++i) expect_bytes(g_files[i], i, step + 1);
  }
  check_by_path(kSteps);
}

static void close_files(void) {
  for (unsigned i = 0; i < kFiles; ++i) EXPECT(close(g_files[i]) == 0);
}

/* ---- what it does to descriptors ---- */

static int limit_of_numbers(void) {
  struct rlimit limit;
  EXPECT(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  return limit.rlim_cur < 2048 ? (int)limit.rlim_cur : 2048;
}

static int is_open(int number) {
  return fcntl(number, F_GETFD) >= 0;
}

static void do_nothing(void) {}

static void close_from_three(void) {
  closefrom(3);
}

/* Its next files are 0, 1 and 2. */
static void close_all(void) {
  closefrom(0);
}

static void close_range_from_three(void) {
  EXPECT(close_range(3, ~0U, 0) == 0);
}

static void unshare_and_close(void) {
  EXPECT(close_range(3, ~0U, CLOSE_RANGE_UNSHARE) == 0);
}

static void close_each(void) {
  for (int number = limit_of_numbers() - 1; number >= 3; --number) close(number);
}

/* Lays a file of its own over every number there is. */
static int overlay_all(const char* name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", g_folder, name);
  const int file = open(path, O_RDWR | O_CREAT, 0600);
  EXPECT(file >= 3);
  for (int number = 3; number < limit_of_numbers(); ++number) {
    if (number != file) EXPECT(dup2(file, number) == number);
  }
  return file;
}

static void expect_untouched(int file, off_t bytes) {
  struct stat about;
  EXPECT(fstat(file, &about) == 0 && about.st_size == bytes);
  EXPECT(lseek(file, 0, SEEK_CUR) == 0);
  for (int number = 3; number < limit_of_numbers(); ++number) EXPECT(is_open(number));
}

/* Passes go on while all the numbers are its own and none is free. */
static void overlay_and_keep(void) {
  const int file = overlay_all("overlay");
  for (int pass = 0; pass < kPassesPerStep; ++pass) one_pass();
  expect_untouched(file, 0);
  closefrom(3);
}

/* The same with numbers left, so that the library can open what it lost: those that no one of its files has. */
static void overlay_most(void) {
  const int file = overlay_all("overlay");
  for (int number = 3; number < 40; ++number) {
    if (number != file) close(number);
  }
  for (int pass = 0; pass < kPassesPerStep; ++pass) one_pass();
  struct stat about;
  EXPECT(fstat(file, &about) == 0 && about.st_size == 0);
}

/* Whatever is open gets another number, and a file of its own the old one. */
static void move_each(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s/moved", g_folder);
  for (int number = limit_of_numbers() - 1; number >= 3; --number) {
    if (!is_open(number) || fcntl(number, F_DUPFD, 3) < 0) continue;
    close(number);
    const int file = open(path, O_RDWR | O_CREAT, 0600);
    EXPECT(file >= 0);
    if (file != number) {
      EXPECT(dup2(file, number) == number);
      close(file);
    }
  }
  one_pass();
  struct stat about;
  EXPECT(stat(path, &about) != 0 || about.st_size == 0);
  closefrom(3);
}

/* A file that goes on under no name, and another that may get its inode. */
static void unlink_trace(void) {
  const char* trace = getenv("MEMOMALLOC_TRACE");
  if (trace != NULL) unlink(trace);
  closefrom(3);
}

static void change_folder(void) {
  EXPECT(chdir("/") == 0);
  closefrom(3);
}

/* Closes stderr. A library that says "I have lost my file" there must not say it in the file that has its number. */
static void close_stderr(void) {
  closefrom(2);
  const char* trace = getenv("MEMOMALLOC_TRACE");
  if (trace != NULL) unlink(trace);
}

/* A child finds its descriptors as its parent left them, closes them all, and goes on. */
static void be_a_child(unsigned number) {
  g_round = 1000 * (number + 1) + g_round;
  closefrom(3);
  open_files();
  write_files();
  _exit(0);
}

static void expect_success(pid_t child) {
  int status = -1;
  EXPECT(child > 0 && waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* The last three run no handler of fork(). */
typedef pid_t Maker(void);

static pid_t by_fork(void) {
  return fork();
}
static pid_t by_bare_fork(void) {
  return _Fork();
}
static pid_t by_clone(void) {
  return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}
static pid_t by_clone3(void) {
  struct clone_args arguments = {.exit_signal = SIGCHLD};
  return (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
}

static void make_children(Maker* make) {
  for (unsigned i = 0; i < kChildren; ++i) {
    const pid_t child = make();
    if (child == 0) be_a_child(i);
    expect_success(child);
  }
}

static void make_child_under_own_files(Maker* make) {
  const int file = overlay_all("overlay");
  const pid_t child = make();
  if (child == 0) {
    expect_untouched(file, 0);
    be_a_child(0);
  }
  expect_success(child);
  expect_untouched(file, 0);
  closefrom(3);
}

#define WAYS_OF(maker)                        \
  static void maker##_children(void) {        \
    make_children(maker);                     \
  }                                           \
  static void maker##_under_own_files(void) { \
    make_child_under_own_files(maker);        \
  }
WAYS_OF(by_fork)
WAYS_OF(by_bare_fork)
WAYS_OF(by_clone)
WAYS_OF(by_clone3)

static void vfork_child(void) {
  const pid_t child = vfork();
  if (child == 0) {
    closefrom(3);
    _exit(0);
  }
  expect_success(child);
}

static const struct Way {
  const char* name;
  void (*wreck)(void);
  int keeps_files; /* it closes none of its own */
} kWays[] = {
    {"nothing", do_nothing, 1},
    {"closefrom", close_from_three, 0},
    {"closeall", close_all, 0},
    {"close_range", close_range_from_three, 0},
    {"unshare", unshare_and_close, 0},
    {"each", close_each, 0},
    {"overlay", overlay_and_keep, 0},
    {"overlay_most", overlay_most, 0},
    {"move", move_each, 0},
    {"unlink", unlink_trace, 0},
    {"chdir", change_folder, 0},
    {"stderr", close_stderr, 0},
    {"fork", by_fork_children, 1},
    {"fork_overlaid", by_fork_under_own_files, 0},
    {"_Fork", by_bare_fork_children, 1},
    {"_Fork_overlaid", by_bare_fork_under_own_files, 0},
    {"clone", by_clone_children, 1},
    {"clone_overlaid", by_clone_under_own_files, 0},
    {"clone3", by_clone3_children, 1},
    {"clone3_overlaid", by_clone3_under_own_files, 0},
    {"vfork", vfork_child, 1},
};

static const struct Way* way_named(const char* name) {
  for (unsigned i = 0; i < sizeof kWays / sizeof kWays[0]; ++i) {
    if (strcmp(kWays[i].name, name) == 0) return &kWays[i];
  }
  return NULL;
}

static void leave_count(void) {
  char path[4096];
  char text[32];
  snprintf(path, sizeof path, "%s/passes", g_folder);
  const int length = snprintf(text, sizeof text, "%u", g_passes);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  EXPECT(file >= 0 && write(file, text, (size_t)length) == length);
  close(file);
}

int main(int argc, char** argv) {
  EXPECT(argc == 3);
  expect_right_allocator();
  const struct Way* way = way_named(argv[1]);
  EXPECT(way != NULL);
  g_folder = argv[2];
  for (int pass = 0; pass < 3; ++pass) one_pass();
  for (g_round = 0; g_round < kRounds; ++g_round) {
    way->wreck();
    open_files();
    write_files();
    if (way->keeps_files) close_files();
  }
  leave_count();
  return 0;
}
