// An operator of a test's program, for MemoMalloc where it is there.
#pragma once

#include "memomalloc/memomalloc.h"

class Operator {
 public:
  explicit Operator(const char* name) {
    if (memo_scope_begin != nullptr) memo_scope_begin(name);
  }
  ~Operator() {
    if (memo_scope_end != nullptr) memo_scope_end();
  }
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;
};
