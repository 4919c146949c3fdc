#include "planner/tool/learn/claimants.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "planner/system/process_start.h"
#include "planner/tool/learn/learner.h"
#include "planner/tool/learn/work_folder.h"
#include "runtime/formats/recording_claim.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

// A process held by a descriptor, because its number may come to name another process.
class Watched {
 public:
  explicit Watched(pid_t process) : descriptor_(static_cast<int>(syscall(SYS_pidfd_open, process, 0))) {}
  ~Watched() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  [[nodiscard]] bool is_there() const { return descriptor_ >= 0; }

  void wait_for_end() const { (void)ends_within(-1); }
  [[nodiscard]] bool has_ended() const { return !is_there() || ends_within(0); }

 private:
  [[nodiscard]] bool ends_within(int milliseconds) const {
    pollfd event{descriptor_, POLLIN, 0};
    int ended = 0;
    while ((ended = poll(&event, 1, milliseconds)) < 0 && errno == EINTR) {
    }
    return ended != 0;
  }

  int descriptor_;
};

bool lives(const claim::Record& record) {
  const auto process = static_cast<pid_t>(record.process);
  const Watched watched(process);
  if (watched.has_ended()) return false;
  const std::uint64_t started = process::start_of(process);
  return started == 0 || started == record.started;
}

// The claim of the work folder, locked while the object lives. Waits for a process that looks at it.
class LockedClaim {
 public:
  explicit LockedClaim(const fs::path& work)
      : descriptor_(
            open((work / claim::kFileName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    while (descriptor_ >= 0 && fcntl(descriptor_, F_SETLKW, &whole) != 0 && errno == EINTR) {
    }
  }
  ~LockedClaim() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  LockedClaim(const LockedClaim&) = delete;
  LockedClaim& operator=(const LockedClaim&) = delete;

  // Returns false if the holder has removed the file meanwhile, and another one may be there.
  [[nodiscard]] bool is_of_the_folder() const {
    struct stat about {};
    return descriptor_ < 0 || fstat(descriptor_, &about) != 0 || about.st_nlink != 0;
  }

  // Returns the process that holds the claim and lives; 0 if there is none.
  [[nodiscard]] pid_t holder() const {
    claim::Record record{};
    if (descriptor_ < 0 || pread(descriptor_, &record, sizeof record, 0) != sizeof record) return 0;
    return lives(record) ? static_cast<pid_t>(record.process) : 0;
  }

 private:
  int descriptor_;
};

// Returns the process that holds the claim. Finishes and clears the folder, and returns 0, if there is none.
pid_t find_heir(const fs::path& work, const std::function<void()>& finish) {
  for (;;) {
    const LockedClaim claim(work);
    if (!claim.is_of_the_folder()) continue;
    const pid_t heir = claim.holder();
    if (heir != 0) return heir;
    finish();
    clear_work_folder(work);
    return 0;
  }
}

}  // namespace

bool outlive_claimants(pid_t process, const fs::path& work, const std::function<void()>& finish) {
  {
    const Watched program(process);
    if (!program.is_there() && errno != ESRCH) return false;
    if (program.is_there()) program.wait_for_end();
  }
  while (const pid_t heir = find_heir(work, finish)) {
    const Watched next(heir);
    if (next.is_there()) next.wait_for_end();
  }
  return true;
}

}  // namespace memo::learn
