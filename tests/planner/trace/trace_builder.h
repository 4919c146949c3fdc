// Writes traces for tests, event by event, as the recorder would.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/formats/trace_format.h"

namespace memo::testing {

class TraceBuilder {
 public:
  explicit TraceBuilder(std::uint32_t flags = 0) { process("server\0--port\0", 14, flags); }

  void process(const char* command, std::size_t bytes, std::uint32_t flags) {
    trace::ProcessRecord record{42, 1, flags, static_cast<std::uint32_t>(bytes)};
    std::string payload = as_text(record) + std::string(command, bytes);
    payload.resize(trace::padded(payload.size()));
    seal(trace::BlockKind::kProcess, 0, 0, payload);
  }

  void module(std::uint64_t begin, std::uint64_t end, std::uint64_t bias, const std::string& build_id,
              const std::string& path) {
    trace::ModuleRecord record{begin, end, bias, static_cast<std::uint32_t>(build_id.size()),
                               static_cast<std::uint32_t>(path.size())};
    std::string text = build_id + path;
    text.resize(trace::padded(text.size()));
    modules_ += as_text(record) + text;
  }
  void seal_modules() {
    seal(trace::BlockKind::kModules, 0, 0, modules_);
    modules_.clear();
  }

  void name(std::uint32_t id, const std::string& text) {
    std::string padded = text;
    padded.resize(trace::padded(text.size()));
    seal(trace::BlockKind::kNames, 0, 0,
         as_text(trace::NameRecord{id, static_cast<std::uint32_t>(text.size())}) + padded);
  }

  // Adds a function of Python, which stacks refer to as trace::kFunctionFrame | id.
  void function(std::uint32_t id, const std::string& text) {
    std::string padded = text;
    padded.resize(trace::padded(text.size()));
    seal(trace::BlockKind::kFunctions, 0, 0,
         as_text(trace::NameRecord{id, static_cast<std::uint32_t>(text.size())}) + padded);
  }

  // Adds a call stack, from the call site outwards.
  void stack(std::uint32_t id, const std::vector<std::uint64_t>& addresses) {
    std::string frames;
    for (const std::uint64_t address : addresses) frames += as_text(address);
    seal(trace::BlockKind::kStacks, 0, 0,
         as_text(trace::StackRecord{id, static_cast<std::uint32_t>(addresses.size())}) + frames);
  }

  void allocate(std::uint64_t tagged, std::uint64_t size, std::uint64_t site = 0x1010,
                std::uint8_t alignment_log2 = 4) {
    events_ += as_text(trace::AllocateEvent{
        {trace::EventKind::kAllocate, 0, 5, alignment_log2, 0, ++ticks_}, tagged, size, site});
  }
  void allocate_from_stack(std::uint64_t tagged, std::uint64_t size, std::uint64_t site,
                           std::uint64_t stack) {
    events_ += as_text(trace::AllocateWithStackEvent{
        {{trace::EventKind::kAllocate, trace::kHasStack, 6, 4, 0, ++ticks_}, tagged, size, site}, stack});
  }
  void free(std::uint64_t tagged, std::uint8_t flags = 0) {
    events_ += as_text(trace::FreeEvent{{trace::EventKind::kFree, flags, 3, 0, 0, ++ticks_}, tagged});
  }
  void pass_begin(std::uint64_t number, std::uint64_t key = 0, std::uint32_t name = 0) {
    events_ +=
        as_text(trace::PassBeginEvent{{trace::EventKind::kPassBegin, 0, 4, 0, name, ++ticks_}, number, key});
  }
  void pass_end(std::uint64_t number) {
    events_ += as_text(trace::PassEndEvent{{trace::EventKind::kPassEnd, 0, 3, 0, 0, ++ticks_}, number});
  }
  void scope_begin(std::uint32_t name) {
    events_ += as_text(trace::ScopeEvent{{trace::EventKind::kScopeBegin, 0, 2, 0, name, ++ticks_}});
  }
  void scope_end(std::uint32_t name) {
    events_ += as_text(trace::ScopeEvent{{trace::EventKind::kScopeEnd, 0, 2, 0, name, ++ticks_}});
  }

  // An operator of the data flow has ended, and then what it read and wrote.
  void operation(std::uint32_t name) {
    events_ += as_text(trace::OperatorEvent{{trace::EventKind::kOperator, 0, 2, 0, name, ++ticks_}});
  }
  void reads(std::uint64_t tagged, std::uint64_t size) {
    events_ += as_text(trace::AccessEvent{{trace::EventKind::kReads, 0, 4, 0, 0, ++ticks_}, tagged, size});
  }
  void writes(std::uint64_t tagged, std::uint64_t size) {
    events_ += as_text(trace::AccessEvent{{trace::EventKind::kWrites, 0, 4, 0, 0, ++ticks_}, tagged, size});
  }

  void seal_events(std::uint32_t thread, std::uint64_t sequence) {
    seal(trace::BlockKind::kEvents, thread, sequence, events_);
    events_.clear();
  }
  // Leaves a gap, as a file that is used in turns has where nothing was written.
  void gap(std::size_t bytes) { bytes_.append(bytes, '\0'); }
  // Drops the events since the last seal, as a process that is killed does.
  void forget_events() { events_.clear(); }

  void end(std::uint64_t passes, std::uint64_t tags_wrapped = 0) {
    seal(trace::BlockKind::kEnd, 0, 0, as_text(trace::EndRecord{passes, tags_wrapped, 0, 0}));
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  template <typename Record>
  static std::string as_text(const Record& record) {
    return {reinterpret_cast<const char*>(&record), sizeof record};
  }

  void seal(trace::BlockKind kind, std::uint32_t thread, std::uint64_t sequence, const std::string& payload) {
    trace::BlockHeader header{trace::kMagic, trace::kVersion,
                              kind,          static_cast<std::uint32_t>(payload.size()),
                              thread,        0,
                              sequence,      0,
                              ticks_,        ticks_ * 2};
    header.checksum = trace::block_checksum(header, payload.data());
    bytes_ += as_text(header) + payload;
  }

  std::string bytes_;
  std::string events_;
  std::string modules_;
  std::uint64_t ticks_ = 0;
};

constexpr std::uint64_t tagged(std::uint16_t tag, std::uint64_t address) {
  return trace::tag_address(address, tag);
}

// Makes a trace of one thread and one pass: a scope with a 100-byte block inside it, a 64-aligned block that escapes and is
// freed later.
inline TraceBuilder small_trace() {
  TraceBuilder build;
  build.module(0x1000, 0x2000, 0x800, "\xab\xcd", "/usr/lib/libnet.so");
  build.seal_modules();
  build.name(7, "conv");
  build.pass_begin(1, 99, 7);
  build.scope_begin(7);
  build.allocate(tagged(1, 0x5000), 100);
  build.free(tagged(1, 0x5000));
  build.scope_end(7);
  build.allocate(tagged(2, 0x5000), 4096, 0x1020, 6);
  build.pass_end(1);
  build.free(tagged(2, 0x5000));
  build.seal_events(1, 0);
  build.end(1);
  return build;
}

// Makes a trace of one thread and two passes alike, with call stacks: +0xa10 calls +0x910, whose call at +0x810 asks for 8 KiB,
// and asks for 4 KiB itself, at +0x820. A third block of 512 bytes has no stack and lives through the next pass.
inline TraceBuilder stacked_trace() {
  TraceBuilder build;
  build.module(0x1000, 0x2000, 0x800, "\xab\xcd", "/usr/lib/libnet.so");
  build.seal_modules();
  build.name(7, "conv");
  build.stack(1, {0x1010, 0x1110, 0x1210});
  build.stack(2, {0x1020, 0x1210});
  for (std::uint16_t pass = 1; pass <= 2; ++pass) {
    build.pass_begin(pass, 99, 7);
    build.scope_begin(7);
    build.allocate_from_stack(tagged(pass, 0x50000), 8192, 0x1010, 1);
    build.scope_end(7);
    build.allocate_from_stack(tagged(pass, 0x90000), 4096, 0x1020, 2);
    build.free(tagged(pass, 0x50000));
    build.free(tagged(pass, 0x90000));
    build.allocate(tagged(pass, 0xa0000), 512, 0x1030);
    build.pass_end(pass);
  }
  for (std::uint16_t pass = 1; pass <= 2; ++pass) build.free(tagged(pass, 0xa0000));
  build.seal_events(1, 0);
  build.end(2);
  return build;
}

// Makes a trace of one thread and two passes alike, with data flow: two branches that both begin at the input, which is no
// allocation of the pass, each a large block and a small one made of it, and the sum of the small ones. The recorded order
// has both large blocks at once.
//
//   input ─► conv (4 MiB) ─► pool (64 KiB) ─┐
//     └────► conv (4 MiB) ─► pool (64 KiB) ─┴► add, in place of the first
inline TraceBuilder flow_trace() {
  constexpr std::uint64_t kLarge = 4U << 20;
  constexpr std::uint64_t kSmall = 64U << 10;
  constexpr std::uint32_t kConv = 7;
  constexpr std::uint32_t kPool = 8;
  constexpr std::uint32_t kAdd = 9;
  const std::uint64_t input = tagged(1, 0x1000000);
  TraceBuilder build;
  build.module(0x1000, 0x2000, 0x800, "\xab\xcd", "/usr/lib/libnet.so");
  build.seal_modules();
  build.name(kConv, "conv");
  build.name(kPool, "pool");
  build.name(kAdd, "add");
  const auto run = [&](std::uint32_t name, std::uint64_t from, std::uint64_t read, std::uint64_t to,
                       std::uint64_t size) {
    build.scope_begin(name);
    build.allocate(to, size);
    build.operation(name);
    build.reads(from, read);
    build.writes(to, size);
    build.scope_end(name);
  };
  for (std::uint16_t pass = 1; pass <= 2; ++pass) {
    const std::uint64_t large[] = {tagged(pass, 0x2000000), tagged(pass, 0x3000000)};
    const std::uint64_t small[] = {tagged(pass, 0x4000000), tagged(pass, 0x5000000)};
    build.pass_begin(pass, 99, kConv);
    for (const std::uint64_t made : large) run(kConv, input, kSmall, made, kLarge);
    for (const int i : {0, 1}) {
      run(kPool, large[i], kLarge, small[i], kSmall);
      build.free(large[i]);
    }
    build.scope_begin(kAdd);
    build.operation(kAdd);
    for (const std::uint64_t read : small) build.reads(read, kSmall);
    build.writes(small[0], kSmall);
    build.scope_end(kAdd);
    for (const std::uint64_t made : small) build.free(made);
    build.pass_end(pass);
  }
  build.seal_events(1, 0);
  build.end(2);
  return build;
}

}  // namespace memo::testing
