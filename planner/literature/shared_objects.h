// Objects: regions that one buffer after another uses as a whole. GPU textures need them, because a part of an
// object cannot be used by itself. Laid end to end, objects are a plan like any other.
//
//   object 1  |--a--| |----c----|          size = its largest user; the height is the sum of the sizes
//   object 2     |---b---|   |-d-|
//             +-----------------------> time
//
// A buffer suits an object when none of the object's users is alive during the buffer's life, and one of the
// two alignments divides the other (so that an object never needs a common multiple, which could be huge).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "planner/placing/strategy.h"

namespace memo::planner {

// Says which object a buffer gets of those that suit and are large enough. The text of Pisarchyk & Lee says the
// smallest. The figures of its table for "Greedy by Size" come out with the oldest.
enum class LargeEnough { kSmallest, kOldest };

class SharedObjects {
 public:
  using Object = std::uint32_t;

  explicit SharedObjects(const Problem& problem);

  // Returns the time between the buffer and the nearest user of the object; nothing if the buffer does not
  // suit. O(log users).
  [[nodiscard]] std::optional<Time> distance(Object object, BufferIndex buffer) const;
  [[nodiscard]] bool suits(Object object, BufferIndex buffer) const;

  Object create(BufferIndex buffer);
  // Assigns the buffer to the object, which grows if the buffer is larger.
  void assign(Object object, BufferIndex buffer);
  // Assigns the buffer to an object that suits and is large enough; without one, to the largest that suits,
  // else to a new one. O(objects · log users).
  void assign_by_size(BufferIndex buffer, LargeEnough choice);

  [[nodiscard]] std::size_t count() const { return objects_.size(); }
  [[nodiscard]] Bytes size(Object object) const { return objects_[object].size; }

  // Lays the objects out in the order of their creation, from 0 up.
  [[nodiscard]] Offsets lay_end_to_end() const;

 private:
  struct State {
    Bytes size = 0;
    Bytes alignment = 1;
    std::vector<Lifetime> lives;  // of its users, in the order of time
  };
  [[nodiscard]] std::optional<Object> best_by_size(BufferIndex buffer) const;
  [[nodiscard]] std::optional<Object> oldest_large_enough(BufferIndex buffer) const;

  const Problem& problem_;
  std::vector<State> objects_;
  std::vector<Object> object_of_;
  std::set<std::pair<Bytes, Object>> by_size_;
};

// Returns the positional maxima: the k-th is the largest k-th largest size among the buffers alive at any one
// moment. Their sum is shared_objects_bound(): no set of objects takes less in total. It is at least LOAD. O(n
// · live buffers).
[[nodiscard]] std::vector<Bytes> positional_maxima(const Problem& problem);
[[nodiscard]] Bytes shared_objects_bound(const Problem& problem);

// Returns the outcome where the buffers choose their objects in this order, each by assign_by_size().
[[nodiscard]] Outcome share_in_order(const Problem& problem, std::span<const BufferIndex> order,
                                     LargeEnough choice);

// Returns the outcome of a plan made of objects; its note gives the bound for objects.
[[nodiscard]] Outcome conclude_objects(const Problem& problem, const SharedObjects& objects);

}  // namespace memo::planner
