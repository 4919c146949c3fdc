// Pointers with a tag in their top 16 bits: the form in which the profiler names an allocation, for frameworks
// that want to hold such names themselves.
//
//   63      48 47                                  0
//   +---------+------------------------------------+
//   |   tag   |              address               |
//   +---------+------------------------------------+
//
// A processor wants the top bits of an address to be copies of its highest address bit ("canonical"): zeros for
// programs, ones for kernels. canonicalize puts them back, so a tagged pointer is used like any other.
#ifndef MEMOMALLOC_TAGGED_PTR_H
#define MEMOMALLOC_TAGGED_PTR_H

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace memo {

inline constexpr int kTagBits = 16;
inline constexpr int kAddressBits = 64 - kTagBits;

// Returns the address that a word names, whatever its top bits hold, where addresses have `address_bits`: 48
// for x86-64 with four levels of page tables and for AArch64; 57 for x86-64 with five, which leave seven bits
// for tags. Costs two shifts.
template <int address_bits = kAddressBits>
constexpr std::uint64_t canonicalize(std::uint64_t tagged) {
  static_assert(address_bits > 0 && address_bits < 64);
  constexpr int kSpare = 64 - address_bits;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(tagged << kSpare) >> kSpare);
}

template <int address_bits = kAddressBits, typename T>
T* canonicalize(T* tagged) {
  return reinterpret_cast<T*>(canonicalize<address_bits>(reinterpret_cast<std::uint64_t>(tagged)));
}

constexpr std::uint16_t tag_of(std::uint64_t tagged) {
  return static_cast<std::uint16_t>(tagged >> kAddressBits);
}

constexpr std::uint64_t with_tag(std::uint64_t address, std::uint16_t tag) {
  return std::uint64_t{tag} << kAddressBits | (address & ((std::uint64_t{1} << kAddressBits) - 1));
}

// A pointer with a tag. Comparison takes the whole word: two pointers to one address are equal only if they
// name the same allocation. Arithmetic keeps the tag. Dereferencing costs two shifts more than for a plain
// pointer.
template <typename T>
// NOLINTNEXTLINE(readability-identifier-naming): named as the pointers of the standard library are
class tagged_ptr {
 public:
  using element_type = T;

  constexpr tagged_ptr() = default;
  constexpr tagged_ptr(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): as for plain pointers
  explicit constexpr tagged_ptr(std::uint64_t tagged) : word_(tagged) {}
  tagged_ptr(T* pointer, std::uint16_t tag)
      : word_(with_tag(reinterpret_cast<std::uint64_t>(pointer), tag)) {}

  [[nodiscard]] T* get() const { return reinterpret_cast<T*>(canonicalize(word_)); }
  [[nodiscard]] constexpr std::uint16_t tag() const { return tag_of(word_); }
  [[nodiscard]] constexpr std::uint64_t word() const { return word_; }

  // void has no reference: the operators below are those of a pointer to an object.
  template <typename U = T>
  [[nodiscard]] std::add_lvalue_reference_t<U> operator*() const {
    return *get();
  }
  T* operator->() const { return get(); }
  template <typename U = T>
  [[nodiscard]] std::add_lvalue_reference_t<U> operator[](std::ptrdiff_t i) const {
    return get()[i];
  }
  explicit constexpr operator bool() const { return canonicalize(word_) != 0; }

  template <typename U = T>
  tagged_ptr& operator+=(std::ptrdiff_t count) {
    word_ = with_tag(word_ + static_cast<std::uint64_t>(count) * sizeof(U), tag());
    return *this;
  }
  friend tagged_ptr operator+(tagged_ptr pointer, std::ptrdiff_t count) { return pointer += count; }
  friend tagged_ptr operator-(tagged_ptr pointer, std::ptrdiff_t count) { return pointer += -count; }
  tagged_ptr& operator++() { return *this += 1; }
  tagged_ptr& operator--() { return *this += -1; }

  friend constexpr bool operator==(tagged_ptr a, tagged_ptr b) { return a.word_ == b.word_; }
  friend constexpr bool operator!=(tagged_ptr a, tagged_ptr b) { return a.word_ != b.word_; }

 private:
  std::uint64_t word_ = 0;
};

}  // namespace memo

#endif
