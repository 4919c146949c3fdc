// The files that stdin, stdout and stderr were when the library started. For the sources of this folder alone;
// platform.h has the contracts for the others.
#pragma once

namespace memo::guest::platform {

// Returns true if the number shows the same file as at the start.
bool is_as_at_start(int standard_file);

}  // namespace memo::guest::platform
