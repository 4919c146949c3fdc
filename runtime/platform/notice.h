// The one line that the arena has to say when something is wrong, or when something happened that the curious may want to
// know: a note. Never allocates.
#pragma once

namespace memo::runtime {

using NoticeSink = void (*)(const char* line);

// Where the lines go; by default stderr, and notes nowhere. The line has no newline.
void set_notice_sink(NoticeSink sink);
void set_note_sink(NoticeSink sink);

__attribute__((format(printf, 1, 2))) void notice(const char* format, ...);
__attribute__((format(printf, 1, 2))) void note(const char* format, ...);

}  // namespace memo::runtime
