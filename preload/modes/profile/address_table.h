// What the recorder knows about every block, beside the heap and not in it: one record for each 16 bytes of address
// space, in leaves that are mapped on demand.
//
//   address    | 47 … 26 | 25 … 4 |            roots_[address >> 26] -> Leaf
//                  |          |                 Leaf::records[(address >> 4) & mask]
//                root       record
//
// Why not a word beside the block: the generation of an address must outlive the block, alignment 4096 leaves no room
// in front, and a pointer that is not ours must be told from one that is without touching the memory before it. Why
// not a hash table: this is one load from the root, one from the record, and no lock, probe or resize. It reserves as
// much address space as the heap has and touches 16 bytes for each block; untouched parts of a leaf cost nothing.
//
// A record belongs to whoever owns the block at its address: only that thread writes it. Readers of other threads
// (memo_identify) see either state.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::guest {

// Everything about one live block.
struct BlockInfo {
  std::uintptr_t address;
  std::uint64_t size;
  std::uint16_t tag;
  std::uint32_t pass;   // 0 outside passes
  std::uint32_t scope;  // name id, 0 for none; 16 bits are kept
};

class AddressTable {
 public:
  // Maps the roots; false where the kernel has no address space left.
  bool start();

  // The block at `address` begins a new generation; its tag is the result. `wrapped` tells that generations started
  // over. False: no memory for the leaf, the block stays unknown.
  bool claim(std::uintptr_t address, BlockInfo& info, bool& wrapped);

  // The block at `address` ends. False: not a block of ours (or already ended: only the first of two frees wins).
  bool retire(std::uintptr_t address, BlockInfo& info);

  [[nodiscard]] bool find_block(std::uintptr_t address, BlockInfo& info) const;

  // Nothing is known of any block any more, and the memory of the records goes back. What threads claim between the two is
  // not known either; afterwards every claim counts.
  void forget();
  void begin_anew();

  // What of it has been touched: nothing else costs memory. Looks at 16 KiB for each 64 MiB of the heap.
  [[nodiscard]] std::uint64_t bytes_in_use() const;

  // The live block that holds the byte at `inside`. Walks down from it, to the lowest leaf at most: microseconds.
  [[nodiscard]] bool find_holder(std::uintptr_t inside, BlockInfo& info) const;

 private:
  struct Record {
    std::uint64_t tag_and_size;    // tag << 48 | size
    std::uint64_t pass_and_scope;  // live << 63 | pass << 32 | epoch << 16 | scope
  };
  struct Leaf;

  [[nodiscard]] Leaf* leaf_of(std::uintptr_t address) const;
  Leaf* make_leaf(std::uintptr_t address);
  void reach_down_to(std::uintptr_t address);
  [[nodiscard]] bool read(const Record& record, BlockInfo& info) const;
  bool find_in_leaf(const Leaf& leaf, std::uintptr_t leaf_base, std::size_t from, BlockInfo& info) const;

  Leaf** roots_ = nullptr;
  Leaf* leaves_ = nullptr;   // all of them, newest first
  std::uint16_t epoch_ = 1;  // of the records that count; in between none does, and it is 0
  std::uint16_t epochs_ = 1;
  std::uintptr_t lowest_ = UINTPTR_MAX;  // address that has a leaf
};

}  // namespace memo::guest
