// Keeps what is known about a plan in the cache beside the plan itself, in a small file of JSON with the same
// name. It is for people. Nothing that serves reads it, and a plan without it serves as well.
//
//   python3.11-app.py.0123456789abcdef.plan
//   python3.11-app.py.0123456789abcdef.json   its time of change: when `memomalloc run` last served from the plan
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace memo::learn {

// The program that a plan was made for.
struct Origin {
  std::vector<std::string> command;
  std::string folder;  // where it ran
};

struct PlanRecord {
  Origin origin;
  std::string version;  // of the command that made the plan
  std::string made;     // 2026-11-23T10:00:00Z
};

// Returns the origin of a program that this process is about to run, and of one that runs already. What the
// kernel does not tell is empty.
[[nodiscard]] Origin origin_of(const std::vector<std::string>& command);
[[nodiscard]] Origin origin_of_process(long process);

[[nodiscard]] std::filesystem::path record_path(const std::filesystem::path& plan);

// Returns nothing if there is no record, or if it is broken.
[[nodiscard]] std::optional<PlanRecord> read_record(const std::filesystem::path& plan);

// Writes the record of a plan that was made now. Does nothing if the file cannot be written, or if a file that is
// no record has its name.
void record_plan(const std::filesystem::path& plan, const Origin& origin);

// Notes that the plan is served from. Writes a record if the plan has none.
void record_use(const std::filesystem::path& plan, const Origin& origin);

// Deletes the record if there is one. Leaves a file alone that is none.
void remove_record(const std::filesystem::path& plan);

// Returns the time in the form of PlanRecord::made.
[[nodiscard]] std::string time_text(std::chrono::system_clock::time_point time);

// Returns when the file changed last; the beginning of time if there is no such file.
[[nodiscard]] std::chrono::system_clock::time_point time_of_change(const std::filesystem::path& file);

}  // namespace memo::learn
