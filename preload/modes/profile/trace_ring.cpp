#include "preload/modes/profile/trace_ring.h"

#include <cstring>

namespace memo::guest {

void TraceRing::start(std::uint64_t most_bytes) {
  const std::uint64_t asked = most_bytes / kChunkBytes;
  chunks_ = asked < kFewestChunks ? kFewestChunks : asked > kMostChunks ? kMostChunks : asked;
  taken_ = 0;
  lasting_end_ = 0;
  events_end_ = 0;
  std::memset(spare_, 0, sizeof spare_);
  std::memset(lasting_, 0, sizeof lasting_);
}

bool TraceRing::lasts(std::uint64_t chunk) const {
  return (__atomic_load_n(&lasting_[chunk / 64], __ATOMIC_RELAXED) >> chunk % 64 & 1) != 0;
}

void TraceRing::make_lasting(std::uint64_t chunk) {
  __atomic_fetch_or(&lasting_[chunk / 64], std::uint64_t{1} << chunk % 64, __ATOMIC_RELAXED);
}

void TraceRing::put_by(std::uint64_t chunk_begin) {
  for (std::uint64_t& spare : spare_) {
    std::uint64_t none = 0;
    if (__atomic_compare_exchange_n(&spare, &none, chunk_begin + 1, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      return;
    }
  }
}

TraceRing::Chunk TraceRing::take_chunk() {
  for (std::uint64_t& spare : spare_) {
    const std::uint64_t found = __atomic_exchange_n(&spare, 0, __ATOMIC_RELAXED);
    if (found != 0) return {found - 1, false};
  }
  for (std::uint64_t tried = 0; tried < chunks_; ++tried) {
    const std::uint64_t number = __atomic_fetch_add(&taken_, 1, __ATOMIC_RELAXED);
    const std::uint64_t chunk = number % chunks_;
    if (!lasts(chunk)) return {chunk * kChunkBytes, number >= chunks_};
  }
  return {kNoPlace, false};
}

}  // namespace memo::guest
