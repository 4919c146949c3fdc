#include "preload/modes/profile/address_table.h"

#include "runtime/platform/pages.h"

namespace memo::guest {
namespace {

constexpr int kAddressBits = 48;
constexpr int kLeafBits = 26;
constexpr int kPageBits = 12;
constexpr int kSizeBits = 40;
constexpr int kPlaceShift = kSizeBits;
constexpr int kTagShift = 48;
constexpr std::uintptr_t kLeafBytes = std::uintptr_t{1} << kLeafBits;
constexpr std::uintptr_t kPageBytes = std::uintptr_t{1} << kPageBits;
constexpr std::size_t kRoots = std::size_t{1} << (kAddressBits - kLeafBits);
constexpr std::size_t kPages = std::size_t{1} << (kLeafBits - kPageBits);
constexpr std::uint64_t kSizeMask = (std::uint64_t{1} << kSizeBits) - 1;
constexpr std::uint64_t kPlaceMask = 0xff;
constexpr std::uint64_t kLive = std::uint64_t{1} << 63;
constexpr std::uint32_t kPassMask = 0x7fffffff;
constexpr std::uint32_t kScopeMask = 0xffff;
constexpr int kEpochShift = 16;

// The series, each named by the bits of its blocks' least size. Blocks begin at multiples of 16; more than a page parts those of
// the last one.
constexpr int kFirstSeries = 4;
constexpr int kLastSeries = kPageBits;

int series_of(std::uint64_t size) {
  const int bits = 63 - __builtin_clzll(size | (std::uint64_t{1} << kFirstSeries));
  return bits < kLastSeries ? bits : kLastSeries;
}
constexpr unsigned bit_of(int series) {
  return 1U << (series - kFirstSeries);
}
int first_series_in(unsigned bits) {
  return __builtin_ctz(bits) + kFirstSeries;
}

// The series follow one another in a leaf, each half as long as the one before it.
constexpr std::size_t first_record_of(int series) {
  return (std::size_t{1} << (kLeafBits - kFirstSeries + 1)) - (std::size_t{1} << (kLeafBits - series + 1));
}
constexpr std::size_t kRecords = first_record_of(kLastSeries + 1);

std::size_t record_index(std::uintptr_t address, int series) {
  return first_record_of(series) + ((address & (kLeafBytes - 1)) >> series);
}
std::uintptr_t place_begin(std::uintptr_t address, int series) {
  return address >> series << series;
}
std::size_t page_index(std::uintptr_t address) {
  return (address >> kPageBits) & (kPages - 1);
}

// Number of the first generation but one: so many blocks of one series in a place, and the next series' numbers begin.
constexpr std::uint16_t generation_before_first(int series) {
  return static_cast<std::uint16_t>((series - kFirstSeries) << 12);
}

// Small blocks come in crowds, so the records of so much of the heap get their memory at once where the first small block
// begins: a fault costs microseconds, and each page of a young heap would have one more.
constexpr int kCrowdBits = 16;

// Returns of how many bytes of the heap, as bits, the records of this series get memory together.
constexpr int bits_that_get_memory(int series) {
  constexpr int kRecordBits = 4;
  const int for_a_page = kPageBits - kRecordBits + series;
  return for_a_page < kCrowdBits ? kCrowdBits : for_a_page;
}
constexpr std::size_t records_that_get_memory(int series) {
  return std::size_t{1} << (bits_that_get_memory(series) - series);
}

unsigned series_in(const std::uint16_t& page) {
  return __atomic_load_n(&page, __ATOMIC_RELAXED);
}

bool in_range(std::uintptr_t address) {
  return address >> kAddressBits == 0;
}

}  // namespace

struct AddressTable::Leaf {
  Record records[kRecords];
  std::uint16_t pages[kPages];  // the series, a bit each, of which blocks began there
  Leaf* next;
};

bool AddressTable::start() {
  using Roots = Leaf* [kRoots];
  if (roots_ == nullptr) roots_ = static_cast<Leaf**>(runtime::map_sparse_pages(sizeof(Roots)));
  return roots_ != nullptr;
}

AddressTable::Leaf* AddressTable::leaf_of(std::uintptr_t address) const {
  if (!in_range(address)) return nullptr;
  return __atomic_load_n(&roots_[address >> kLeafBits], __ATOMIC_ACQUIRE);
}

void AddressTable::reach_down_to(std::uintptr_t address) {
  std::uintptr_t lowest = __atomic_load_n(&lowest_, __ATOMIC_RELAXED);
  while (address < lowest && !__atomic_compare_exchange_n(&lowest_, &lowest, address, false, __ATOMIC_RELAXED,
                                                          __ATOMIC_RELAXED)) {
  }
}

[[gnu::cold, gnu::noinline]] AddressTable::Leaf* AddressTable::make_leaf(std::uintptr_t address) {
  if (!in_range(address)) return nullptr;
  auto* fresh = static_cast<Leaf*>(runtime::map_sparse_pages(sizeof(Leaf)));
  if (fresh == nullptr) return nullptr;
  reach_down_to(address & ~(kLeafBytes - 1));
  Leaf* expected = nullptr;
  if (!__atomic_compare_exchange_n(&roots_[address >> kLeafBits], &expected, fresh, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    runtime::unmap_pages(fresh, sizeof(Leaf));
    return expected;
  }
  fresh->next = __atomic_load_n(&leaves_, __ATOMIC_RELAXED);
  while (
      !__atomic_compare_exchange_n(&leaves_, &fresh->next, fresh, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  return fresh;
}

// Private pages that are given back read as zeroes, as in a new leaf. The table does not depend on that:
// readers ignore records of another epoch.
void AddressTable::forget() {
  __atomic_store_n(&epoch_, std::uint16_t{0}, __ATOMIC_SEQ_CST);
  constexpr std::size_t kForgotten = offsetof(Leaf, next);
  static_assert(kForgotten % (std::size_t{1} << kPageBits) == 0, "the link shares no page with the records");
  for (Leaf* leaf = __atomic_load_n(&leaves_, __ATOMIC_ACQUIRE); leaf != nullptr; leaf = leaf->next)
    runtime::empty_pages(leaf, kForgotten);
}

std::uint64_t AddressTable::bytes_in_use() const {
  std::uint64_t bytes = 0;
  for (const Leaf* leaf = __atomic_load_n(&leaves_, __ATOMIC_ACQUIRE); leaf != nullptr; leaf = leaf->next) {
    bytes += kPageBytes;  // the page that holds the link
    std::size_t counted[kLastSeries + 1] = {};
    for (std::size_t page = 0; page < kPages; ++page) {
      for (unsigned left = series_in(leaf->pages[page]); left != 0; left &= left - 1) {
        const int series = first_series_in(left);
        if (page < counted[series]) continue;
        const std::size_t together = std::size_t{1} << (bits_that_get_memory(series) - kPageBits);
        counted[series] = (page | (together - 1)) + 1;
        bytes += records_that_get_memory(series) * sizeof(Record);
      }
    }
  }
  return bytes;
}

// Epochs repeat after 65,535 calls: a record would then count again if no thread has written it since, and its
// page was never given back.
void AddressTable::begin_anew() {
  if (++epochs_ == 0) ++epochs_;
  __atomic_store_n(&epoch_, epochs_, __ATOMIC_RELEASE);
}

// Notes that a block of the series begins in this page. The first one of a crowd gives the records of all of it their memory;
// where the kernel refuses, each page of them faults when it is touched.
[[gnu::cold, gnu::noinline]] void AddressTable::begin_in_page(Leaf& leaf, std::uintptr_t address,
                                                              int series) {
  const std::uintptr_t crowd_bytes = std::uintptr_t{1} << bits_that_get_memory(series);
  const std::size_t first = page_index(address & ~(crowd_bytes - 1));
  bool is_first = true;
  for (std::size_t page = first; page < first + (crowd_bytes >> kPageBits); ++page)
    is_first = is_first && (series_in(leaf.pages[page]) & bit_of(series)) == 0;
  const std::size_t bytes = records_that_get_memory(series) * sizeof(Record);
  if (is_first && bytes > kPageBytes)
    runtime::populate_pages_in_use(&leaf.records[record_index(first << kPageBits, series)], bytes);
  __atomic_fetch_or(&leaf.pages[page_index(address)], static_cast<std::uint16_t>(bit_of(series)),
                    __ATOMIC_RELAXED);
}

// Ends what the table may still hold at this address in the series: the end of that block was not seen.
[[gnu::noinline]] void AddressTable::end_unseen(Leaf& leaf, std::uintptr_t address, unsigned series) {
  for (; series != 0; series &= series - 1) {
    const int one = first_series_in(series);
    Record& record = leaf.records[record_index(address, one)];
    const std::uint64_t named = __atomic_load_n(&record.tag_place_and_size, __ATOMIC_RELAXED);
    const std::uint64_t place = (address - place_begin(address, one)) >> kFirstSeries;
    if ((named >> kPlaceShift & kPlaceMask) == place)
      __atomic_store_n(&record.pass_and_scope, std::uint64_t{0}, __ATOMIC_RELEASE);
  }
}

// Takes three loads and three stores: 2 ns if the lines are in the cache, as they are for a block that was just
// freed.
bool AddressTable::claim(std::uintptr_t address, BlockInfo& info, bool& wrapped) {
  Leaf* leaf = leaf_of(address);
  if (leaf == nullptr) leaf = make_leaf(address);
  if (leaf == nullptr || info.size > kSizeMask) return false;
  const int series = series_of(info.size);
  const unsigned began = series_in(leaf->pages[page_index(address)]);
  if ((began & bit_of(series)) == 0) begin_in_page(*leaf, address, series);
  if ((began & ~bit_of(series)) != 0) end_unseen(*leaf, address, began & ~bit_of(series));
  Record& record = leaf->records[record_index(address, series)];
  const std::uint64_t old = __atomic_load_n(&record.tag_place_and_size, __ATOMIC_RELAXED);
  const auto before =
      old == 0 ? generation_before_first(series) : static_cast<std::uint16_t>(old >> kTagShift);
  info.address = address;
  info.tag = static_cast<std::uint16_t>(before + 1);
  const std::uint64_t place = (address - place_begin(address, series)) >> kFirstSeries;
  const std::uint64_t epoch = __atomic_load_n(&epoch_, __ATOMIC_ACQUIRE);
  __atomic_store_n(&record.tag_place_and_size,
                   std::uint64_t{info.tag} << kTagShift | place << kPlaceShift | info.size, __ATOMIC_RELAXED);
  __atomic_store_n(
      &record.pass_and_scope,
      kLive | std::uint64_t{info.pass & kPassMask} << 32 | epoch << kEpochShift | (info.scope & kScopeMask),
      __ATOMIC_RELEASE);
  wrapped = info.tag == 0;
  return true;
}

// Loads the state twice: the second load tells whether the page was given back between the two.
bool AddressTable::read(const Record& record, std::uintptr_t place_begin, BlockInfo& info) const {
  const std::uint64_t state = __atomic_load_n(&record.pass_and_scope, __ATOMIC_ACQUIRE);
  const std::uint16_t epoch = __atomic_load_n(&epoch_, __ATOMIC_ACQUIRE);
  if ((state & kLive) == 0 || epoch == 0 || static_cast<std::uint16_t>(state >> kEpochShift) != epoch)
    return false;
  const std::uint64_t named = __atomic_load_n(&record.tag_place_and_size, __ATOMIC_ACQUIRE);
  if (__atomic_load_n(&record.pass_and_scope, __ATOMIC_RELAXED) != state) return false;
  info.address = place_begin + ((named >> kPlaceShift & kPlaceMask) << kFirstSeries);
  info.tag = static_cast<std::uint16_t>(named >> kTagShift);
  info.size = named & kSizeMask;
  info.pass = static_cast<std::uint32_t>(state >> 32) & kPassMask;
  info.scope = static_cast<std::uint32_t>(state) & kScopeMask;
  return true;
}

// Finds the record of the live block that begins at the address, and reads it; nullptr if there is none.
AddressTable::Record* AddressTable::find_record(Leaf& leaf, std::uintptr_t address, BlockInfo& info) const {
  for (unsigned left = series_in(leaf.pages[page_index(address)]); left != 0; left &= left - 1) {
    const int series = first_series_in(left);
    Record& record = leaf.records[record_index(address, series)];
    if (read(record, place_begin(address, series), info) && info.address == address) return &record;
  }
  return nullptr;
}

bool AddressTable::retire(std::uintptr_t address, BlockInfo& info) {
  Leaf* leaf = leaf_of(address);
  Record* record = leaf == nullptr ? nullptr : find_record(*leaf, address, info);
  if (record == nullptr) return false;
  __atomic_store_n(&record->pass_and_scope, std::uint64_t{0}, __ATOMIC_RELEASE);
  return true;
}

bool AddressTable::find_block(std::uintptr_t address, BlockInfo& info) const {
  Leaf* leaf = leaf_of(address);
  return leaf != nullptr && find_record(*leaf, address, info) != nullptr;
}

// Finds the highest live block of the series that begins in the page and at or below `last`.
bool AddressTable::find_in_series(const Leaf& leaf, int series, std::uintptr_t page, std::uintptr_t last,
                                  BlockInfo& info) const {
  const std::uintptr_t end = page + kPageBytes - 1;
  const std::uintptr_t step = std::uintptr_t{1} << series;
  for (std::uintptr_t place = place_begin(last < end ? last : end, series) + step; place > page;) {
    place -= step;
    if (read(leaf.records[record_index(place, series)], place, info) && info.address <= last) return true;
  }
  return false;
}

// Finds the highest live block of the leaf that begins at or below `last`, an address in it.
bool AddressTable::find_in_leaf(const Leaf& leaf, std::uintptr_t last, BlockInfo& info) const {
  const std::uintptr_t base = last & ~(kLeafBytes - 1);
  for (std::size_t page = page_index(last) + 1; page-- > 0;) {
    bool found = false;
    for (unsigned left = series_in(leaf.pages[page]); left != 0; left &= left - 1) {
      BlockInfo one;
      if (!find_in_series(leaf, first_series_in(left), base + (page << kPageBits), last, one)) continue;
      if (!found || one.address > info.address) info = one;
      found = true;
    }
    if (found) return true;
  }
  return false;
}

bool AddressTable::find_holder(std::uintptr_t inside, BlockInfo& info) const {
  if (!in_range(inside)) return false;
  for (std::uintptr_t last = inside;;) {
    const Leaf* leaf = leaf_of(last);
    if (leaf != nullptr && find_in_leaf(*leaf, last, info)) break;
    const std::uintptr_t base = last & ~(kLeafBytes - 1);
    if (base <= __atomic_load_n(&lowest_, __ATOMIC_RELAXED)) return false;
    last = base - 1;
  }
  return inside - info.address < info.size || inside == info.address;
}

}  // namespace memo::guest
