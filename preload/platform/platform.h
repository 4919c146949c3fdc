// What the kernel, the loader and the C library do for the guest: contracts here, one source file for each
// platform. Nothing here allocates, takes a lock of ours, or writes to stdout.
#pragma once

#include <cstddef>

namespace memo::guest::platform {

// The variable's value, or null when it is unset or the program runs with raised privileges (AT_SECURE).
const char* secure_environment(const char* name);

// Appends the bytes to the file, which is created if need be and closed again. 0, or the error number.
int append_to_file(const char* path, const char* bytes, std::size_t length);

// Takes what stdout and stderr are now for what they are to be: to be called at the start. Later the program may close them, and
// a file that it opens, a database maybe, gets the number.
void remember_standard_files();

// Returns true if the path names stdout or stderr (as /dev/stderr does), and that is another file than it was then.
bool leads_to_another_standard_file(const char* path);

// Writes nothing where stderr is another file than it was then.
void write_to_stderr(const char* bytes, std::size_t length);

// An error number in words. Static storage, never translated.
const char* describe_error(int error);

unsigned long process_id();

// 0 when this process may read the file, else the error number.
int check_readable(const char* path);

// How large a file may grow by this process. A write beyond it brings a signal that ends the program.
unsigned long greatest_file_bytes();

// The path the program was started by.
const char* program_path();

// The path this library was loaded by.
const char* own_path();

// Runs the program `words` name, a null behind the last, as a process that this one never hears of: nobody's child here, in
// a session of its own, without this process's environment, signal handlers, files and blocked signals. What it has to say
// on stderr is appended to the file `errors`, or goes where this process's goes where that is null. 0 once it runs, else the
// error number. The calling thread stands still meanwhile, some hundred microseconds; the others do not notice.
int start_detached(const char* const* words, const char* errors);

// Asks for pointers whose top bits the processor and the kernel ignore, for this process from now on; to be called while
// it has one thread. Null when granted, else the reason why not. Which bits those are depends on the processor alone.
const char* allow_tagged_pointers();

// May this process write to the aligned word at the address? Asks the kernel, and leaves the word as it is, whoever writes to
// it meanwhile.
bool is_writable(const void* word);

// Lets another thread run.
void yield_processor();

// Does the executable itself, not one of its libraries, export a symbol of this name?
bool executable_defines(const char* symbol);

// The first loaded object whose path contains `part`, or null. Valid while the object stays loaded.
const char* loaded_object_named(const char* part);

// The address of a symbol in the library `soname`, if that is loaded already, in any scope. May allocate and
// takes the loader's lock: for failure paths.
void* symbol_in_loaded_library(const char* soname, const char* symbol);

// The next definition of `symbol` after this library in the program's lookup order, or null.
void* next_symbol(const char* symbol);

// Handlers around fork(); see pthread_atfork.
void on_fork(void (*before)(), void (*in_parent)(), void (*in_child)());

}  // namespace memo::guest::platform
