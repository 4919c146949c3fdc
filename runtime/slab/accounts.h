// Whether serving is worth it: what it costs beyond the heap alone, against what it saves.
//
// Each kind of pass (its key) has an account. A pass that ends is charged for beginning and ending, for each search that found
// nothing, and for the pages that serving made the process touch anew (what the heap gave back, what a fresh lane needs), and
// credited for each block that it was served. Where the losses of a kind are a 64th of its time, serving stands aside for
// it: its passes go to the heap alone, without a lane and without a search. It is tried again after a rest; each time that it
// did not help the rest is four times as long.
//
//   serving ──(lost 1.6 % of the time, and 10 ms)──► aside, for 2 s, 8 s, … 10 min ──► serving, on trial
//      ▲                                                                                  │
//      └──────────────────────(2 s of passes, and no loss)────────────────────────────────┘
//
// The prices are measured in the process itself. Until that was done, as in a test or in a program that embeds the arena
// without asking for it, nothing is ever judged.
#pragma once

#include <atomic>
#include <cstdint>

namespace memo::runtime {

// In ticks of the processor.
struct Prices {
  std::uint64_t block;   // of the heap: allocated and freed again
  std::uint64_t page;    // touched for the first time
  std::uint64_t second;  // how many ticks it has; 0: not measured
};

// What one pass did.
struct PassBill {
  std::uint64_t ticks;        // from its begin to its end
  std::uint64_t own_ticks;    // of these, what beginning and searching took
  std::uint64_t served;       // blocks
  std::uint64_t fresh_pages;  // that serving made the process touch
};

// One kind's. Passes of several threads may settle at once: what is lost then is a pass's bill.
class Account {
 public:
  enum class Verdict { kServe, kStandAside };

  [[nodiscard]] bool is_aside() const { return aside_until_.load(std::memory_order_relaxed) != 0; }

  // A pass is to begin. False: it is the heap's. `now` in nanoseconds is asked for only where it matters.
  template <typename Clock>
  bool may_serve(Clock now) {
    const std::int64_t until = aside_until_.load(std::memory_order_relaxed);
    if (until == 0) [[likely]]
      return true;
    if (now() < until) return false;
    aside_until_.store(0, std::memory_order_relaxed);
    return true;
  }

  Verdict settle(const PassBill& bill, const Prices& prices);

  // How long, in nanoseconds.
  std::int64_t stand_aside(std::int64_t now);

  // Another plan serves: what was before says nothing of it.
  void forget();

 private:
  void begin_anew();

  std::atomic<std::int64_t> aside_until_{0};
  std::atomic<std::int64_t> loss_{0};   // in ticks, of the present stretch
  std::atomic<std::int64_t> ticks_{0};  // that the passes of it took
  std::atomic<std::uint32_t> trials_{0};
};

// Whether a user has to plan again where passes do not match any more, or the library does so by itself.
enum class WhoPlans { kUser, kLibrary };

// To be called once, where serving is to be judged. `allocate` and `release` are the heap's. Costs a tenth of a millisecond.
void measure_prices(void* (*allocate)(std::size_t bytes), void (*release)(void* block), WhoPlans who_plans);

// What a step of the arena's took that began then. Nothing for one that took too long to be its own work: the thread was
// interrupted, or did what it does once.
[[nodiscard]] std::uint64_t own_ticks_since(std::uint64_t begin);

// Asked before a pass of this key takes a lane. False: it is the heap's, and was counted.
[[nodiscard]] bool is_worth_serving(std::uint64_t pass_key);

// A served pass of this key has ended.
void settle_account(std::uint64_t pass_key, PassBill bill);

// Serving makes the process touch so many bytes anew: the pass that ends next pays for them.
void owe_pages_of(std::uint64_t bytes);

// Another plan is in force.
void forget_accounts();

struct AsideFigures {
  std::uint64_t passes;    // that were the heap's
  std::uint64_t kinds;     // aside now
  std::uint64_t of_kinds;  // that there are
};
[[nodiscard]] AsideFigures look_at_accounts();
void forget_aside_passes();

}  // namespace memo::runtime
