// The files that stdin, stdout and stderr were at the start. Later the program may close them, and a file that it
// opens, a database for example, then gets the number.
#pragma once

#include <cstddef>

namespace memo::runtime {

// Remembers which files the three are. To be called at the start, while the process has one thread. Until then each
// counts as the file of the start: a program that never calls this still gets its notices.
void remember_standard_files();

// Returns true if the number shows the same file as at the start.
[[nodiscard]] bool is_as_at_start(int standard_file);

// Returns true if both lead into one pipe: the reader of what the program prints reads what is written to stderr, too.
[[nodiscard]] bool are_stdout_and_stderr_one_pipe();

// Writes to stderr, or writes nothing where stderr is another file than at the start.
void write_to_stderr(const char* bytes, std::size_t length);

}  // namespace memo::runtime
