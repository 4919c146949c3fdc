#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "planner/system/mapped_file.h"
#include "planner/system/regular_file.h"
#include "planner/trace/blocks.h"
#include "planner/trace/replay.h"
#include "planner/trace/trace.h"

namespace memo::planner {
namespace {

using trace::BlockKind;

void read_process(const Block& block, Trace& out) {
  trace::ProcessRecord record;
  if (block.payload.size() < sizeof record) return;
  std::memcpy(&record, block.payload.data(), sizeof record);
  out.pid = record.pid;
  out.parent = record.parent;
  out.records_all = (record.flags & trace::kRecordsAll) != 0;
  out.keeps_newest = (record.flags & trace::kKeepsNewest) != 0;
  std::string_view words = block.payload.substr(sizeof record);
  words = words.substr(0, std::min<std::size_t>(words.size(), record.command_bytes));
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('\0'), words.size());
    out.command.emplace_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

// Adds the texts of a block to `texts`, and their places there to `places`. Returns false where the block does not add up.
bool read_texts(const Block& block, std::vector<std::string>& texts,
                std::unordered_map<std::uint32_t, std::uint32_t>& places) {
  std::string_view rest = block.payload;
  while (rest.size() >= sizeof(trace::NameRecord)) {
    trace::NameRecord record;
    std::memcpy(&record, rest.data(), sizeof record);
    rest.remove_prefix(sizeof record);
    if (trace::padded(record.bytes) > rest.size()) break;
    const auto [at, fresh] = places.try_emplace(record.id, static_cast<std::uint32_t>(texts.size()));
    if (fresh) texts.emplace_back(rest.substr(0, record.bytes));
    rest.remove_prefix(trace::padded(record.bytes));
  }
  return rest.empty();
}

void read_names(const Block& block, Trace& out, TraceContext& context) {
  if (!read_texts(block, out.names, context.names))
    out.damage.push_back({block.offset, "a list of names that does not add up"});
}

void read_functions(const Block& block, Trace& out, TraceContext& context) {
  if (!read_texts(block, out.functions, context.functions))
    out.damage.push_back({block.offset, "a list of functions that does not add up"});
}

void read_stacks(const Block& block, Trace& out, TraceContext& context) {
  std::string_view rest = block.payload;
  while (rest.size() >= sizeof(trace::StackRecord)) {
    trace::StackRecord record;
    std::memcpy(&record, rest.data(), sizeof record);
    rest.remove_prefix(sizeof record);
    if (std::size_t{record.frames} * 8 > rest.size()) break;
    std::vector<Site> frames(record.frames);
    for (Site& frame : frames) {
      std::uint64_t word = 0;
      std::memcpy(&word, rest.data(), sizeof word);
      frame = context.frame(word, block.header.ticks);
      rest.remove_prefix(sizeof word);
    }
    const auto [at, fresh] =
        context.stacks.try_emplace(record.id, static_cast<StackIndex>(out.stacks.size()));
    if (fresh) out.stacks.push_back(std::move(frames));
  }
  if (!rest.empty()) out.damage.push_back({block.offset, "a list of stacks that does not add up"});
}

void read_end(const Block& block, Trace& out) {
  trace::EndRecord record;
  if (block.payload.size() < sizeof record) return;
  std::memcpy(&record, block.payload.data(), sizeof record);
  out.ended = true;
  out.tags_wrapped = record.tags_wrapped;
  out.stopped = record.stopped != 0;
}

// Derives the rate of the clock. Every block carries one moment on both clocks; the two blocks furthest apart
// give the rate.
void calibrate_clock(const std::vector<Block>& blocks, TraceContext& context) {
  const auto [first, last] =
      std::minmax_element(blocks.begin(), blocks.end(),
                          [](const Block& a, const Block& b) { return a.header.ticks < b.header.ticks; });
  context.first_ticks = first->header.ticks;
  context.first_ns = first->header.nanoseconds;
  const std::uint64_t ticks = last->header.ticks - first->header.ticks;
  const std::uint64_t ns = last->header.nanoseconds - first->header.nanoseconds;
  if (ticks != 0 && last->header.nanoseconds > first->header.nanoseconds) {
    context.ns_per_tick = static_cast<double>(ns) / static_cast<double>(ticks);
  }
}

// Reads the modules and the functions first, wherever in the file they stand, since the other blocks refer to them.
void read_context(const std::vector<Block>& blocks, Trace& out, TraceContext& context) {
  calibrate_clock(blocks, context);
  for (const Block& block : blocks) {
    if (block.header.kind == BlockKind::kModules && !context.modules.add_snapshot(block)) {
      out.damage.push_back({block.offset, "a list of modules that does not add up"});
    }
  }
  context.modules.finish();
  for (const Block& block : blocks) {
    if (block.header.kind == BlockKind::kFunctions) read_functions(block, out, context);
  }
  for (const Block& block : blocks) {
    if (block.header.kind == BlockKind::kProcess) read_process(block, out);
    if (block.header.kind == BlockKind::kNames) read_names(block, out, context);
    if (block.header.kind == BlockKind::kStacks) read_stacks(block, out, context);
    if (block.header.kind == BlockKind::kEnd) read_end(block, out);
  }
}

using BlocksByThread = std::map<std::uint32_t, std::vector<const Block*>>;

BlocksByThread event_blocks(const std::vector<Block>& blocks) {
  BlocksByThread threads;
  for (const Block& block : blocks) {
    if (block.header.kind == BlockKind::kEvents) threads[block.header.thread].push_back(&block);
  }
  for (auto& [thread, own] : threads) {
    std::stable_sort(own.begin(), own.end(), [](const Block* a, const Block* b) {
      return a->header.sequence != b->header.sequence ? a->header.sequence < b->header.sequence
                                                      : a->payload.size() > b->payload.size();
    });
    own.erase(
        std::unique(own.begin(), own.end(),
                    [](const Block* a, const Block* b) { return a->header.sequence == b->header.sequence; }),
        own.end());
  }
  return threads;
}

std::uint64_t lost_events(const std::vector<const Block*>& blocks) {
  std::uint64_t lost = 0;
  for (const Block* block : blocks) lost = std::max(lost, block->header.lost);
  return lost;
}

}  // namespace

Trace parse_trace(std::string_view bytes, const std::string& name) {
  BlockList list = find_blocks(bytes, name);
  Trace out;
  out.path = name;
  out.names.emplace_back("?");
  out.functions.emplace_back("?");
  out.damage = std::move(list.damage);
  TraceContext context;
  read_context(list.blocks, out, context);
  if (!out.keeps_newest) out.damage.insert(out.damage.end(), list.unwritten.begin(), list.unwritten.end());
  Replay replay(out, context);
  for (const auto& [thread, blocks] : event_blocks(list.blocks)) {
    replay.thread(out.threads++, blocks);
    out.lost += lost_events(blocks);
  }
  replay.finish();
  out.modules = context.modules.take_modules();
  return out;
}

// The copy takes a tenth of the time that the reading takes, so that it holds one state, nearly, of a file that is written to.
Trace read_trace(const std::string& path) {
  try {
    const process::MappedFile file(path, process::Writer::kSome);
    return parse_trace(file.bytes(), path);
  } catch (const process::Unreadable& why) {
    throw TraceError(fmt::format("cannot open {}: {}", path, why.what()));
  }
}

}  // namespace memo::planner
