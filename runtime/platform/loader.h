// Asks the loader what it has loaded. The library asks the loader here only, since asking takes the loader's
// lock: nothing here may be called with a lock of the library held (runtime/platform/lock_order.h).
//
// A copy of the process that is made during a visit inherits the loader's lock from a thread that does not
// exist there, and any thread of the copy that asks the loader waits for ever. So the library counts visits;
// fork() waits for them, and a copy that was made during one in any other way never visits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/platform/loaded_object.h"
#include "runtime/platform/lock_order.h"

namespace memo::runtime {

// The loader's own counts. Equal counts mean that nothing was loaded or unloaded.
struct LoaderChanges {
  std::uint64_t loads;
  std::uint64_t unloads;

  [[nodiscard]] std::uint64_t count() const { return loads + unloads; }
  friend bool operator==(const LoaderChanges&, const LoaderChanges&) = default;
};

inline LoaderChanges changes_until(const LoadedObject& object) {
  return {object.dlpi_adds, object.dlpi_subs};
}

// Returns false in a copy that was made during a visit: nothing is ever found there.
[[nodiscard]] bool loader_can_be_asked();

// Counts the calling thread's visit for as long as it lasts.
class LoaderVisit {
 public:
  LoaderVisit();
  ~LoaderVisit();
  LoaderVisit(const LoaderVisit&) = delete;
  LoaderVisit& operator=(const LoaderVisit&) = delete;
  [[nodiscard]] bool is_allowed() const { return allowed_; }

 private:
  const std::uint32_t generation_;
  const bool allowed_;
};

// Keep visits out while the process is copied; the handlers of fork() call them. Neither these nor a
// visit wait longer than 0.1 s, since the program may fork while it holds the loader's lock itself.
void hold_visits_for_fork();
void allow_visits_after_fork();

// Calls visit(object) for each loaded object until one call returns true, with the loader's lock held:
// meanwhile no object is loaded or unloaded, and no other thread is in such a visit. Returns true if a call
// did.
template <typename Visitor>
bool for_each_loaded_object(Visitor visit) {
  expect_no_lock_held();
  const LoaderVisit counted;
  if (!counted.is_allowed()) return false;
  const auto call = [](LoadedObject* object, std::size_t /*bytes*/, void* visitor) {
    return (*static_cast<Visitor*>(visitor))(*object) ? 1 : 0;
  };
  return dl_iterate_phdr(call, &visit) != 0;
}

[[nodiscard]] LoaderChanges loader_changes();

}  // namespace memo::runtime
