// The text of the man pages beyond the options: a paragraph and an example for each verb, the variables, the
// exit statuses.
#pragma once

#include <string_view>

namespace memo::cli {

struct ManualRow {
  std::string_view name;
  std::string_view text;
  std::string_view example = "";
};

inline constexpr ManualRow kVerbManual[] = {
    {"run",
     "Runs COMMAND, learns its passes while it works, makes a plan beside it, serves from the next pass on, and keeps the "
     "plan: the next start of the same command serves at once. The child's exit status is passed through.",
     "memomalloc run -- ./server --port 8080"},
    {"learn",
     "Does for the process PID what run does for its command: plans from the traces that come to lie in the folder, as long "
     "as the process lives, and takes the folder away. The library starts it by itself in mode auto.",
     "memomalloc learn --plan server.plan --work traces 1234"},
    {"cache",
     "Looks after the folder in which run keeps plans and the traces that they were made from. list prints a row for each "
     "plan, show all about one, clear removes plans with their traces. limit says how much all kept traces may take "
     "together, 256 MiB by default: the oldest go first, a plan never does.",
     "memomalloc cache clear --stale"},
    {"profile",
     "Runs COMMAND with the library preloaded and records, for every forward pass, each allocation: its size, call site, "
     "operator and lifetime. Send a server requests like the real ones, then end it. The child's exit status is passed "
     "through.",
     "memomalloc profile -o server.trace -- ./server --port 8080"},
    {"inspect",
     "Prints the passes, shapes, operators and sites of a trace, the variants of a plan and who forces their height, or "
     "the statistics of a served run with what each line means.",
     "memomalloc inspect server.trace"},
    {"pack", "Runs the planner alone: buffers with lifetimes, sizes and alignments in CSV, offsets out.",
     "memomalloc pack --input instance.csv --output solved.csv"},
    {"plan",
     "Keeps the passes that recur, tells shapes apart, solves where each allocation should lie, checks the result and "
     "writes it. Traces of several replicas make one plan, whatever their order; one that cannot be read is named and left out.",
     "memomalloc plan replica-1.trace replica-2.trace -o server.plan"},
    {"check",
     "Checks a plan independently of what made it, and replays traces against it in the arena itself: what would be "
     "served, and why not the rest. Ends with a verdict; with --at-least it is a gate.",
     "memomalloc check server.plan yesterday.trace --at-least 95"},
    {"size",
     "Says how high a lane is for each kind of pass of a plan, what the largest request takes, how many of them fit into a limit "
     "at once, and which requests and limits a container should have: base + one of the largest, and base + as many as run at "
     "once. The base is what the program holds before its first pass, which no plan knows.",
     "memomalloc size server.plan --base 310Mi --limit 4Gi"},
    {"serve",
     "Runs COMMAND with the library preloaded; what it allocates inside passes comes from the slab that the plan laid "
     "out, after a check that its bytes are free, and everything else from the heap. The child's exit status is passed "
     "through.",
     "memomalloc serve --plan server.plan --stats server.stats -- ./server --port 8080"},
    {"status",
     "Shows every process that has the library in it: its state, the passes of the last second and how much of them was "
     "served, by count and by bytes, its lanes and its memory. Reads what the library keeps for this purpose, and sends no "
     "signal. Exits with 0 only when there is such a process and all of them serve: a readiness probe.",
     "memomalloc status --watch"},
    {"release",
     "Asks the process PID to give back what it does not use: the pages of lanes on which no pass runs, and what lies idle "
     "in its heap. Writes a word into the page that status reads, and sends no signal: the process looks at it when a pass "
     "ends, or while it allocates. Says what went back. One that sleeps does it as soon as it wakes; the exit status is 1 then.",
     "memomalloc release 1234"},
    {"report",
     "Draws one HTML page that needs no network: the heap map of each variant under several strategies, what forces its "
     "height, what was left to the heap; from statistics what was served, from comparisons speed and memory.",
     "memomalloc report server.trace server.plan server.stats"},
    {"compare",
     "Runs COMMAND under every allocator that is installed, as shipped and tuned, in turns, and prints what the program "
     "measured of itself, page faults and memory, with ratios and their confidence.",
     "memomalloc compare --client 'wrk -d 5 http://127.0.0.1:8080/' -- ./server --port 8080"},
    {"doctor",
     "Looks at the machine, the program and the plan, runs COMMAND for a moment, and says what stands against serving "
     "and what to type about it. Exits with 0 only when serving will work.",
     "memomalloc doctor --plan server.plan -- ./server --port 8080"},
};

// The variables that the library reads besides its own options (runtime/formats/guest_options.h).
inline constexpr ManualRow kHeapVariables[] = {
    {"MALLOC_CONF",
     "Settings of the jemalloc inside, as in jemalloc(3); docs/heap.md says which are compiled in"},
};

inline constexpr ManualRow kToolVariables[] = {
    {"MEMOMALLOC_LIBRARY",
     "The library to preload, where it is not beside the command, or a link to it whose name counts"},
    {"XDG_CACHE_HOME", "Where run keeps its plans, in a folder memomalloc; by default ~/.cache"},
    {"MEMOMALLOC_LOG_FORMAT", "The same for its own lines on stderr, where --log-format is not given"},
    {"NO_COLOR", "Where it is set and not empty, words are not coloured on a terminal either"},
};

// The variables that the Python side reads for the store of plans (preload/python/memomalloc/store).
inline constexpr ManualRow kStoreVariables[] = {
    {"MEMOMALLOC_STORE",
     "The folder, or the URL that fsspec opens, where the machines of a fleet keep their plans; docs/fleet.md says how"},
    {"MEMOMALLOC_STORE_KEY_FILE", "A file with the key that signs the plans of the store"},
    {"MEMOMALLOC_STORE_KEY", "The key itself, where no file is named"},
};

inline constexpr ManualRow kExitStatuses[] = {
    {"0",
     "All is well. run, profile, serve and compare pass the command's own status through: 128 + n for a signal, 127 where "
     "it is not found, 126 where it cannot be executed"},
    {"1", "The system refused something"},
    {"2", "The command line is wrong"},
    {"3", "A file is unreadable or does not fit"},
    {"4", "No plan within the limits: infeasible, or out of time; the sentence on stderr says which"},
    {"5", "A check said no"},
};

}  // namespace memo::cli
