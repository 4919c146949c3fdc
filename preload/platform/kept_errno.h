// Keeps errno as it was: the program does not expect errno to change where it frees memory or calls an
// operator.
#pragma once

#include <cerrno>

namespace memo::guest {

class KeptErrno {
 public:
  KeptErrno() : saved_(errno) {}
  ~KeptErrno() { errno = saved_; }
  KeptErrno(const KeptErrno&) = delete;
  KeptErrno& operator=(const KeptErrno&) = delete;

 private:
  int saved_;
};

}  // namespace memo::guest
