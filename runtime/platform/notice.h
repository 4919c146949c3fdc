// Notices and notes: the one line that the arena says when something is wrong, or, as a note, when something
// happened that a curious reader of the log may want to know. Never allocates.
#pragma once

namespace memo::runtime {

using NoticeSink = void (*)(const char* line);

// Set where the lines go: by default notices go to stderr while it is the
// file of the start (standard_files.h), and notes nowhere. A line has no newline.
void set_notice_sink(NoticeSink sink);
void set_note_sink(NoticeSink sink);

__attribute__((format(printf, 1, 2))) void notice(const char* format, ...);
__attribute__((format(printf, 1, 2))) void note(const char* format, ...);

}  // namespace memo::runtime
