// Puts the calling thread on the plain heap for a while: what the library calls may allocate, and its allocations are not the
// program's.
#pragma once

#include "preload/route/route.h"

namespace memo::guest {

class PlainRoute {
 public:
  PlainRoute() : before_(t_route) { t_route = Route::kPlainHeap; }
  PlainRoute(const PlainRoute&) = delete;
  PlainRoute& operator=(const PlainRoute&) = delete;
  ~PlainRoute() { t_route = before_; }

 private:
  Route before_;
};

}  // namespace memo::guest
