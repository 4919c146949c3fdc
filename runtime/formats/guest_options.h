// Every option of the preloaded library, once. The library reads the environment variable; the command offers
// the option of the same row, sets the variable and documents it.
//
//   X(name, variable, option, value, default, help)
//
//   value: what the option takes, "" for a switch (the variable is then 1 or 0)
#pragma once

#define MEMO_GUEST_OPTIONS(X)                                                                                \
  X(kMode, "MEMOMALLOC_MODE", "mode", "off|profile|serve|auto", "off",                                       \
    "What the library does in the process")                                                                  \
  X(kLog, "MEMOMALLOC_LOG", "log", "PATH|stderr|off", "",                                                    \
    "Where the library writes what it has to say; by default only trouble, on stderr")                       \
  X(kLogFormat, "MEMOMALLOC_LOG_FORMAT", "log-format", "plain|timed|json", "plain",                          \
    "How a line looks: with the process, with time and level as well, or as a JSON object")                  \
  X(kTrace, "MEMOMALLOC_TRACE", "output", "FILE", "memomalloc.%c.%p.trace",                                  \
    "The trace to write; %c is the command's name, %p the process id")                                       \
  X(kPasses, "MEMOMALLOC_PASSES", "passes", "N", "0", "Stop recording after N passes; 0 records to the end") \
  X(kPassSymbols, "MEMOMALLOC_PASS_SYMBOLS", "pass-symbol", "GLOB,...", "",                                  \
    "Functions whose calls are passes, by mangled or readable name, besides the built-in ones")              \
  X(kScopeSymbols, "MEMOMALLOC_SCOPE_SYMBOLS", "scope-symbol", "GLOB,...", "",                               \
    "Functions whose calls are scopes (operators) inside passes")                                            \
  X(kPassesBy, "MEMOMALLOC_PASSES_BY", "passes-by", "any|hooks|api|period", "any",                           \
    "Where passes begin: at hooks, where the program says, or both; period is for plan to find")             \
  X(kPython, "MEMOMALLOC_PYTHON", "python", "on|off", "on",                                                  \
    "Whether the passes of Python's engines are marked as these are imported")                               \
  X(kOrtArena, "MEMOMALLOC_ORT_ARENA", "ort-arena", "on|off", "on",                                          \
    "off makes sessions of ONNX Runtime in Python without their own arena; on leaves them as they are")      \
  X(kFollow, "MEMOMALLOC_FOLLOW", "follow", "", "0", "Forked children record too, each to its own file")     \
  X(kStacks, "MEMOMALLOC_STACKS", "stacks", "", "0", "Record the call stack of every allocation")            \
  X(kDataFlow, "MEMOMALLOC_DATA_FLOW", "data-flow", "", "0",                                                 \
    "Record which allocations each operator reads and writes: eager PyTorch's, and what a program reports")  \
  X(kTag, "MEMOMALLOC_TAG", "tag", "software|hardware|alias", "software",                                    \
    "Where tags are kept: beside the blocks, or in the program's own pointers as well; alias does without "  \
    "the processor's help, by several addresses of each block")                                              \
  X(kRecord, "MEMOMALLOC_RECORD", "record", "passes|all", "passes",                                          \
    "What is recorded: allocations inside passes, or all")                                                   \
  X(kTraceLimit, "MEMOMALLOC_TRACE_LIMIT", "trace-limit", "N", "2048",                                       \
    "The trace's greatest size in MiB; what happens then, --keep says")                                      \
  X(kKeep, "MEMOMALLOC_KEEP", "keep", "first|newest", "first",                                               \
    "When the trace has its greatest size: stop recording, or let the oldest passes go")                     \
  X(kPlan, "MEMOMALLOC_PLAN", "plan", "FILE", "", "The plan to serve from")                                  \
  X(kPlanFrom, "MEMOMALLOC_PLAN_FROM", "plan-from", "trusted|anyone", "trusted",                             \
    "Whose plan is taken: none that everybody may write to, or anyone's")                                    \
  X(kLearn, "MEMOMALLOC_LEARN", "learn", "again|once", "again",                                              \
    "Mode auto: whether passes are recorded again when the plan does not fit them any more")                 \
  X(kPlanner, "MEMOMALLOC_PLANNER", "planner", "FILE", "",                                                   \
    "Mode auto: the command memomalloc that is to plan; by default the one beside the library")              \
  X(kProgram, "MEMOMALLOC_PROGRAM", "program", "TEXT", "",                                                   \
    "Mode auto: what `memomalloc run` says of its command, so that other programs are told from it")         \
  X(kLanes, "MEMOMALLOC_LANES", "lanes", "N", "0",                                                           \
    "Passes that can be served at once, all with memory from the start; 0 is as many as there are")          \
  X(kIdleRelease, "MEMOMALLOC_IDLE_RELEASE", "idle-release", "N", "10",                                      \
    "Give back the pages of lanes that no pass needed for N seconds, and the heap's; 0 never does")          \
  X(kMemoryBudget, "MEMOMALLOC_MEMORY_BUDGET", "memory-budget", "SIZE", "",                                  \
    "The most that all lanes may take, such as 512M; by default what the container's limit leaves")          \
  X(kAtOnce, "MEMOMALLOC_AT_ONCE", "at-once", "N|auto", "0",                                                 \
    "Passes that run at once, while the others wait for their turn; auto is one more than there are "        \
    "processors, in Python twice as many, and 0 lets all of them run")                                       \
  X(kAside, "MEMOMALLOC_ASIDE", "aside", "auto|never", "auto",                                               \
    "Whether some passes go to the heap to find out what serving is worth; kinds that it harms stay there")  \
  X(kStats, "MEMOMALLOC_STATS", "stats", "FILE", "", "Where to write the statistics at exit, as JSON")       \
  X(kStatsEvery, "MEMOMALLOC_STATS_EVERY", "stats-every", "N", "0",                                          \
    "Also write them every N seconds, at the end of a pass; 0 is at exit only")                              \
  X(kLive, "MEMOMALLOC_LIVE", "live", "FOLDER|off", "",                                                      \
    "Where the page lies that `memomalloc status` reads; by default a folder of the user's in /dev/shm")

namespace memo {

// Says how many passes of each marked function mode auto leaves unrecorded: a JIT profiles in the first and compiles
// in the second. None of what they allocate recurs, and they are slow enough without being recorded.
inline constexpr unsigned kUnrecordedPasses = 2;

struct GuestOption {
  const char* variable;
  const char* option;
  const char* value;
  const char* fallback;
  const char* help;
};

enum class GuestOptionId {
#define MEMO_ENUMERATE(name, variable, option, value, fallback, help) name,
  MEMO_GUEST_OPTIONS(MEMO_ENUMERATE)
#undef MEMO_ENUMERATE
};

inline constexpr GuestOption kGuestOptions[] = {
#define MEMO_ROW(name, variable, option, value, fallback, help) {variable, option, value, fallback, help},
    MEMO_GUEST_OPTIONS(MEMO_ROW)
#undef MEMO_ROW
};

// Returns true if the option takes one of a list of words, as "a|b" says; "FILE|a" takes any other value, too.
constexpr bool takes_choice(const GuestOption& option) {
  bool bar = false;
  for (const char* at = option.value; *at != '\0'; ++at) {
    if (*at >= 'A' && *at <= 'Z') return false;
    bar = bar || *at == '|';
  }
  return bar;
}

// Returns true if the option takes a whole number.
constexpr bool takes_number(const GuestOption& option) {
  return option.value[0] == 'N' && (option.value[1] == '\0' || option.value[1] == '|');
}

// Returns the word that an option takes instead of a number: "auto" of "N|auto"; "" where there is none.
constexpr const char* word_for_number(const GuestOption& option) {
  return option.value + (option.value[1] == '|' ? 2 : 1);
}

constexpr const GuestOption& guest_option(GuestOptionId id) {
  return kGuestOptions[static_cast<int>(id)];
}

}  // namespace memo
