#include "preload/modes/profile/recorder.h"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "memomalloc/memomalloc.h"
#include "preload/boundaries/boundary.h"
#include "preload/boundaries/shadow_stack.h"
#include "preload/heap/heap.h"
#include "preload/hooks/hooks.h"
#include "preload/log/log.h"
#include "preload/modes/profile/address_table.h"
#include "preload/modes/profile/clock.h"
#include "preload/modes/profile/event_log.h"
#include "preload/modes/profile/hardware_tag.h"
#include "preload/modes/profile/modules.h"
#include "preload/modes/profile/process_record.h"
#include "preload/modes/profile/stacks.h"
#include "preload/modes/profile/trace_file.h"
#include "preload/modes/profile/trace_names.h"
#include "preload/options/options.h"
#include "preload/platform/platform.h"
#include "preload/platform/thread_slots.h"
#include "runtime/platform/loader.h"
#include "runtime/platform/process_lock.h"
#include "runtime/serving/copies.h"
#include "runtime/slab/running_passes.h"

namespace memo::guest {
namespace {

constexpr std::size_t kCanaryBytes = 8;
constexpr std::size_t kSmallestBlock = 16;  // bytes: the table has one record for each 16 bytes
constexpr std::uint64_t kMostReports = 10;  // log lines of each kind
// Bytes of the events of 64 blocks: fewer blocks show no period.
constexpr std::uint32_t kWorthATrace = 64 * (sizeof(trace::AllocateEvent) + sizeof(trace::FreeEvent));

thread_local constinit EventLog* t_log __attribute__((tls_model("initial-exec"))) = nullptr;

struct Recorder {
  AddressTable table;
  TraceFile file;
  ThreadSlots<EventLog> logs;
  HardwareTag hardware_tag;  // kNoHardwareTag, unless the user asked for one and the kernel granted it
  bool stopped;
  runtime::ProcessLock switching;  // held by the thread that stops or resumes
  bool record_all;
  bool until_marked;  // record_all ends when a pass is marked
  bool keeps_newest;
  bool follow;
  bool stacks;               // the user asked for stacks, and the unwinder is there
  std::uint32_t pass_limit;  // 0 for no limit
  std::uint32_t threads;
  std::uint32_t passes;  // passes begun, including those over the limit
  runtime::RunningPasses running;
  std::uint32_t first_pass;  // first of this recording; a forked child holds blocks of its parent's passes
  std::uint64_t tags_wrapped;
  std::uint64_t overruns;
  std::uint64_t stale_pointers;
};
constinit Recorder g_recorder{};

template <typename T>
T read(const T& value) {
  return __atomic_load_n(&value, __ATOMIC_RELAXED);
}
template <typename T>
T count_up(T& value) {
  return __atomic_add_fetch(&value, T{1}, __ATOMIC_RELAXED);
}

bool stopped() {
  return __builtin_expect(read(g_recorder.stopped), 0);
}

void stop_only(std::uint32_t recording);

// Puts the calling thread on the plain heap: from here on it allocates as in mode off.
[[gnu::cold]] void leave_route() {
  t_route = Route::kPlainHeap;
}

[[gnu::cold, gnu::noinline]] EventLog* make_log() {
  bool inherited = false;
  EventLog* log = g_recorder.logs.take(inherited);
  if (log == nullptr) {
    stop_recording("there is no memory for another thread's events");
    return nullptr;
  }
  if (inherited) {
    log->busy = false;
    log->flush(g_recorder.file);
    if (log->pass != 0 && log->file == g_recorder.file.number()) g_recorder.running.end();
  }
  log->begin_anew(g_recorder.file.number());
  log->number = count_up(g_recorder.threads);
  t_log = log;
  return log;
}

// Returns the thread's log, or null before its first event. Empties a log that was for an earlier trace: only
// its own thread does that.
EventLog* present_log() {
  EventLog* log = t_log;
  const std::uint32_t file = g_recorder.file.number();
  if (log != nullptr && __builtin_expect(log->file != file, 0)) log->begin_anew(file);
  return log;
}

EventLog* own_log() {
  EventLog* log = present_log();
  return log != nullptr ? log : make_log();
}

// ---- blocks ----

std::uint64_t canary_of(const BlockInfo& block) {
  return (trace::tag_address(block.address, block.tag) ^ block.size) * 0x9E3779B97F4A7C15U;
}

void write_canary(const BlockInfo& block) {
  const std::uint64_t canary = canary_of(block);
  std::memcpy(reinterpret_cast<char*>(block.address) + block.size, &canary, sizeof canary);
}

bool canary_is_intact(const BlockInfo& block) {
  const std::uint64_t canary = canary_of(block);
  return std::memcmp(reinterpret_cast<const char*>(block.address) + block.size, &canary, sizeof canary) == 0;
}

// Returns the pointer that the program holds for the block; address_in() converts it back.
void* tagged_pointer(const BlockInfo& block) {
  return reinterpret_cast<void*>(with_hardware_tag(g_recorder.hardware_tag, block.address, block.tag));
}
std::uintptr_t address_in(const void* pointer) {
  return without_hardware_tag(g_recorder.hardware_tag, reinterpret_cast<std::uintptr_t>(pointer));
}

[[gnu::cold, gnu::noinline]] void report_overrun(const BlockInfo& block) {
  if (count_up(g_recorder.overruns) > kMostReports) return;
  const char* scope = name_text(block.scope);
  log_trouble("the end of a block of ", static_cast<unsigned long>(block.size),
              " bytes was overwritten before its free", scope == nullptr ? "" : "; it was made in ",
              scope == nullptr ? "" : scope);
}

// Returns the bytes to ask the heap for: the size and the canary. Returns a size that leaves no room for the
// canary as it is; the heap refuses it.
std::size_t block_bytes(std::size_t size) {
  if (size > PTRDIFF_MAX - kCanaryBytes) return size;
  const std::size_t bytes = size + kCanaryBytes;
  return bytes < kSmallestBlock ? kSmallestBlock : bytes;
}

void* allocate_block(std::size_t size, std::size_t alignment, AllocationKind kind) {
  const std::size_t bytes = block_bytes(size);
  if (kind == AllocationKind::kCalloc) return heap::allocate_zeroed(bytes);
  if (alignment > kDefaultAlignment) return heap::allocate_aligned(alignment, bytes);
  return heap::allocate(bytes);
}

// ---- events ----

bool is_recorded(const EventLog* log) {
  return log != nullptr && (log->pass != 0 || log->works_for != 0 || read(g_recorder.record_all));
}

// Notes that another pass has begun, or the last one is over, since the thread's last allocation. Flushes the
// events of the thread's work so far: the thread may never allocate again.
[[gnu::cold, gnu::noinline]] void move_worker_on(std::uint32_t latest) {
  EventLog* log = own_log();
  if (log == nullptr || log->busy) return;
  log->flush(g_recorder.file);
  log->works_for = latest;
}

// Notices that a thread without a pass of its own now works for another pass. Costs two loads and a compare.
void follow_running_passes(const EventLog* log) {
  const std::uint32_t latest = g_recorder.running.latest();
  if (log == nullptr ? latest != 0 : log->pass == 0 && log->works_for != latest) move_worker_on(latest);
}

trace::EventHead head_of(trace::EventKind kind, std::size_t bytes, std::uint8_t flags, std::uint32_t detail) {
  return {kind, flags, static_cast<std::uint8_t>(bytes / 8), 0, detail, ticks_now()};
}

std::uint8_t flags_of(trace::AllocationKind kind, CallSite site) {
  const bool own_stack = on_own_stack(reinterpret_cast<std::uintptr_t>(site.stack));
  return static_cast<std::uint8_t>(static_cast<std::uint8_t>(kind) | (own_stack ? 0 : trace::kScopeUnknown));
}

trace::AllocateEvent allocate_event(const BlockInfo& block, std::size_t alignment, trace::AllocationKind kind,
                                    CallSite site) {
  const auto stack = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(site.stack));
  trace::AllocateEvent event{head_of(trace::EventKind::kAllocate, sizeof event, flags_of(kind, site), stack),
                             trace::tag_address(block.address, block.tag), block.size,
                             reinterpret_cast<std::uint64_t>(site.address)};
  event.head.alignment_log2 = static_cast<std::uint8_t>(__builtin_ctzl(alignment));
  return event;
}

[[gnu::cold, gnu::noinline]] void log_with_stack(EventLog& log, const trace::AllocateEvent& event,
                                                 CallSite site) {
  if (!runtime::is_settled_here()) return;
  trace::AllocateWithStackEvent with{event, take_stack(site, g_recorder.file)};
  with.allocation.head.words = sizeof with / 8;
  with.allocation.head.flags |= trace::kHasStack;
  log.append(with, g_recorder.file);
}

void log_allocation(EventLog& log, const BlockInfo& block, std::size_t alignment, trace::AllocationKind kind,
                    CallSite site) {
  const trace::AllocateEvent event = allocate_event(block, alignment, kind, site);
  if (__builtin_expect(g_recorder.stacks && g_recorder.file.is_open(), 0))
    return log_with_stack(log, event, site);
  log.append(event, g_recorder.file);
}

// Begins the block's generation, and logs the allocation if it is to be recorded. Returns the pointer that the
// program shall hold. Takes 15 ns, most of them for the clock.
void* note_allocation(void* memory, std::size_t size, std::size_t alignment, trace::AllocationKind kind,
                      CallSite site) {
  follow_running_passes(present_log());
  EventLog* log = t_log;
  if (log == nullptr && read(g_recorder.record_all)) log = own_log();
  BlockInfo block{reinterpret_cast<std::uintptr_t>(memory), size, 0, 0, 0};
  if (log != nullptr) {
    block.pass = log->works_for != 0 ? read(g_recorder.passes) : log->pass;
    block.scope = log->scope();
  }
  bool wrapped = false;
  if (!g_recorder.table.claim(block.address, block, wrapped)) {
    if (log != nullptr) log->count_lost();
    return memory;
  }
  if (__builtin_expect(wrapped, 0)) count_up(g_recorder.tags_wrapped);
  write_canary(block);
  if (is_recorded(log)) log_allocation(*log, block, alignment, kind, site);
  return tagged_pointer(block);
}

bool has_recorded_allocation(const BlockInfo& block) {
  return block.pass >= read(g_recorder.first_pass) || (read(g_recorder.record_all) && block.pass == 0);
}

// Ends the block's generation. Returns false if the table does not know the block.
bool note_release(std::uintptr_t address, std::uint8_t flags, BlockInfo& block) {
  if (!g_recorder.table.retire(address, block)) return false;
  if (__builtin_expect(!canary_is_intact(block), 0)) {
    report_overrun(block);
    flags |= trace::kFreedOverrun;
  }
  if (!has_recorded_allocation(block)) return true;
  EventLog* log = own_log();
  if (log == nullptr) return true;
  const trace::FreeEvent event{head_of(trace::EventKind::kFree, sizeof event, flags, 0),
                               trace::tag_address(block.address, block.tag)};
  log->append(event, g_recorder.file);
  return true;
}

// ---- the backend ----

trace::AllocationKind recorded_kind(AllocationKind kind, std::size_t alignment) {
  switch (kind) {
    case AllocationKind::kMalloc:
      break;
    case AllocationKind::kCalloc:
      return trace::AllocationKind::kCalloc;
    case AllocationKind::kAligned:
      return trace::AllocationKind::kAligned;
    case AllocationKind::kNew:
      return alignment > kDefaultAlignment ? trace::AllocationKind::kNewAligned : trace::AllocationKind::kNew;
  }
  return trace::AllocationKind::kMalloc;
}

void* allocate(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  if (stopped()) leave_route();
  void* memory = allocate_block(size, alignment, kind);
  if (memory == nullptr || stopped()) return memory;
  return note_allocation(memory, size, alignment, recorded_kind(kind, alignment), site);
}

[[gnu::cold, gnu::noinline]] void report_stale_pointer() {
  if (count_up(g_recorder.stale_pointers) > kMostReports) return;
  log_trouble(
      "a pointer to a block that was freed before was freed again; the block that has its address now stays");
}

// Returns true if the pointer is to a block that was freed before. Only a pointer that carries a tag tells
// that.
bool is_stale(const void* pointer, std::uintptr_t address) {
  BlockInfo block;
  return g_recorder.hardware_tag.bits != 0 && g_recorder.table.find_block(address, block) &&
         !may_name(g_recorder.hardware_tag, reinterpret_cast<std::uintptr_t>(pointer), block.tag);
}

void release(void* pointer, CallSite) {
  const std::uintptr_t address = address_in(pointer);
  BlockInfo block;
  if (!stopped()) {
    if (__builtin_expect(is_stale(pointer, address), 0)) return report_stale_pointer();
    note_release(address, 0, block);
  }
  heap::release(reinterpret_cast<void*>(address));
}

// Returns true if the heap's own realloc would probably not have moved the block, because its size class stays
// the same.
bool stays_in_place(const void* old, std::size_t size) {
  const std::size_t bytes = block_bytes(size);
  const std::size_t room = heap::usable_size(old);
  return bytes <= room && bytes > room / 2;
}

void* reallocate(void* pointer, std::size_t size, CallSite site) {
  const std::uintptr_t address = address_in(pointer);
  void* const old = reinterpret_cast<void*>(address);
  if (stopped()) {
    leave_route();
    return heap::reallocate(old, size);
  }
  if (__builtin_expect(is_stale(pointer, address), 0)) {
    report_stale_pointer();
    return heap::no_memory();
  }
  BlockInfo block;
  const bool ours = g_recorder.table.find_block(address, block);
  if (!ours && on_plain_heap()) return heap::reallocate(old, size);
  if (ours && stays_in_place(old, size)) {
    note_release(address, trace::kFreedByRealloc, block);
    return note_allocation(old, size, kDefaultAlignment, trace::AllocationKind::kRealloc, site);
  }
  void* fresh = allocate_block(size, kDefaultAlignment, AllocationKind::kMalloc);
  if (fresh == nullptr) return nullptr;
  void* const held_by_program =
      note_allocation(fresh, size, kDefaultAlignment, trace::AllocationKind::kRealloc, site);
  const std::size_t held = ours ? block.size : heap::usable_size(old);
  std::memcpy(fresh, old, held < size ? held : size);
  if (ours) note_release(address, trace::kFreedByRealloc, block);
  heap::release(old);
  return held_by_program;
}

std::size_t usable_size(const void* pointer) {
  const std::uintptr_t address = address_in(pointer);
  BlockInfo block;
  if (!stopped() && g_recorder.table.find_block(address, block)) return block.size;
  return heap::usable_size(reinterpret_cast<const void*>(address));
}

bool identify(const void* inside, memo_allocation* out) {
  BlockInfo block;
  if (!g_recorder.table.find_holder(address_in(inside), block)) return false;
  if (!may_name(g_recorder.hardware_tag, reinterpret_cast<std::uintptr_t>(inside), block.tag)) return false;
  *out = {trace::tag_address(block.address, block.tag), tagged_pointer(block), block.size, block.pass,
          name_text(block.scope)};
  return true;
}

// ---- passes and scopes ----

bool over_the_limit(std::uint32_t number) {
  return g_recorder.pass_limit != 0 && number >= read(g_recorder.first_pass) + g_recorder.pass_limit;
}

// Ends the recording at the first pass beyond the limit that begins while no recorded pass runs: until then,
// the program had time to free the blocks that those passes left.
void refuse_pass() {
  if (g_recorder.running.count() == 0) stop_recording(nullptr);
}

void pass_begin(const BoundaryName& name, std::uint64_t key, std::uintptr_t) {
  if (!runtime::is_settled_here()) return;
  const std::uint32_t recording = g_recorder.file.number();
  if (stopped()) return;
  if (read(g_recorder.until_marked)) __atomic_store_n(&g_recorder.record_all, false, __ATOMIC_RELAXED);
  const std::uint32_t number = count_up(g_recorder.passes);
  if (over_the_limit(number)) return refuse_pass();
  EventLog* log = own_log();
  if (log == nullptr || !prepare_trace()) return stop_only(recording);
  write_name_once(name, g_recorder.file);
  g_recorder.running.begin();
  log->pass = number;
  log->works_for = 0;
  log->scope_depth = 0;
  const trace::PassBeginEvent event{head_of(trace::EventKind::kPassBegin, sizeof event, 0, name.id), number,
                                    key};
  log->append(event, g_recorder.file);
}

void pass_end(PassEnd) {
  if (!runtime::is_settled_here()) return;
  EventLog* log = present_log();
  if (log == nullptr || log->pass == 0) return;
  const trace::PassEndEvent event{head_of(trace::EventKind::kPassEnd, sizeof event, 0, 0), log->pass};
  if (!stopped()) log->append(event, g_recorder.file);
  log->pass = 0;
  log->scope_depth = 0;
  if (!stopped()) log->flush(g_recorder.file);
  g_recorder.running.end();
}

void log_scope(EventLog& log, trace::EventKind kind, const BoundaryName& name) {
  const trace::ScopeEvent event{head_of(kind, sizeof event, 0, name.id)};
  log.append(event, g_recorder.file);
}

void scope_begin(const BoundaryName& name) {
  if (!runtime::is_settled_here()) return;
  EventLog* log = present_log();
  if (log == nullptr || log->pass == 0 || stopped()) return;
  write_name_once(name, g_recorder.file);
  if (log->scope_depth < EventLog::kMostScopes) log->scopes[log->scope_depth] = name.id;
  ++log->scope_depth;
  log_scope(*log, trace::EventKind::kScopeBegin, name);
}

void scope_end(const BoundaryName& name) {
  EventLog* log = present_log();
  if (log == nullptr || log->pass == 0 || log->scope_depth == 0 || stopped()) return;
  --log->scope_depth;
  log_scope(*log, trace::EventKind::kScopeEnd, name);
}

// ---- the process ----

#if defined(__x86_64__)
constexpr HardwareTag kTagOfThisProcessor = kLinearAddressMasking;
#elif defined(__aarch64__)
constexpr HardwareTag kTagOfThisProcessor = kTopByteIgnored;
#endif

void start_hardware_tag() {
  const char* refusal = platform::allow_tagged_pointers();
  if (refusal == nullptr) {
    g_recorder.hardware_tag = kTagOfThisProcessor;
  } else {
    log_trouble("no --tag=hardware: ", refusal, "; recording with --tag=software");
  }
}

bool start() {
  Recorder& recorder = g_recorder;
  if (!recorder.table.start()) {
    log_trouble("no address space for the recorder's table; running in mode off");
    return false;
  }
  constexpr std::uint64_t kMebibyte = 1U << 20;
  recorder.keeps_newest = std::strcmp(option_text(GuestOptionId::kKeep), "newest") == 0;
  recorder.file.configure(option_text(GuestOptionId::kTrace),
                          option_number(GuestOptionId::kTraceLimit) * kMebibyte,
                          recorder.keeps_newest ? TraceFile::Keep::kNewest : TraceFile::Keep::kFirst);
  recorder.pass_limit = static_cast<std::uint32_t>(option_number(GuestOptionId::kPasses));
  recorder.record_all =
      std::strcmp(option_text(GuestOptionId::kRecord), "all") == 0 || passes_may_come_by("period");
  recorder.follow = std::strcmp(option_text(GuestOptionId::kFollow), "1") == 0;
  recorder.stacks = std::strcmp(option_text(GuestOptionId::kStacks), "1") == 0;
  if (std::strcmp(option_text(GuestOptionId::kTag), "hardware") == 0) start_hardware_tag();
  recorder.first_pass = 1;
  set_boundary_sink(&kRecorderSink);
  start_hooks();
  watch_everything();
  return true;
}

// Lets go of the parent's file. The copy stops recording, or begins a trace of its own. The pass that it may be
// in stays in the parent's trace, and so do the events that its thread has not written yet: present_log()
// empties the log.
void begin_as_copy() {
  Recorder& recorder = g_recorder;
  recorder.file.forget();
  let_modules_be_written();
  recorder.running.keep(0);
  recorder.first_pass = recorder.passes + 1;
  recorder.overruns = 0;
  recorder.tags_wrapped = 0;
  if (!recorder.follow) stop_recording(nullptr);
}

void keep_own_in_copy() {
  keep_own_shadow_in_copy();
  if (t_log != nullptr) t_log->owner = runtime::current_thread();
}

bool has_events_worth_a_trace() {
  for (const EventLog* log = g_recorder.logs.first(); log != nullptr; log = log->next)
    if (read(log->used) >= kWorthATrace) return true;
  return false;
}

// Opens the trace for a short program. Where no pass begins, only a full buffer opens the trace otherwise.
// Returns true if the buffers hold enough to plan from, and the trace is open. Not in mode auto: there no
// planner would read it any more.
bool opens_for_a_short_program() {
  return read(g_recorder.record_all) && option_mode() == Mode::kProfile && !stopped() &&
         has_events_worth_a_trace() && prepare_trace();
}

// Completes the trace. Other threads may still run: this thread writes the events that they have recorded so
// far.
void finish() {
  Recorder& recorder = g_recorder;
  if (!runtime::is_settled_here()) return;
  if (!recorder.file.is_open() && !opens_for_a_short_program()) return;
  const bool was_stopped = __atomic_exchange_n(&recorder.stopped, true, __ATOMIC_SEQ_CST);
  static std::uint64_t copy[EventLog::kCapacity / sizeof(std::uint64_t)];
  for (const EventLog* log = recorder.logs.first(); log != nullptr; log = log->next) {
    if (__atomic_load_n(&log->file, __ATOMIC_ACQUIRE) == recorder.file.number())
      log->flush_from_outside(recorder.file, copy);
  }
  const std::uint32_t begun = recorder.passes + 1 - recorder.first_pass;
  const std::uint32_t kept =
      recorder.pass_limit != 0 && begun > recorder.pass_limit ? recorder.pass_limit : begun;
  write_end(recorder.file,
            {kept, read(recorder.tags_wrapped), read(recorder.overruns), was_stopped ? 1U : 0U});
}

}  // namespace

bool prepare_trace() {
  const bool first = !g_recorder.file.is_open();
  const std::uint32_t flags = (read(g_recorder.record_all) ? trace::kRecordsAll : 0) |
                              (g_recorder.keeps_newest ? trace::kKeepsNewest : 0);
  if (!open_trace(g_recorder.file, flags)) return false;
  if (first && g_recorder.stacks) g_recorder.stacks = open_unwinder();
  write_modules_if_changed(g_recorder.file);
  return true;
}

namespace {

// Holds the lock under which `stopped` and the watched addresses change together. Held for some stores, or a
// few calls of madvise.
class Switching {
 public:
  Switching() : holds_(g_recorder.switching.lock()) {}
  ~Switching() {
    if (holds_) g_recorder.switching.unlock();
  }
  Switching(const Switching&) = delete;
  Switching& operator=(const Switching&) = delete;

 private:
  const bool holds_;
};

void stop_alone(const char* reason) {
  if (__atomic_exchange_n(&g_recorder.stopped, true, __ATOMIC_SEQ_CST)) return;
  if (reason != nullptr) log_trouble("the trace ends here: ", reason, "; the program goes on");
  if (g_recorder.hardware_tag.bits != 0) return;  // the program goes on freeing tagged pointers
  watch_only_those_addresses();
}

// Stops the recording only if it is still the one of this number: the calling thread may have slept while that
// recording ended and another began, which it must not stop.
[[gnu::cold, gnu::noinline]] void stop_only(std::uint32_t recording) {
  const Switching alone;
  if (g_recorder.file.number() == recording) stop_alone(nullptr);
}

}  // namespace

[[gnu::cold, gnu::noinline]] void stop_recording(const char* reason) {
  const Switching alone;
  stop_alone(reason);
}

bool resume_recording() {
  Recorder& recorder = g_recorder;
  const Switching alone;
  if (!recorder.file.try_forget()) return false;
  recorder.table.forget();
  recorder.running.keep(0);
  __atomic_store_n(&recorder.first_pass, read(recorder.passes) + 1, __ATOMIC_RELAXED);
  watch_everything();
  // The order matters: a thread that claims a block in the new epoch sees that `stopped` is false, and so does
  // the thread that frees that block.
  __atomic_store_n(&recorder.stopped, false, __ATOMIC_SEQ_CST);
  recorder.table.begin_anew();
  return true;
}

void forget_blocks() {
  const Switching alone;
  if (stopped()) g_recorder.table.forget();
}

std::uint64_t recorder_table_bytes() {
  return g_recorder.table.bytes_in_use();
}

bool is_recording() {
  return !stopped();
}

std::uint32_t passes_recorded() {
  return read(g_recorder.passes) + 1 - read(g_recorder.first_pass);
}

void record_all_until_marked() {
  __atomic_store_n(&g_recorder.until_marked, true, __ATOMIC_RELAXED);
  __atomic_store_n(&g_recorder.record_all, true, __ATOMIC_RELAXED);
}

void record_passes_alone() {
  __atomic_store_n(&g_recorder.record_all, false, __ATOMIC_RELAXED);
}

constexpr BoundarySink kRecorderSink{pass_begin, pass_end, scope_begin, scope_end, nullptr};

constexpr Backend kProfileBackend{
    .first_route = Route::kRecorded,
    .start = start,
    .allocate = allocate,
    .reallocate = reallocate,
    .release = release,
    .usable_size = usable_size,
    .before_fork = runtime::hold_visits_for_fork,
    .after_fork_in_parent = runtime::allow_visits_after_fork,
    .begin_as_copy = begin_as_copy,
    .keep_own_in_copy = keep_own_in_copy,
    .identify = identify,
    .finish = finish,
};

}  // namespace memo::guest
