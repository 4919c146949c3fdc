#include "runtime/slab/accounts.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "runtime/platform/clock.h"
#include "runtime/platform/effort.h"
#include "runtime/platform/notice.h"
#include "runtime/platform/pages.h"
#include "runtime/platform/ticks.h"

namespace memo::runtime {
namespace {

constexpr std::int64_t kShareOfTime = 64;         // a loss of 1/64 of the time is too much
constexpr std::int64_t kLeastLossOfSecond = 200;  // the least loss that counts is 1/200 s for a thread: 5 ms
constexpr std::int64_t kMostGainOfSecond = 100;   // the most gain that is kept is 1/100 s: 10 ms
constexpr std::uint64_t kLanesForgiven = 2;       // for each thread
constexpr std::int64_t kStretchSeconds = 2;
constexpr std::int64_t kFirstRest = 2 * kSecond;
constexpr std::int64_t kLongestRest = 600 * kSecond;
constexpr std::size_t kLargeBlock = 65536;  // bytes of the block whose price says what size costs

// Instructions for a block and its free, as callgrind counts them.
constexpr std::uint64_t kHeapBlock = 89;
constexpr std::uint64_t kSlabBlock = 56;

constexpr std::size_t kMostKinds = 64;  // all kinds beyond share the last account

struct Kind {
  std::atomic<std::uint64_t> key;  // pass key plus one; 0: free
  std::atomic<std::uint64_t> passes;
  Account account;
  PassingBy passing_by;
};

constinit Prices g_prices{};
constinit Kind g_kinds[kMostKinds]{};
constinit std::atomic<std::uint64_t> g_owed_pages{0};
constinit std::atomic<std::uint64_t> g_aside_passes{0};
constinit std::atomic<bool> g_user_plans{false};  // a user plans, and was not told yet

bool is_measured() {
  return __atomic_load_n(&g_prices.second, __ATOMIC_ACQUIRE) != 0;
}

Kind& kind_of(std::uint64_t pass_key) {
  const std::uint64_t wanted = pass_key + 1 != 0 ? pass_key + 1 : 1;
  for (Kind& kind : g_kinds) {
    std::uint64_t key = kind.key.load(std::memory_order_relaxed);
    if (key == 0 && kind.key.compare_exchange_strong(key, wanted, std::memory_order_relaxed)) key = wanted;
    if (key == wanted) return kind;
  }
  return g_kinds[kMostKinds - 1];
}

Account& account_of(std::uint64_t pass_key) {
  return kind_of(pass_key).account;
}

// Returns the price of a block of each of these sizes. Takes several blocks at once, as a pass does: a heap is fastest
// where a block is freed and asked for again at once, and passes do not do that.
std::uint64_t price_of_block(std::span<const std::size_t> sizes, void* (*allocate)(std::size_t bytes),
                             void (*release)(void* block)) {
  void* blocks[32];
  std::uint64_t best = ~std::uint64_t{0};
  for (int attempt = 0; attempt < 5; ++attempt) {
    const std::uint64_t begin = ticks_now();
    for (std::size_t at = 0; at < std::size(blocks); ++at) blocks[at] = allocate(sizes[at % sizes.size()]);
    for (void* block : blocks) release(block);
    best = std::min(best, ticks_now() - begin);
  }
  return best / std::size(blocks);
}

// Returns the price of a page: the least of several attempts, as above, since one interruption would otherwise
// make every page too expensive for good.
std::uint64_t price_of_page() {
  constexpr std::size_t kAttempts = 8;
  constexpr std::size_t kPages = 8;  // each time
  const std::size_t page = page_bytes();
  const std::size_t bytes = kAttempts * kPages * page;
  void* memory = map_pages(bytes);
  if (memory == nullptr) return 0;
  std::uint64_t best = ~std::uint64_t{0};
  for (std::size_t attempt = 0; attempt < kAttempts; ++attempt) {
    const std::uint64_t begin = ticks_now();
    for (std::size_t at = attempt * kPages; at < (attempt + 1) * kPages; ++at)
      static_cast<volatile char*>(memory)[at * page] = 1;
    best = std::min(best, ticks_now() - begin);
  }
  unmap_pages(memory, bytes);
  return best / kPages;
}

// Returns what so many blocks would have cost more on the heap. The library measures what they cost there; from that and the
// instructions of both it concludes what they cost in the slab.
std::uint64_t gain_of_blocks(std::uint64_t blocks, const Prices& prices) {
  return blocks * prices.block * (kHeapBlock - kSlabBlock) / kHeapBlock;
}

// Says it as a notice once, with the cure, and only where a user plans and so can do something about it; as a note otherwise.
void say_standing_aside(const PassBill& bill, std::int64_t rest) {
  constexpr const char* kLine =
      "serving costs more than the heap alone here (the last pass was served %llu blocks): standing aside for %lld s, "
      "then it is tried again%s";
  const auto served = static_cast<unsigned long long>(bill.served);
  const auto seconds = static_cast<long long>(rest / kSecond);
  const bool is_news = g_user_plans.exchange(false, std::memory_order_relaxed);
  is_news ? notice(kLine, served, seconds, "; profile and plan what the program does now")
          : note(kLine, served, seconds, "");
}

}  // namespace

// Counts a stretch as work of as many processors as there are, even where more threads ran. Bills of passes that overlap come one after
// the other, so the number of threads is the largest seen.
std::int64_t Stretch::note(const PassBill& bill, const Prices& prices) {
  if (begun_at_.load(std::memory_order_relaxed) == 0)
    begun_at_.store(bill.begun_at, std::memory_order_relaxed);
  const auto since =
      static_cast<std::int64_t>(bill.begun_at + bill.ticks - begun_at_.load(std::memory_order_relaxed));
  const std::int64_t elapsed = std::max<std::int64_t>(since, 1);
  const std::int64_t ticks = ticks_.load(std::memory_order_relaxed) + static_cast<std::int64_t>(bill.ticks);
  ticks_.store(ticks, std::memory_order_relaxed);
  threads_.store(std::max(threads(), (ticks + elapsed / 2) / elapsed), std::memory_order_relaxed);
  return std::min(ticks, elapsed * prices.processors);
}

void Stretch::begin_anew() {
  begun_at_.store(0, std::memory_order_relaxed);
  ticks_.store(0, std::memory_order_relaxed);
  threads_.store(1, std::memory_order_relaxed);
}

// Forgives what makes the lanes of all threads anew twice. While the threads of a server warm up, the plan grows or a lane is replaced, and
// each lane gets its pages anew, once. That would make many threads stand aside together, when the worst is over.
std::uint64_t Account::pages_to_pay_for(const PassBill& bill) {
  if (bill.fresh_pages == 0) return 0;
  const std::uint64_t all = kLanesForgiven * static_cast<std::uint64_t>(stretch_.threads()) * bill.lane_pages;
  const std::uint64_t before = pages_forgiven_.load(std::memory_order_relaxed);
  const std::uint64_t forgiven = std::min(bill.fresh_pages, all - std::min(all, before));
  pages_forgiven_.store(before + forgiven, std::memory_order_relaxed);
  return bill.fresh_pages - forgiven;
}

// Caps the gain that an account keeps at 10 ms: passes that were served well for an hour, and no longer are,
// shall not go on at a loss for another hour. Caps what pages cost one pass at half of the loss that is too much: a plan that
// grows once, or a lane that is replaced once, is paid by then, and standing aside would touch as many pages of the heap.
Account::Verdict Account::settle(const PassBill& bill, const Prices& prices) {
  if (is_aside()) return Verdict::kServe;
  const std::int64_t work = stretch_.note(bill, prices);
  const auto second = static_cast<std::int64_t>(prices.second);
  const std::int64_t most_gain = second / kMostGainOfSecond;
  const auto gain = static_cast<std::int64_t>(gain_of_blocks(bill.served, prices) +
                                              bill.served_bytes / kLargeBlock * prices.more_bytes);
  const std::int64_t share = work / kShareOfTime;
  const std::int64_t too_much = std::max(second / kLeastLossOfSecond * stretch_.threads(), share);
  const std::int64_t pages =
      std::min(static_cast<std::int64_t>(pages_to_pay_for(bill) * prices.page), too_much / 2);
  const std::int64_t cost = static_cast<std::int64_t>(bill.own_ticks) + pages;
  const std::int64_t loss = std::max(loss_.load(std::memory_order_relaxed) + cost - gain, -most_gain);
  const bool is_over = work >= kStretchSeconds * second;
  if (loss > (is_over ? share : too_much)) return Verdict::kStandAside;
  loss_.store(loss, std::memory_order_relaxed);
  if (!is_over) return Verdict::kServe;
  begin_anew();
  if (loss <= 0) trials_.store(0, std::memory_order_relaxed);
  return Verdict::kServe;
}

std::int64_t Account::stand_aside(std::int64_t now) {
  const std::uint32_t trials = trials_.load(std::memory_order_relaxed);
  const std::int64_t rest = std::min(kFirstRest << std::min(2 * trials, 20U), kLongestRest);
  trials_.store(trials + 1, std::memory_order_relaxed);
  begin_anew();
  aside_until_.store(now + rest, std::memory_order_relaxed);
  return rest;
}

void Account::begin_anew() {
  loss_.store(0, std::memory_order_relaxed);
  stretch_.begin_anew();
}

void Account::forget() {
  begin_anew();
  trials_.store(0, std::memory_order_relaxed);
  pages_forgiven_.store(0, std::memory_order_relaxed);
  aside_until_.store(0, std::memory_order_relaxed);
}

void measure_prices(void* (*allocate)(std::size_t bytes), void (*release)(void* block), WhoPlans who_plans) {
  g_user_plans.store(who_plans == WhoPlans::kUser, std::memory_order_relaxed);
  const std::uint64_t ticks = ticks_now();
  const std::int64_t time = nanoseconds_now();
  constexpr std::size_t kSmall[] = {48, 256, 1024};
  constexpr std::size_t kLarge[] = {kLargeBlock};
  g_prices.block = price_of_block(kSmall, allocate, release);
  g_prices.more_bytes = std::max(price_of_block(kLarge, allocate, release), g_prices.block) - g_prices.block;
  g_prices.page = price_of_page();
  g_prices.processors = processors_to_run_on();
  const std::int64_t took = std::max<std::int64_t>(nanoseconds_now() - time, 1);
  const auto second = static_cast<std::uint64_t>(static_cast<double>(ticks_now() - ticks) *
                                                 (static_cast<double>(kSecond) / static_cast<double>(took)));
  __atomic_store_n(&g_prices.second, second, __ATOMIC_RELEASE);
}

std::uint64_t own_ticks_since(std::uint64_t begin) {
  constexpr std::uint64_t kLongStepsPerSecond = 20'000;  // a step of 50 microseconds is too long
  const std::uint64_t ticks = ticks_now() - begin;
  return ticks < g_prices.second / kLongStepsPerSecond ? ticks : 0;
}

std::uint64_t count_pass_of_kind(std::uint64_t pass_key) {
  return kind_of(pass_key).passes.fetch_add(1, std::memory_order_relaxed) + 1;
}

bool is_worth_serving(std::uint64_t pass_key) {
  if (!is_measured() || account_of(pass_key).may_serve(coarse_nanoseconds_now)) return true;
  g_aside_passes.fetch_add(1, std::memory_order_relaxed);
  return false;
}

std::uint32_t kind_to_pass_by(std::uint64_t pass_key) {
  return is_measured() ? static_cast<std::uint32_t>(&kind_of(pass_key) - g_kinds) + 1 : 0;
}

PassingBy& passing_by(std::uint32_t kind) {
  return g_kinds[kind - 1].passing_by;
}

void settle_account(std::uint64_t pass_key, PassBill bill) {
  if (!is_measured()) return;
  if (g_owed_pages.load(std::memory_order_relaxed) != 0)
    bill.fresh_pages += g_owed_pages.exchange(0, std::memory_order_relaxed);
  Account& account = account_of(pass_key);
  if (account.settle(bill, g_prices) == Account::Verdict::kStandAside)
    say_standing_aside(bill, account.stand_aside(coarse_nanoseconds_now()));
}

void owe_pages_of(std::uint64_t bytes) {
  g_owed_pages.fetch_add(bytes / page_bytes(), std::memory_order_relaxed);
}

void forget_accounts() {
  for (Kind& kind : g_kinds) kind.account.forget();
}

AsideFigures look_at_accounts() {
  AsideFigures figures{.passes = g_aside_passes.load(std::memory_order_relaxed), .kinds = 0, .of_kinds = 0};
  if (!is_measured()) return figures;
  for (const Kind& kind : g_kinds) {
    figures.of_kinds += std::uint64_t{kind.key.load(std::memory_order_relaxed) != 0};
    figures.kinds += std::uint64_t{kind.account.is_aside()};
  }
  return figures;
}

void forget_aside_passes() {
  g_aside_passes.store(0, std::memory_order_relaxed);
}

}  // namespace memo::runtime
