// Decides whether serving is worth it: compares what it costs beyond the heap alone with what it saves.
//
// Each kind of pass (its key) has an account. A pass that ends is charged for its begin and its end, for its
// searches, for hearing of operators, and for the pages that serving made the process touch anew (those that the
// heap gave back, those of a fresh lane; such pages must come more than once). It is credited for what each block that it
// was served would have cost more on the heap. Where a kind loses a 64th of its time, serving stands aside for it: its
// passes go to the heap alone, without a lane and without a search. After a rest the library tries it again; each time that
// this did not help, the rest is four times as long.
//
//   serving ──(lost 1.6 % of the time, and 5 ms)──► aside, for 2 s, 8 s, … 10 min ──► serving, on trial
//      ▲                                                                                  │
//      └──────────────────────(2 s of passes, and no loss)────────────────────────────────┘
//
// A pass that stands aside passes by: the library does not even see its allocations, since counting each would cost much
// of what standing aside saves. One such pass in sixteen is counted, and the others are taken to allocate as much. So do
// passes that no variant of the plan is for.
//
// Each thread of a server warms up once. So it may lose as many times 5 ms as threads run passes at once. What 32 threads lose on two
// processors counts against the time of these two: the others wait meanwhile.
//
// The library measures the prices in the process itself. Until it has, as in a test or in a program that embeds
// the arena without calling measure_prices(), serving never stands aside, and no pass passes by.
#pragma once

#include <atomic>
#include <cstdint>

namespace memo::runtime {

// Prices in ticks of the processor.
struct Prices {
  std::uint64_t block;       // allocating a small block from the heap and freeing it
  std::uint64_t more_bytes;  // what 64 KiB more in a block cost beyond that
  std::uint64_t page;        // touching a page for the first time
  std::uint64_t second;      // ticks in a second; 0: not measured yet
  std::uint32_t processors;  // that the process may run on
};

// The cost and the gain of one pass.
struct PassBill {
  std::uint64_t begun_at;   // the tick at which it began, or began to wait for its turn
  std::uint64_t ticks;      // ticks from then to its end
  std::uint64_t own_ticks;  // of these, the ticks that beginning, searching and hearing of operators took
  std::uint64_t served;     // blocks that it was served
  std::uint64_t served_bytes;
  std::uint64_t fresh_pages;  // pages that serving made the process touch
  std::uint64_t lane_pages;   // pages of its lane
};

// The present stretch of an account: how long its passes took, and how much of that processors can have worked. 32 threads on two
// processors mostly wait for each other.
class Stretch {
 public:
  // Returns how many ticks processors can have worked in the stretch so far.
  std::int64_t note(const PassBill& bill, const Prices& prices);
  void begin_anew();

  // Returns how many threads ran passes at once, or waited for their turns, at the most.
  [[nodiscard]] std::int64_t threads() const { return threads_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> begun_at_{0};  // tick; 0 before the first bill
  std::atomic<std::int64_t> ticks_{0};      // that its passes took, all of them together
  std::atomic<std::int64_t> threads_{1};
};

// The account of one kind. Passes of several threads may settle at once; the bill of one of them may then be
// lost.
class Account {
 public:
  enum class Verdict { kServe, kStandAside };

  [[nodiscard]] bool is_aside() const { return aside_until_.load(std::memory_order_relaxed) != 0; }

  // Returns true if a pass that is to begin may be served; false where it goes to the heap. Calls `now`, a
  // clock in nanoseconds, only where serving stands aside.
  template <typename Clock>
  bool may_serve(Clock now) {
    const std::int64_t until = aside_until_.load(std::memory_order_relaxed);
    if (until == 0) [[likely]]
      return true;
    if (now() < until) return false;
    aside_until_.store(0, std::memory_order_relaxed);
    return true;
  }

  // Leaves out passes that end while serving stands aside. They began before, and what they lost was judged already: counted as well,
  // the passes of several threads would make the rest long before the first trial.
  Verdict settle(const PassBill& bill, const Prices& prices);

  // Makes serving stand aside from `now` on. Returns for how long, in nanoseconds.
  std::int64_t stand_aside(std::int64_t now);

  // Forgets everything: another plan is in force, and the account of the one before says nothing about it.
  void forget();

 private:
  void begin_anew();
  std::uint64_t pages_to_pay_for(const PassBill& bill);

  std::atomic<std::int64_t> aside_until_{0};
  std::atomic<std::int64_t> loss_{0};  // ticks lost in the present stretch
  std::atomic<std::uint64_t> pages_forgiven_{0};
  Stretch stretch_;
  std::atomic<std::uint32_t> trials_{0};
};

// Says who plans again where passes do not match any more: a user, or the library by itself.
enum class WhoPlans { kUser, kLibrary };

// Measures the prices, after which passes are judged. To be called once. `allocate` and `release` are the
// heap's. Costs a tenth of a millisecond.
void measure_prices(void* (*allocate)(std::size_t bytes), void (*release)(void* block), WhoPlans who_plans);

// Returns how many ticks a step of the arena took that began at `begin`. Returns 0 for a step that took too
// long to be the arena's own work: the thread was interrupted, or did something that it does only once.
[[nodiscard]] std::uint64_t own_ticks_since(std::uint64_t begin);

// Counts a pass of this kind that begins. Returns its number in this process, from 1 on.
std::uint64_t count_pass_of_kind(std::uint64_t pass_key);

// Returns true if a pass of this key shall take a lane. Returns false, and counts the pass, where serving
// stands aside.
[[nodiscard]] bool is_worth_serving(std::uint64_t pass_key);

// What passes of one kind leave to the heap while they pass by.
class PassingBy {
 public:
  // Returns true for the pass in sixteen that is counted, the first one among them.
  [[nodiscard]] bool counts_the_next() { return begun_.fetch_add(1, std::memory_order_relaxed) % kEach == 0; }

  // Notes what a pass that was counted allocated. The others are taken to do the same.
  void note(std::uint64_t blocks, std::uint64_t bytes) {
    blocks_.store(blocks, std::memory_order_relaxed);
    bytes_.store(bytes, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t blocks() const { return blocks_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint64_t kEach = 16;

  std::atomic<std::uint64_t> begun_{0};
  std::atomic<std::uint64_t> blocks_{0};
  std::atomic<std::uint64_t> bytes_{0};
};

// Returns the number of this key's kind, from 1 to 64; 0 where no pass may pass by.
[[nodiscard]] std::uint32_t kind_to_pass_by(std::uint64_t pass_key);

[[nodiscard]] PassingBy& passing_by(std::uint32_t kind);

// Settles the bill of a served pass of this key that has ended.
void settle_account(std::uint64_t pass_key, PassBill bill);

// Charges the pass that ends next for so many bytes that serving makes the process touch anew.
void owe_pages_of(std::uint64_t bytes);

// Forgets what all accounts hold. To be called when another plan comes into force.
void forget_accounts();

struct AsideFigures {
  std::uint64_t passes;    // passes that went to the heap
  std::uint64_t kinds;     // kinds that serving stands aside for now
  std::uint64_t of_kinds;  // all kinds
};
[[nodiscard]] AsideFigures look_at_accounts();
void forget_aside_passes();

}  // namespace memo::runtime
