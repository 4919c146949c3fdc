// Chooses the place of each block in a trace that keeps the newest passes: the file is a ring of chunks, as
// many as its size allows.
//
//     | lasting | events | events | lasting | events | …
//                  ^ reused first, then the next one; lasting chunks are skipped
//
// Blocks that events refer to (the process, its modules, names and stacks) last; blocks of events give way to
// newer ones, a chunk at a time. No block crosses the end of a chunk, so that a chunk can be emptied without
// harming its neighbours.
//
// Threads that write at the same time get places that do not overlap, without a lock. The price: if a thread
// gets a place or a chunk, and sleeps before it uses it until the others have gone round the ring once, it
// overwrites a block or a chunk of theirs. Checksums and the numbers of blocks show this.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::guest {

class TraceRing {
 public:
  static constexpr std::uint64_t kChunkBytes = 1U << 20;
  static constexpr std::uint64_t kFewestChunks = 4;  // one lasting, one to write, two complete ones to read
  static constexpr std::uint64_t kMostChunks = 1U << 16;
  static constexpr std::uint64_t kNoPlace = UINT64_MAX;

  enum class Use : std::uint8_t { kLasting, kEvents };

  // Begins an empty file of this size, or of the nearest one that the constants above allow.
  void start(std::uint64_t most_bytes);

  // Returns the offset where the caller may write `bytes`, at most a chunk; kNoPlace if lasting blocks have
  // filled the file. Calls `empty(offset)` for a chunk before it is used again.
  template <typename Empty>
  std::uint64_t place(Use use, std::size_t bytes, Empty empty) {
    std::uint64_t& end = use == Use::kLasting ? lasting_end_ : events_end_;
    for (;;) {
      std::uint64_t before = __atomic_load_n(&end, __ATOMIC_RELAXED);
      if (fits(before, bytes)) {
        if (move(end, before, before + bytes)) return before;
        continue;
      }
      const Chunk chunk = take_chunk();
      if (chunk.begin == kNoPlace) return kNoPlace;
      if (chunk.used_before) empty(chunk.begin);
      if (!move(end, before, chunk.begin + bytes)) {  // another thread was first: this one uses that chunk
        put_by(chunk.begin);
        continue;
      }
      if (use == Use::kLasting) make_lasting(chunk.begin / kChunkBytes);
      return chunk.begin;
    }
  }

 private:
  static constexpr int kSpares = 8;  // chunks; a further one stays empty for one round of the ring

  // Returns true if the chunk in use has room for `bytes`. `end` is its first free byte, 0 if no chunk is in
  // use yet.
  static bool fits(std::uint64_t end, std::size_t bytes) {
    return end != 0 && (end - 1) / kChunkBytes == (end - 1 + bytes) / kChunkBytes;
  }
  static bool move(std::uint64_t& end, std::uint64_t from, std::uint64_t to) {
    return __atomic_compare_exchange_n(&end, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }

  struct Chunk {
    std::uint64_t begin;
    bool used_before;
  };
  Chunk take_chunk();
  void put_by(std::uint64_t chunk_begin);
  void make_lasting(std::uint64_t chunk);
  [[nodiscard]] bool lasts(std::uint64_t chunk) const;

  std::uint64_t chunks_ = 0;
  std::uint64_t taken_ = 0;  // chunks taken so far, including skipped lasting ones
  std::uint64_t lasting_end_ = 0;
  std::uint64_t events_end_ = 0;
  std::uint64_t spare_[kSpares] = {};  // begin + 1 of empty, unused chunks; 0 for none
  std::uint64_t lasting_[kMostChunks / 64] = {};
};

}  // namespace memo::guest
