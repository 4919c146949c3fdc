#include "planner/system/mortal_folder.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace memo::process {
namespace {

namespace fs = std::filesystem;

// Programs that were started may still write into the folder for a moment, so it may not be empty at once.
constexpr int kAttempts = 50;
constexpr std::chrono::milliseconds kBetweenAttempts{20};

void delete_folder(const fs::path& folder) {
  std::error_code error;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    fs::remove_all(folder, error);
    if (!fs::exists(folder, error)) return;
    std::this_thread::sleep_for(kBetweenAttempts);
  }
}

// Returns once nobody holds the other end of the pipe.
void wait_for_the_end(int pipe) {
  char nothing = 0;
  while (read(pipe, &nothing, sizeof nothing) < 0 && errno == EINTR) {
  }
}

// Leaves the session, so that no Ctrl-C and no end of the terminal reaches this process.
[[noreturn]] void delete_after(int pipe, const fs::path& folder) {
  setsid();
  wait_for_the_end(pipe);
  delete_folder(folder);
  _exit(0);
}

}  // namespace

MortalFolder::MortalFolder(std::string_view purpose) : folder_(purpose) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  lifeline_ = ends[1];
  deleter_ = fork();
  if (deleter_ == 0) {
    close(ends[1]);
    delete_after(ends[0], path());
  }
  close(ends[0]);
}

MortalFolder::~MortalFolder() {
  if (lifeline_ >= 0) close(lifeline_);
  if (deleter_ < 0) return;
  while (waitpid(deleter_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace memo::process
