#include "preload/modes/auto/recording_claim.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include "preload/modes/auto/coarse_clock.h"
#include "preload/platform/platform.h"
#include "runtime/platform/own_file.h"
#include "runtime/platform/paths.h"
#include "runtime/platform/process_start.h"

namespace memo::guest {
namespace {

using runtime::Open;

constexpr std::int64_t kLapse = 10;     // seconds
constexpr std::int64_t kPlanning = 30;  // seconds
constexpr int kMostAttempts = 3;        // to lock a file that others remove meanwhile

char g_path[PATH_MAX];
char g_marks[PATH_MAX];

enum class Opened { kLocked, kBusy, kNoFolder, kRefused };

// The file, open and locked while the object lives.
class LockedClaim {
 public:
  enum class Absent { kMake, kLeave };

  explicit LockedClaim(Absent absent)
      : opened_(open(absent == Absent::kMake ? kOpened | Open::kMake : kOpened)) {}
  ~LockedClaim() { file_.close(); }
  LockedClaim(const LockedClaim&) = delete;
  LockedClaim& operator=(const LockedClaim&) = delete;

  [[nodiscard]] Opened opened() const { return opened_; }

  // Returns the record; one that names no process if the file is new.
  [[nodiscard]] claim::Record read() const {
    claim::Record record{};
    return file_.read(&record, sizeof record) == sizeof record ? record : claim::Record{};
  }

  void write(const claim::Record& record) const { (void)file_.write_at({&record, sizeof record}, {}, 0); }

 private:
  static constexpr Open kOpened = Open::kReadAndWrite | Open::kNoLink;

  Opened open(Open how) {
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      if (!file_.open(g_path, how, 0600)) return errno == ENOENT ? Opened::kNoFolder : Opened::kRefused;
      if (file_.lock() != 0) return errno == EAGAIN || errno == EACCES ? Opened::kBusy : Opened::kRefused;
      runtime::FileFacts about;
      if (file_.describe(&about) && about.names != 0) return Opened::kLocked;
      file_.close();
    }
    return Opened::kBusy;
  }

  runtime::OwnFile file_;
  const Opened opened_;
};

claim::Record own_record(claim::Work work) {
  const unsigned long process = platform::process_id();
  return {process, runtime::start_of_process(process), work, seconds_now()};
}

bool is_of_same_process(const claim::Record& one, const claim::Record& other) {
  return one.process == other.process && one.started == other.started;
}

bool has_lapsed(const claim::Record& held, std::int64_t now) {
  return now - held.renewed > (held.work == claim::Work::kAwaitsThePlan ? kPlanning : kLapse);
}

bool may_take_over(const claim::Record& held, const claim::Record& own) {
  if (held.work == claim::Work::kNothing || is_of_same_process(held, own)) return true;
  const bool yields = held.work == claim::Work::kEverything || held.work == claim::Work::kPassesOfAnother;
  if (yields && own.work == claim::Work::kPasses) return true;
  if (has_lapsed(held, own.renewed)) return true;
  return held.work != claim::Work::kAwaitsThePlan && runtime::has_process_ended(held.process, held.started);
}

}  // namespace

void place_claim_beside(const char* trace_pattern) {
  const char* slash = std::strrchr(trace_pattern, '/');
  const int folder = slash == nullptr ? 0 : static_cast<int>(slash + 1 - trace_pattern);
  const int length = std::snprintf(g_path, sizeof g_path, "%.*s%s", folder, trace_pattern, claim::kFileName);
  std::snprintf(g_marks, sizeof g_marks, "%.*s%s", folder, trace_pattern, claim::kProgramMarks);
  const bool may_write =
      platform::greatest_file_bytes() >= sizeof(claim::Record);  // else a signal ends the program
  if (length < 0 || length >= PATH_MAX || !may_write) g_path[0] = '\0';
}

void say_that_program_marks() {
  runtime::OwnFile file;
  if (file.open(g_marks, Open::kWrite | Open::kMake | Open::kNoLink, 0600)) file.close();
}

bool program_marks() {
  runtime::FileFacts about;
  return runtime::look_at(g_marks, &about);
}

Claimed claim_recording(claim::Work work) {
  const LockedClaim held(LockedClaim::Absent::kMake);
  switch (held.opened()) {
    case Opened::kBusy:
      return Claimed::kTaken;
    case Opened::kNoFolder:
      return Claimed::kNoFolder;
    case Opened::kRefused:
      return Claimed::kMine;
    case Opened::kLocked:
      break;
  }
  const claim::Record own = own_record(work);
  if (!may_take_over(held.read(), own)) return Claimed::kTaken;
  held.write(own);
  return Claimed::kMine;
}

// Keeps the claim while another process looks at it, or where the file is out of reach.
bool renew_claim(claim::Work work) {
  const LockedClaim held(LockedClaim::Absent::kMake);
  if (held.opened() != Opened::kLocked) return true;
  const claim::Record own = own_record(work);
  const claim::Record found = held.read();
  if (found.work != claim::Work::kNothing && !is_of_same_process(found, own)) return false;
  held.write(own);
  return true;
}

// Removes the file while it is locked: a process that opened it before finds that it has no name any more.
void give_up_claim() {
  const LockedClaim held(LockedClaim::Absent::kLeave);
  if (held.opened() == Opened::kLocked && is_of_same_process(held.read(), own_record(claim::Work::kNothing)))
    runtime::remove_file(g_path);
}

}  // namespace memo::guest
