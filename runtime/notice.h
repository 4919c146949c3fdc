// The one line that the arena has to say when something is wrong. Never allocates.
#pragma once

namespace memo::runtime {

using NoticeSink = void (*)(const char* line);

// Where the lines go; by default stderr. The line has no newline.
void set_notice_sink(NoticeSink sink);

__attribute__((format(printf, 1, 2))) void notice(const char* format, ...);

}  // namespace memo::runtime
