#include "preload/modes/profile/address_table.h"

#include "runtime/platform/pages.h"

namespace memo::guest {
namespace {

constexpr int kAddressBits = 48;
constexpr int kLeafBits = 26;
constexpr int kGranuleBits = 4;
constexpr int kPageBits = 12;
constexpr std::uintptr_t kLeafBytes = std::uintptr_t{1} << kLeafBits;
constexpr std::size_t kRoots = std::size_t{1} << (kAddressBits - kLeafBits);
constexpr std::size_t kRecords = std::size_t{1} << (kLeafBits - kGranuleBits);
constexpr std::size_t kPages = std::size_t{1} << (kLeafBits - kPageBits);
constexpr std::size_t kRecordsInPage = std::size_t{1} << (kPageBits - kGranuleBits);
constexpr std::uint64_t kSizeMask = (std::uint64_t{1} << 48) - 1;
constexpr std::uint64_t kLive = std::uint64_t{1} << 63;
constexpr std::uint32_t kPassMask = 0x7fffffff;
constexpr std::uint32_t kScopeMask = 0xffff;
constexpr int kEpochShift = 16;

std::size_t record_index(std::uintptr_t address) {
  return (address >> kGranuleBits) & (kRecords - 1);
}
std::size_t page_index(std::uintptr_t address) {
  return (address >> kPageBits) & (kPages - 1);
}

// Small blocks come in crowds, so the records of so many pages get their memory at once where the first small block
// begins: a fault costs microseconds, and each page of a young heap would have one more. A large block stands alone.
constexpr std::size_t kCrowdPages = 16;
constexpr std::uint64_t kLargestInACrowd = std::uint64_t{1} << kPageBits;  // bytes

// The states of a page of the heap.
constexpr std::uint8_t kUntouched = 0;
constexpr std::uint8_t kHasBlocks = 1;  // a block began there
constexpr std::uint8_t kReady = 2;      // its records have memory, and no block

bool in_range(std::uintptr_t address) {
  return address >> kAddressBits == 0;
}

}  // namespace

struct AddressTable::Leaf {
  Record records[kRecords];
  std::uint8_t pages[kPages];  // kUntouched, kHasBlocks or kReady; find_holder looks only where blocks began
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
  std::uint64_t pages = 0;
  for (const Leaf* leaf = __atomic_load_n(&leaves_, __ATOMIC_ACQUIRE); leaf != nullptr; leaf = leaf->next) {
    ++pages;  // the page that holds the link
    for (const std::uint8_t& page : leaf->pages)
      pages += __atomic_load_n(&page, __ATOMIC_RELAXED) != kUntouched;
  }
  static_assert(kRecordsInPage * sizeof(Record) == std::size_t{1} << kPageBits, "a page for each page");
  return pages << kPageBits;
}

// Epochs repeat after 65,535 calls: a record would then count again if no thread has written it since, and its
// page was never given back.
void AddressTable::begin_anew() {
  if (++epochs_ == 0) ++epochs_;
  __atomic_store_n(&epoch_, epochs_, __ATOMIC_RELEASE);
}

// Gives the records of the page's crowd their memory. Where the kernel refuses, each page faults when it is touched.
[[gnu::cold, gnu::noinline]] void AddressTable::make_ready(Leaf& leaf, std::size_t page) {
  const std::size_t first = page & ~(kCrowdPages - 1);
  if (!runtime::populate_pages_in_use(&leaf.records[first * kRecordsInPage], kCrowdPages << kPageBits))
    return;
  for (std::size_t i = first; i < first + kCrowdPages; ++i) {
    std::uint8_t untouched = kUntouched;
    __atomic_compare_exchange_n(&leaf.pages[i], &untouched, kReady, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
  }
}

// Takes three loads and three stores: 2 ns if the lines are in the cache, as they are for a block that was just
// freed.
bool AddressTable::claim(std::uintptr_t address, BlockInfo& info, bool& wrapped) {
  Leaf* leaf = leaf_of(address);
  if (leaf == nullptr) leaf = make_leaf(address);
  if (leaf == nullptr) return false;
  std::uint8_t& page = leaf->pages[page_index(address)];
  if (__atomic_load_n(&page, __ATOMIC_RELAXED) == kUntouched && info.size <= kLargestInACrowd)
    make_ready(*leaf, page_index(address));
  Record& record = leaf->records[record_index(address)];
  const std::uint64_t epoch = __atomic_load_n(&epoch_, __ATOMIC_ACQUIRE);
  const std::uint64_t old = __atomic_load_n(&record.tag_and_size, __ATOMIC_RELAXED);
  info.tag = static_cast<std::uint16_t>((old >> 48) + 1);
  wrapped = info.tag == 0;
  __atomic_store_n(&record.tag_and_size, std::uint64_t{info.tag} << 48 | info.size, __ATOMIC_RELAXED);
  __atomic_store_n(
      &record.pass_and_scope,
      kLive | std::uint64_t{info.pass & kPassMask} << 32 | epoch << kEpochShift | (info.scope & kScopeMask),
      __ATOMIC_RELEASE);
  __atomic_store_n(&page, kHasBlocks, __ATOMIC_RELAXED);
  return true;
}

// Loads the state twice: the second load tells whether the page was given back between the two.
bool AddressTable::read(const Record& record, BlockInfo& info) const {
  const std::uint64_t state = __atomic_load_n(&record.pass_and_scope, __ATOMIC_ACQUIRE);
  const std::uint16_t epoch = __atomic_load_n(&epoch_, __ATOMIC_ACQUIRE);
  if ((state & kLive) == 0 || epoch == 0 || static_cast<std::uint16_t>(state >> kEpochShift) != epoch)
    return false;
  const std::uint64_t named = __atomic_load_n(&record.tag_and_size, __ATOMIC_ACQUIRE);
  if (__atomic_load_n(&record.pass_and_scope, __ATOMIC_RELAXED) != state) return false;
  info.tag = static_cast<std::uint16_t>(named >> 48);
  info.size = named & kSizeMask;
  info.pass = static_cast<std::uint32_t>(state >> 32) & kPassMask;
  info.scope = static_cast<std::uint32_t>(state) & kScopeMask;
  return true;
}

bool AddressTable::retire(std::uintptr_t address, BlockInfo& info) {
  Leaf* leaf = leaf_of(address);
  if (leaf == nullptr) return false;
  Record& record = leaf->records[record_index(address)];
  info.address = address;
  if (!read(record, info)) return false;
  __atomic_store_n(&record.pass_and_scope, std::uint64_t{0}, __ATOMIC_RELEASE);
  return true;
}

bool AddressTable::find_block(std::uintptr_t address, BlockInfo& info) const {
  const Leaf* leaf = leaf_of(address);
  info.address = address;
  return leaf != nullptr && read(leaf->records[record_index(address)], info);
}

// Finds the highest live block of the leaf that begins at or below record `from`.
bool AddressTable::find_in_leaf(const Leaf& leaf, std::uintptr_t leaf_base, std::size_t from,
                                BlockInfo& info) const {
  for (std::size_t page = from / kRecordsInPage + 1; page-- > 0;) {
    if (__atomic_load_n(&leaf.pages[page], __ATOMIC_RELAXED) != kHasBlocks) continue;
    const std::size_t first = page * kRecordsInPage;
    const std::size_t last = from < first + kRecordsInPage ? from : first + kRecordsInPage - 1;
    for (std::size_t i = last + 1; i-- > first;) {
      info.address = leaf_base + (i << kGranuleBits);
      if (read(leaf.records[i], info)) return true;
    }
  }
  return false;
}

bool AddressTable::find_holder(std::uintptr_t inside, BlockInfo& info) const {
  if (!in_range(inside)) return false;
  std::uintptr_t base = inside & ~(kLeafBytes - 1);
  std::size_t from = record_index(inside);
  for (;;) {
    const Leaf* leaf = leaf_of(base);
    if (leaf != nullptr && find_in_leaf(*leaf, base, from, info)) break;
    if (base <= __atomic_load_n(&lowest_, __ATOMIC_RELAXED)) return false;
    base -= kLeafBytes;
    from = kRecords - 1;
  }
  return inside - info.address < info.size || inside == info.address;
}

}  // namespace memo::guest
