// Reads what Python keeps of the calling thread.
//
// A thread that holds the interpreter's lock may read: all that its frames lead to is alive, wherever an allocation happens.
// Python's own tracemalloc relies on that as well. A thread that has given the lock up may read, too, since no other thread
// changes its frames, but for one case: an interpreter that ends throws the states of its last threads away while they run. So
// such a thread reads only while Python is known to run on (let_python_be_read).
//
// Until one stack has shown that this Python is laid out as its version is, the kernel does each read, and refuses where there
// is nothing. That takes 0.7 us each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "preload/modes/profile/python_interpreter.h"

namespace memo::guest {

class PythonMemory {
 public:
  PythonMemory(const PythonInterpreter& interpreter, const char* thread);
  ~PythonMemory();
  PythonMemory(const PythonMemory&) = delete;
  PythonMemory& operator=(const PythonMemory&) = delete;

  // Returns false for a thread that must not read: it has given the lock up, and Python ends or has never said that it runs.
  [[nodiscard]] bool may_read() const { return may_read_; }

  // Copies bytes of Python. Returns false where there are none.
  [[nodiscard]] bool copy(const char* from, void* into, std::size_t bytes) const;

  // Returns what lies at this offset of an object that has been copied.
  template <typename T>
  static T field(const char* copied, std::uint16_t offset) {
    T value;
    std::memcpy(&value, copied + offset, sizeof value);
    return value;
  }

  // Returns the pointer at this address; null where there is nothing to read.
  [[nodiscard]] const char* pointer(const char* from) const {
    const char* value = nullptr;
    return copy(from, &value, sizeof value) ? value : nullptr;
  }

 private:
  const bool carefully_;
  bool may_read_;
};

// Says whether the interpreter runs on, so that threads which do not hold its lock may read what it keeps of them. Waits for
// those that read when it ends, 0.1 s at most.
void let_python_be_read(bool runs_on);

// Returns true if the interpreter has said so at some time.
[[nodiscard]] bool has_python_said_that_it_runs();

// Notes that this Python is laid out as its version is.
void trust_python_layout();
[[nodiscard]] bool is_python_layout_trusted();

}  // namespace memo::guest
