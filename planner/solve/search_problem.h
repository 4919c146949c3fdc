// A problem in the layout for searching: buffers sorted by birth, with their neighbours and the members of each
// section in flat lists. Immutable, so that searches on several threads share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

using Section = std::uint32_t;

class SearchProblem {
 public:
  static constexpr BufferIndex kNobody = ~BufferIndex{0};

  struct Item {
    Bytes size;
    Bytes padded;  // size rounded up to the granule
    Bytes alignment;
    Section first;  // alive in sections first … last - 1
    Section last;
    BufferIndex twin;      // the buffer just before, in index, that is alike in everything; or kNobody
    BufferIndex original;  // its index in the original problem
    Offset fixed;          // the fixed place; or -1
  };

  explicit SearchProblem(const Problem& problem);

  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] const Item& operator[](BufferIndex index) const { return items_[index]; }
  [[nodiscard]] Section sections() const { return static_cast<Section>(section_sum_.size()); }
  [[nodiscard]] std::span<const BufferIndex> neighbours(BufferIndex index) const {
    return neighbours_.of(index);
  }
  [[nodiscard]] std::span<const BufferIndex> members(Section section) const { return members_.of(section); }
  // Returns the sum of the padded sizes of the section's members.
  [[nodiscard]] Bytes section_sum(Section section) const { return section_sum_[section]; }
  // Returns the first buffer born in `section` or later. Buffers are in the order of their first sections.
  [[nodiscard]] BufferIndex first_born_in(Section section) const { return born_[section]; }
  // Returns the granule in bytes: every offset of every plan is a multiple of it.
  [[nodiscard]] Bytes granule() const { return granule_; }

 private:
  // Lists of buffers, one after the other in one array.
  struct Lists {
    std::vector<std::size_t> begin;
    std::vector<BufferIndex> values;
    [[nodiscard]] std::span<const BufferIndex> of(std::size_t list) const {
      return {values.data() + begin[list], values.data() + begin[list + 1]};
    }
  };

  void read_items(const Problem& problem);
  void link_twins();
  void list_members();
  void list_neighbours();

  std::vector<Item> items_;
  std::vector<Bytes> section_sum_;
  std::vector<BufferIndex> born_;
  Lists neighbours_;
  Lists members_;
  Bytes granule_ = 1;
};

// Returns the bytes that a SearchProblem would need for its lists; quadratic in the worst case. O(n log n).
[[nodiscard]] std::size_t search_problem_bytes(const Problem& problem);

}  // namespace memo::planner
