// Every option of every verb, once. The parser, `--help`, the man pages and the shell completions are made from
// these rows. A verb reads its values by the long name. The options of the library have their own table
// (runtime/formats/guest_options.h).
#pragma once

#include <string_view>

namespace memo::cli {

struct ToolOption {
  std::string_view verb;
  std::string_view names;  // "-o,--output", "--json", or a word without dashes for a positional argument
  // The kind of value, "" for a switch; ends in "..." if it may be given several times.
  std::string_view value;
  std::string_view fallback;  // the default; kRequired if the option must be given
  std::string_view help;
};

inline constexpr std::string_view kRequired = "(required)";

inline constexpr ToolOption kToolOptions[] = {
    {"pack", "-i,--input", "FILE", kRequired,
     "The instance: CSV with the columns id,lower,upper,size and optionally alignment,offset; - is stdin"},
    {"pack", "-c,--capacity", "BYTES", "", "The most a plan may use; without it the height is minimised"},
    {"pack", "-s,--strategy", "NAME", "auto", "How to solve it; see --list-strategies"},
    {"pack", "-t,--timeout", "DURATION", "60s",
     "Stop after this long with the best plan so far: 500ms, 5s, 2m; 0 is no limit. Not in force by default "
     "when --nodes is given"},
    {"pack", "--nodes", "N", "0",
     "Stop after this many search nodes; unlike a time limit it gives the same plan on every machine. 0 is "
     "no limit"},
    {"pack", "--threads", "N", "0", "Threads to search with; 0 is one for each core"},
    {"pack", "--seed", "N", "1", "Seed of the strategies that draw random numbers"},
    {"pack", "-o,--output", "FILE", "", "Where to write the instance with the solution as its column offset"},
    {"pack", "--force", "", "", "Overwrite the output if it exists"},
    {"pack", "--list-strategies", "", "", "Say what each strategy is, its cost and its guarantee, and end"},
    {"pack", "--json", "", "", "One JSON object on stdout"},

    {"plan", "trace", "TRACE...", "",
     "What `memomalloc profile` recorded, or folders with files named *.trace; all together make one plan"},
    {"plan", "-o,--output", "FILE", "",
     "Where to write the plan; by default beside the first trace or folder, ending in .plan"},
    {"plan", "-s,--strategy", "NAME", "auto", "How to place the large blocks; see `pack --list-strategies`"},
    {"plan", "-t,--timeout", "DURATION", "10s",
     "Stop after this long on each variant with the best plan so far, and as long on a search for passes by period"},
    {"plan", "--nodes", "N", "0",
     "Stop after this many search nodes on each variant; gives the same plan anywhere"},
    {"plan", "--threads", "N", "0", "Threads to read traces and to search with; 0 is one for each core"},
    {"plan", "--seed", "N", "1", "Seed of the strategies that draw random numbers"},
    {"plan", "--passes-by", "hooks|api|period", "",
     "Which passes count: those of hooked functions, those the program marked, or those that the period of the threads' "
     "allocations shows; by default those that were recorded, else the period"},
    {"plan", "--keep-parallel", "", "",
     "Give operators that ran at the same time bytes of their own, so that they still may"},
    {"plan", "--reorder", "", "",
     "Also say which order of the operators would need less memory, from a trace recorded with --data-flow; the program decides"},
    {"plan", "--from-json", "FILE", "",
     "Make the plan from what `inspect --json` printed, or another tool wrote, instead of from traces; - is stdin"},
    {"plan", "--emit-c", "FILE", "",
     "Also write the places as a C header with a static slab, for devices without the library; one shape, no loops"},
    {"plan", "--warm-up", "N", "0",
     "Passes of each kind that the program ran before the traces begin: they are told apart from the steady state"},
    {"plan", "--steady", "", "", "No plan where no pass ran twice alike"},
    {"plan", "--force", "", "", "Overwrite the plan if it exists"},
    {"plan", "--json", "", "", "One JSON object on stdout"},

    // Further options of `profile` come from the library's own table.
    {"profile", "command", "COMMAND...", kRequired, "The program to run, with its arguments, after --"},
    {"profile", "--force", "", "", "Overwrite the trace if it exists"},

    {"inspect", "file", "FILE", kRequired, "A trace, a plan, or the statistics of a served run"},
    {"inspect", "--passes-by", "hooks|api|period", "",
     "Which passes of a trace to show, as for `plan`; by default what was recorded"},
    {"inspect", "--csv", "FOLDER", "", "Also write each pass as an instance for `memomalloc pack`"},
    {"inspect", "--perfetto", "FILE", "", "Also write the trace for ui.perfetto.dev"},
    {"inspect", "--stacks", "asked|peak|missed", "",
     "Print only the call stacks of a trace, folded (`main;forward 4096`), with the bytes that they asked for, that are alive at "
     "the peak, or that --plan sends to the heap"},
    {"inspect", "--plan", "PLAN", "", "With --stacks missed: the plan that the trace is replayed against"},
    {"inspect", "--data-flow", "", "",
     "Print only the operators of a pass and what they hand on to each other, of a trace recorded with --data-flow"},
    {"inspect", "--since", "FILE", "",
     "Count what the statistics have more than these earlier ones of the same process"},
    {"inspect", "--prometheus", "FILE", "",
     "Also write the statistics for the textfile collector of Prometheus' node exporter"},
    {"inspect", "--force", "", "", "Overwrite files that exist"},
    {"inspect", "--json", "", "", "One JSON object on stdout"},

    {"report", "file", "FILE...", kRequired,
     "Traces, plans, statistics of served runs, what `compare --json` printed, instances in CSV; together one page"},
    {"report", "--against", "FILE...", "",
     "Also say what changed since this earlier trace, plan or file of statistics; may be given several times"},
    {"report", "-o,--output", "FILE", "",
     "Where to write the page; by default beside the first file, ending in .html"},
    {"report", "-s,--strategies", "LIST", "auto,greedy-size,greedy-breadth,bump",
     "What to solve traces and instances with, to be switched between on the page; `all` is every strategy"},
    {"report", "--passes-by", "hooks|api|period", "", "Which passes of a trace to show, as for `plan`"},
    {"report", "-t,--timeout", "DURATION", "10s",
     "Stop each strategy after this long on each variant with the best plan so far"},
    {"report", "--nodes", "N", "0",
     "Stop after this many search nodes instead; gives the same plan anywhere"},
    {"report", "--threads", "N", "0", "Threads to search with; 0 is one for each core"},
    {"report", "--seed", "N", "1", "Seed of the strategies that draw random numbers"},
    {"report", "--force", "", "", "Overwrite the page if it exists"},
    {"report", "--text", "", "", "The same in short on stdout, and no page unless --output is given"},
    {"report", "--json", "", "",
     "Everything as one JSON object on stdout, and no page unless --output is given"},

    {"check", "plan", "PLAN", kRequired, "What `memomalloc plan` made"},
    {"check", "trace", "TRACE...", "", "Traces to replay against the plan"},
    {"check", "--at-least", "PERCENT", "",
     "Exit with 5 where the plan serves less of a trace, of its allocations or of their bytes"},
    {"check", "--json", "", "", "One JSON object on stdout"},

    {"size", "plan", "PLAN", kRequired, "What `memomalloc plan` made"},
    {"size", "--base", "SIZE", "",
     "What the program holds before its first pass, such as 310Mi: VmRSS in /proc/PID/status then"},
    {"size", "--limit", "SIZE", "",
     "The memory that there is, such as 4Gi: also say how many of the largest requests fit at once"},
    {"size", "--at-once", "N", "",
     "Also say what N of the largest requests need at once, 1 to 255; with --limit, exit with 5 where they do not fit"},
    {"size", "--shape", "NxM", "",
     "Also foresee requests of this shape, such as 32x512, in the two sizes of which `inspect` says that they vary"},
    {"size", "--json", "", "", "One JSON object on stdout"},

    // Further options of `serve` come from the library's own table.
    {"serve", "command", "COMMAND...", kRequired, "The program to run, with its arguments, after --"},

    // Further options of `run` come from the library's own table.
    {"run", "command", "COMMAND...", kRequired, "The program to run, with its arguments, after --"},
    {"run", "--no-cache", "", "", "Learn anew, and keep nothing for the next start"},
    {"run", "--dry-run", "", "",
     "Serve nothing: record now and then, and say at the end what a plan would have served"},
    {"run", "--once", "", "", "Keep to the first plan, even where passes stop matching it"},
    {"run", "--finish", "DURATION", "30s",
     "Once the program has ended, finish its plan, for this long at most; 0 is not at all. By default no longer than a quarter "
     "of what the program took"},

    {"cache", "action", "list|show|clear|limit", kRequired,
     "list: a row for each plan; show NAME: all about one; clear NAME: remove it with its traces; limit SIZE: how much "
     "all kept traces may take together"},
    {"cache", "name", "NAME|SIZE", "", "The plan to show or to clear, or the limit, such as 256M or 1G"},
    {"cache", "--stale", "", "",
     "With clear: every plan that is broken, or of other builds than those on the disk"},
    {"cache", "--all", "", "", "With clear: every plan"},
    {"cache", "--json", "", "", "One JSON object on stdout"},

    {"learn", "process", "PID", kRequired, "The program that is recorded"},
    {"learn", "--plan", "FILE", kRequired, "Where the plan goes, and is looked for by the program"},
    {"learn", "--work", "FOLDER", kRequired, "Where the program's traces come to lie"},
    {"learn", "--once", "", "", "End with the first plan"},
    {"learn", "--finish", "DURATION", "30s",
     "Once the program has ended, finish its plan, for this long at most; 0 is not at all"},

    {"status", "process", "PID", "", "The process to show; by default all that have the library in them"},
    {"status", "--watch", "", "", "Show the table again and again, until Ctrl-C"},
    {"status", "--interval", "DURATION", "1s",
     "Time between two looks, which the figures of now are taken from"},
    {"status", "--json", "", "", "One JSON object on stdout"},

    {"release", "process", "PID", kRequired, "The process that is to give back what it does not use"},
    {"release", "--wait", "DURATION", "2s",
     "How long to wait for it: it looks when a pass ends, or while it allocates"},
    {"release", "--json", "", "", "One JSON object on stdout"},

    // Further options of `compare` come from the library's own table.
    {"compare", "command", "COMMAND...", "",
     "The program to run, after --; figures that it prints as JSON are compared too"},
    {"compare", "--client", "LINE", "",
     "A line for the shell: COMMAND is a server, this is who asks it and prints the figures. When it ends, the server is "
     "told to"},
    {"compare", "--in-turn", "N", "0",
     "COMMAND answers every line of its input with a line: start it under all allocators at once and ask each in turn, N lines "
     "at a time, so that what else the machine does meets all alike"},
    {"compare", "--turns", "N", "20", "With --in-turn: turns of each in a run"},
    {"compare", "--warmup", "N", "30", "With --in-turn: lines before those"},
    {"compare", "--runs", "N", "5", "How often to run it under each allocator"},
    {"compare", "--allocators", "LIST", "",
     "Names from --list-allocators, with commas between; `usual` stands for all that are compared where the option is not given. "
     "By default those that are installed, without what vendors set"},
    {"compare", "--allocator", "NAME=PATH[,VARIABLE=VALUE...]...", "",
     "One more allocator: the library to preload, and variables that tune it; with an empty PATH the C library's. May be given "
     "several times"},
    {"compare", "--list-allocators", "", "", "Say how each allocator is preloaded and tuned, and end"},
    {"compare", "-o,--output", "FILE", "", "Also draw the result, as SVG"},
    {"compare", "--force", "", "", "Overwrite the picture if it exists"},
    {"compare", "--json", "", "", "One JSON object on stdout"},

    // Further options of `doctor` come from the library's own table.
    {"doctor", "command", "COMMAND...", "", "The program that is to be served, with its arguments, after --"},
    {"doctor", "--trial", "DURATION", "3s",
     "Run COMMAND this long with the library in it, as `serve` would (as `profile` without a plan); 0 looks at its files only"},
    {"doctor", "--trace", "FILE", "",
     "A trace of the program: say whose blocks that outlive their passes grow from pass to pass, as a cache does"},
    {"doctor", "--json", "", "", "One JSON object on stdout"},
};

}  // namespace memo::cli
