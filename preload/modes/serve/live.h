// Keeps the live page (runtime/formats/live_page.h) of this process in a file, where `memomalloc status` and
// `memomalloc run` find it: FOLDER/PID.TIME.live.
//
// A shell or a tool that loads the library without a pass, a plan or a recording never gets a file.
#pragma once

namespace memo::guest {

// Notes what the page says about this process, which has no file yet. To be called at the start, and again in a
// copy of the process.
void describe_live_page();

// Creates the file if there is none yet. Costs some 30 microseconds the first time, and a load later.
void show_live_page();

// Brings the page's sizes and texts up to date. Does so at most once a second, apart from changes of the state;
// costs a reading of the coarse clock otherwise. To be called between passes.
void refresh_live_page_if_due();
void refresh_live_page();

// Gives back what is idle, if `memomalloc release` asks for it in the page. To be called between passes; costs a few loads.
void release_if_asked();

// Brings the page up to date for the last time. Removes the file, unless the user named the folder: then whoever
// reads it also removes it.
void finish_live_page();

}  // namespace memo::guest
