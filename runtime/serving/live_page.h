// The live page of this process (runtime/formats/live_page.h): the counters and what `memomalloc status` shows.
//
//   private memory ──(publish_live_page)──► a file that the process maps ──(the process becomes a copy)──► private
//
// A page that cannot be published stays private: then nothing outside sees it, and all else is as before. The
// file has all its blocks from the start, so that a full file system cannot fault the program later.
#pragma once

#include "runtime/formats/live_page.h"

namespace memo::runtime {

// Returns the page in use.
[[nodiscard]] LivePage& live_page();

// Sets what does not change in this process.
void describe_process(const LiveProcess& process);

// Notes what the process would have said on stderr. Gives up where another thread changes the page at this moment.
void note_unspoken(const char* line);

// Returns true if the page lies in a file.
[[nodiscard]] bool is_live_page_published();

// Creates the file and moves the page into it. Replaces a file that a killed process of the same number has
// left. Counts that other threads add meanwhile are not lost. Returns false, with errno set, if it cannot. To be
// called by one thread at a time.
bool publish_live_page(const char* path);

// Replaces the gauges in the page. Gives up, without waiting, where another thread does the same at this
// moment.
void update_gauges(const LiveGauges& gauges);

// Makes a copy of a process count anew, in private memory: the file is that of the process it is a copy of.
void leave_live_page();

}  // namespace memo::runtime
