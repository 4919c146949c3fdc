// The dynamic storage allocation problem: buffers with known lifetimes and one contiguous slab. A solution is
// an offset for each buffer.
//
//   address
//     ^        +-------------+
//     |   +----|      b      |---+      a and c never live together, so they may share bytes;
//     |   | a  +-------------+ c |      b overlaps both in time and must lie elsewhere.
//     |   +----+         +-------+
//     +---------------------------------> time
//
// The height of a plan is the largest end of any buffer; LOAD, the peak of the bytes alive at one moment,
// bounds it from below.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace memo::planner {

using Time = std::int64_t;
using Bytes = std::int64_t;
using Offset = std::int64_t;
using BufferIndex = std::uint32_t;

// Half-open: alive from `begin` up to, not including, `end`.
struct Lifetime {
  Time begin = 0;
  Time end = 0;

  [[nodiscard]] bool overlaps(const Lifetime& other) const { return begin < other.end && other.begin < end; }
  [[nodiscard]] Time length() const { return end - begin; }
  friend bool operator==(const Lifetime&, const Lifetime&) = default;
};

struct Buffer {
  Lifetime life;
  Bytes size = 0;
  Bytes alignment = 1;          // any positive number; a buffer's offset is a multiple of it
  std::optional<Offset> fixed;  // its place, where the caller has decided it
  friend bool operator==(const Buffer&, const Buffer&) = default;
};

// Buffers are named by their index. `capacity` is the most bytes a plan may use; without it, the height is
// minimised.
struct Problem {
  std::vector<Buffer> buffers;
  std::optional<Bytes> capacity;
};

// offsets[i] is the place of buffers[i].
using Offsets = std::vector<Offset>;

// Returns LOAD: the peak of live bytes (alignment and fixed places can only force more).
[[nodiscard]] Bytes peak_live_bytes(const Problem& problem);

// Returns the end of the highest buffer; 0 for no buffers.
[[nodiscard]] Bytes height(const Problem& problem, const Offsets& offsets);

}  // namespace memo::planner
