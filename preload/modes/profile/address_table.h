// The recorder's knowledge of every block, kept beside the heap and not in it: records in leaves that are mapped on demand. A
// block's record lies in the series for its size: of blocks with at least 2^k bytes, at most one begins in each 2^k bytes, so that
// one record of 16 bytes for each 2^k bytes of address space does, and says where in them the block begins.
//
//   address    | 47 … 26 | 25 … k | k-1 … 4 |      roots_[address >> 26] -> Leaf
//                  |         |         |           Leaf::pages[(address >> 12) & mask]: of which series blocks began in the page
//                root      record    place         series k of Leaf::records[(address >> k) & mask]
//
// A word beside the block would not do: the generation of an address must outlive the block, alignment 4096
// leaves no room in front of the block, and the recorder must recognise foreign pointers without touching the
// memory before them. A hash table would need locks, probes and resizing; this table takes one load from the
// root, one for the page and one from the record. It reserves twice as much address space as the heap has and touches 16
// bytes for each block's place, which is at most as much as the block for one of 16 bytes and a hundredth for one of 2 KiB;
// untouched parts of a leaf cost nothing.
//
// Generations count up in each place. Each series begins at another number: a block that follows one of another series at the
// same address has another generation.
//
// A record belongs to the thread that owns the block of its place: only that thread writes the record. Other
// threads (memo_identify) read the state either before or after the change.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::guest {

// The facts about one live block.
struct BlockInfo {
  std::uintptr_t address;
  std::uint64_t size;
  std::uint16_t tag;
  std::uint32_t pass;   // 0 outside passes
  std::uint32_t scope;  // name id, 0 for none; the table keeps 16 bits
};

class AddressTable {
 public:
  // Maps the roots. Returns false if the kernel has no address space left.
  bool start();

  // Begins a new generation for the block at `address` and writes its tag to info.tag. Sets `wrapped` to
  // whether the 16-bit generation started over at 0. Returns false if there is no memory for the leaf; the
  // block stays unknown.
  bool claim(std::uintptr_t address, BlockInfo& info, bool& wrapped);

  // Ends the block at `address`. Returns false if the table has no live block there: a foreign pointer, or a
  // block that an earlier free has ended.
  bool retire(std::uintptr_t address, BlockInfo& info);

  // Finds the live block that begins at `address`.
  [[nodiscard]] bool find_block(std::uintptr_t address, BlockInfo& info) const;

  // forget() forgets all blocks and gives the memory of the records back. begin_anew() makes claims count
  // again; blocks claimed between the two calls stay unknown.
  void forget();
  void begin_anew();

  // Returns how many bytes of the table have been touched, at most; the rest costs no memory. Reads 32 KiB for each 64
  // MiB of the heap.
  [[nodiscard]] std::uint64_t bytes_in_use() const;

  // Finds the live block that holds the byte at `inside`. Walks down from there, to the lowest leaf at most,
  // which takes microseconds.
  [[nodiscard]] bool find_holder(std::uintptr_t inside, BlockInfo& info) const;

 private:
  struct Record {
    std::uint64_t tag_place_and_size;  // tag << 48 | place << 40 | size
    std::uint64_t pass_and_scope;      // live << 63 | pass << 32 | epoch << 16 | scope
  };
  struct Leaf;

  [[nodiscard]] Leaf* leaf_of(std::uintptr_t address) const;
  Leaf* make_leaf(std::uintptr_t address);
  void reach_down_to(std::uintptr_t address);
  static void begin_in_page(Leaf& leaf, std::uintptr_t address, int series);
  static void end_unseen(Leaf& leaf, std::uintptr_t address, unsigned series);
  [[nodiscard]] Record* find_record(Leaf& leaf, std::uintptr_t address, BlockInfo& info) const;
  [[nodiscard]] bool read(const Record& record, std::uintptr_t place_begin, BlockInfo& info) const;
  bool find_in_series(const Leaf& leaf, int series, std::uintptr_t page, std::uintptr_t last,
                      BlockInfo& info) const;
  bool find_in_leaf(const Leaf& leaf, std::uintptr_t last, BlockInfo& info) const;

  Leaf** roots_ = nullptr;
  Leaf* leaves_ = nullptr;   // list of all leaves, newest first
  std::uint16_t epoch_ = 1;  // epoch of the records that count; 0 between forget() and begin_anew()
  std::uint16_t epochs_ = 1;
  std::uintptr_t lowest_ = UINTPTR_MAX;  // begin of the lowest leaf
};

}  // namespace memo::guest
