// A partial plan of the canonical search, built from the bottom up, with everything that follows from it.
//
//   address                       level(i): the lowest place that unplaced buffer i can still have
//     ^  . . . . . . . . roof     floor(s): the lowest level in section s; all unplaced members of s end up above it
//     |  |  rest(s)  |            rest(s):  the sum of their sizes
//     |  +-----------+ floor(s)
//     |  |// placed /|            Nothing fits if floor(s) + rest(s) exceeds the roof.
//     +----------------> time
//
// A buffer is *placed* at its level, and its neighbours rise above it; or it is *refused*, which means that it
// may not lie at its present level. The search only looks at plans in which every buffer rests on another one
// (or on 0). So a refused buffer must come to rest on a neighbour that is unplaced now: it rises to the least
// end such a neighbour can have, and rises again when that neighbour does. When a placement lifts the buffer,
// or ends exactly at its level, the buffer is free again.
//
// A trail undoes every change. A change costs the neighbours of the buffer, the sections between the first and
// the last of them, and the members of those sections whose lowest buffer moved.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/solve/refuted.h"
#include "planner/solve/rules.h"
#include "planner/solve/search_problem.h"

namespace memo::planner {

class PackingState {
 public:
  // A level above every real one: that of a placed buffer, and the floor of a section with nothing left to
  // place.
  static constexpr Offset kSettled = Offset{1} << 62;

  struct Mark {
    std::size_t trail;
    std::size_t refused;
  };

  PackingState(const SearchProblem& problem, const Rules& rules);

  // Removes all placements and refusals. Keeps the counts of the sections' failures.
  void reset(Bytes capacity);

  // Both return false on a contradiction; the caller must then undo the state.
  [[nodiscard]] bool place(BufferIndex buffer);
  [[nodiscard]] bool refuse(BufferIndex buffer);

  [[nodiscard]] Mark mark() const { return {trail_.size(), refused_list_.size()}; }
  void undo_to(const Mark& mark);

  [[nodiscard]] Offset level(BufferIndex buffer) const { return level_[buffer]; }
  [[nodiscard]] bool placed(BufferIndex buffer) const { return level_[buffer] == kSettled; }
  // Returns true if the buffer may be placed at its level now.
  [[nodiscard]] bool open(BufferIndex buffer) const { return !refused_[buffer] && !waits_for_twin(buffer); }
  [[nodiscard]] bool has_unplaced_neighbour(BufferIndex buffer) const;
  [[nodiscard]] Offset offset(BufferIndex buffer) const { return offset_[buffer]; }

  [[nodiscard]] bool finished(Section section) const { return left_[section] == 0; }
  // Returns true if no unplaced buffer is alive on both sides of the beginning of `section`.
  [[nodiscard]] bool cut_before(Section section) const { return crossing_[section] == 0; }
  // Returns the least room to spare in the sections of which the buffer is the lowest member.
  [[nodiscard]] Bytes slack(BufferIndex buffer) const;
  // Returns how often each section has failed. undo_to() does not change these counts.
  [[nodiscard]] const std::vector<std::uint64_t>& conflicts() const { return conflicts_; }
  void set_conflicts(const std::vector<std::uint64_t>& conflicts) { conflicts_ = conflicts; }

  // Returns the fingerprint of the unplaced buffers born in the sections begin … end - 1, and of their levels.
  [[nodiscard]] Fingerprint fingerprint(Section begin, Section end) const;

 private:
  enum class Change : std::uint32_t { kLevel, kPlacement, kRefusal, kFloor };
  struct Entry {
    Offset before;  // the level or the floor
    BufferIndex lowest;
    std::uint32_t index;
    Change change;
  };

  [[nodiscard]] bool waits_for_twin(BufferIndex buffer) const;
  void begin_change();
  void touch(BufferIndex buffer);
  [[nodiscard]] bool finish_change();
  [[nodiscard]] bool raise_neighbours(BufferIndex buffer, Offset top);
  [[nodiscard]] bool raise(BufferIndex buffer, Offset level);
  void set_level(BufferIndex buffer, Offset level);
  void set_refused(BufferIndex buffer, bool refused);
  void forget_refusals();
  [[nodiscard]] bool lift_refused();
  [[nodiscard]] bool lift(BufferIndex buffer, bool& moved);
  [[nodiscard]] bool refresh_sections();
  [[nodiscard]] bool refresh(Section section);
  void leave_sections(BufferIndex buffer);
  void return_to_sections(BufferIndex buffer);
  void undo(const Entry& entry);
  void update_fingerprint(BufferIndex buffer);

  const SearchProblem& problem_;
  Rules rules_;
  Bytes capacity_ = 0;
  Bytes roof_ = 0;  // the capacity in whole granules

  // Indexed by buffer.
  std::vector<Offset> level_;
  std::vector<Offset> offset_;
  std::vector<std::uint8_t> refused_;
  std::vector<BufferIndex> support_;  // of a refused buffer: the neighbour that its level comes from
  std::vector<std::uint64_t> moved_in_;
  std::vector<Fingerprint> fingerprint_;

  // Indexed by section.
  std::vector<Bytes> left_;
  std::vector<Offset> floor_;
  std::vector<BufferIndex> lowest_;  // a member at the floor
  std::vector<std::uint32_t> crossing_;
  std::vector<std::uint64_t> conflicts_;

  std::vector<Entry> trail_;
  std::vector<BufferIndex> refused_list_;  // may include buffers that are free again

  // The change in progress.
  std::uint64_t change_ = 0;
  Section touched_begin_ = 0;
  Section touched_end_ = 0;
};

}  // namespace memo::planner
