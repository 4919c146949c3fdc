#include "preload/log/speaker.h"

#include <cstring>

#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"
#include "runtime/formats/speaker.h"
#include "runtime/platform/file_identity.h"
#include "runtime/platform/process_start.h"
#include "runtime/platform/standard_files.h"

namespace memo::guest {
namespace {

constexpr int kStderr = 2;

constinit unsigned long g_speaker = 0;  // the process that may; 0: not this one

// Returns true if the variable says what is true of this process and of its stderr. Behind an exec, too, with another file in
// the place of stderr, it is not.
bool is_own(const char* named) {
  const unsigned long process = platform::process_id();
  runtime::FileIdentity file;
  runtime::identify_descriptor(kStderr, &file);
  char own[kSpeakerRoom];
  write_speaker({.process = process,
                 .started = runtime::start_of_process(process),
                 .device = file.device,
                 .inode = file.inode},
                own);
  return std::strcmp(named, own) == 0;
}

}  // namespace

void settle_speaker() {
  const KeptErrno kept;
  const char* named = platform::secure_environment(kSpeakerVariable);
  const bool speaks = named != nullptr ? is_own(named) : !platform::parent_started_with_same("LD_PRELOAD");
  g_speaker = speaks ? platform::process_id() : 0;
}

bool may_speak() {
  const KeptErrno kept;
  return g_speaker == platform::process_id() && runtime::is_as_at_start(kStderr) &&
         !runtime::are_stdout_and_stderr_one_pipe();
}

}  // namespace memo::guest
