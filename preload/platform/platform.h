// The services that the library needs from the kernel, the loader and the C library: contracts here, one
// source file for each idea. No function here allocates, takes a lock of the library, or writes to
// stdout, unless its comment says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::guest::platform {

// Returns the variable's value, or null when it is unset or the program runs with raised privileges
// (AT_SECURE).
const char* secure_environment(const char* name);

// Returns the variable's value where the kernel put it when the program started, to be changed in place; null when it
// is unset, has been set since, or the program runs with raised privileges.
char* setting_of_start(const char* name);

// Returns true if the parent process was started with the same value of the variable as this one. Looks at no
// more than the first 32 KiB of the parent's environment. Not for several threads at once.
bool parent_started_with_same(const char* name);

// Appends the bytes to the file. Creates the file if need be, and closes it again. Returns 0 or the error
// number.
int append_to_file(const char* path, const char* bytes, std::size_t length);

// Returns true if the path names stdin, stdout or stderr (as /dev/stderr does), and leads to another file
// than at the start.
bool leads_to_another_standard_file(const char* path);

// Returns an error number in words, in static storage and never translated.
const char* describe_error(int error);

// Reads the command of this process as the kernel has it, with a NUL after each word, and returns its length. Cuts
// a longer one. Returns 0 if it cannot be read.
std::size_t read_own_command(char* out, std::size_t capacity);

unsigned long process_id();
unsigned long parent_process_id();

// Returns the calling thread's number, which no other thread of the machine has meanwhile.
unsigned long thread_id();

// Returns a number that the kernel drew when the program started, the same in all copies of the process; 0 if
// it drew none. Others cannot guess it.
unsigned long long random_number_of_start();

// Returns the settings of the environment, "NAME=value" each, with a null after the last.
const char* const* environment();

// Returns 0 if this process may read the file, else the error number.
int check_readable(const char* path);

// Returns how many bytes a file that this process writes may have. A write beyond that raises a signal that
// ends the program.
unsigned long greatest_file_bytes();

// Returns the path by which the program was started.
const char* program_path();

// Returns the path by which this library was loaded.
const char* own_path();

// Starts the program that `words` name (with a null after the last word) as a process that this process never
// hears of. The new process is no child of this one, has a session of its own, and takes over no environment,
// signal handlers, files or blocked signals. What it writes to stderr is appended to the file `errors`, or
// goes where this process's stderr goes if `errors` is null. Returns 0 once the new process runs, else the
// error number. The calling thread stands still meanwhile, some hundred microseconds; other threads go on.
int start_detached(const char* const* words, const char* errors);

// Asks for pointers whose top bits the processor and the kernel ignore, for this process from now on. Call
// this while the process has one thread. Returns null when the kernel grants it, else the reason why not. The
// processor alone decides which bits those are.
const char* allow_tagged_pointers();

// Returns what an error of the kernel's means that refuses linear address masking, and the cure where there is one.
const char* why_no_address_masking(int error);

// Returns true if this process may write to the aligned word at the address. Asks the kernel, and leaves the
// word as it is, even where other threads write to it meanwhile.
bool is_writable(const void* word);

// Copies bytes of this process, and lets the kernel read them. Returns false where they cannot be read.
bool read_carefully(const void* from, void* into, std::size_t bytes);

// Lets another thread run.
void yield_processor();

// Returns true if the executable itself, not one of its libraries, exports a symbol of this name.
bool executable_defines(const char* symbol);

// Returns the path of the first object in lookup order that defines the symbol: "" for the executable, null if
// there is none. The path is valid while the object stays loaded.
const char* first_object_that_defines(const char* symbol);

// Returns the path of the first loaded object whose path contains `part`, or null. The path is valid while
// the object stays loaded.
const char* loaded_object_named(const char* part);

// Returns the address of a symbol in the library `soname`, if that library is loaded already, in any scope;
// else null. May allocate, and takes the loader's lock: for failure paths only.
void* symbol_in_loaded_library(const char* soname, const char* symbol);

// Loads the library for good, if it is not loaded yet, and returns the address of its symbol; null where either
// is missing. May allocate, and takes the loader's lock.
void* load_symbol(const char* soname, const char* symbol);

// Returns the function that the program calls by this name, or null. It may be a stub in the executable, which
// jumps to the first definition in lookup order.
void* first_symbol(const char* symbol);

// Where a loaded object defines a symbol, and how large it is there; both 0 for none.
struct Definition {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
};

// Returns the first definition in the order in which things were loaded, whatever scope it is in. The program's dlerror() stays
// as it is.
Definition first_definition(const char* symbol);

// Keeps the object that the address lies in loaded for good. The executable stays without that. May allocate, and takes the loader's lock.
void keep_loaded(std::uintptr_t address);

// Returns the next definition of `symbol` after this library in the program's lookup order, or null.
void* next_symbol(const char* symbol);

// The bounds of a stack: its lowest address, and the end of its highest byte; both 0 where they are not known.
struct StackBounds {
  std::uintptr_t low = 0;
  std::uintptr_t high = 0;
};

// Returns those of the calling thread's own stack. Allocates: for the main thread the C library reads the map of
// the process.
StackBounds bounds_of_own_stack();

// Registers handlers that run around fork(); see pthread_atfork.
void on_fork(void (*before)(), void (*in_parent)(), void (*in_child)());

}  // namespace memo::guest::platform
