// Keeps what this process finds out about the worth of serving, and takes over what earlier starts have found: in a file beside the
// plan (runtime/formats/worth_file.h).
//
//   at the start     the file ──► each kind of pass begins where its finding leads, for the first rest
//   at a finding     the file as it is now, and what was found here ──► the file anew, whole
//
// A finding is kept between the pass that brought it and a next one, so that a process that is killed later has kept it. Workers of
// one server write over each other's files, and keep what the others found: of two findings on one kind of pass the later one, or
// within ten minutes the one with most pairs.
//
// Whatever fails costs the finding and nothing else. One note in the log says that a file cannot be written.
#pragma once

#include <cstdint>

namespace memo::guest {

// Lets what earlier starts found of the plan in force count here. To be called when it has come into force, before its passes begin.
void take_over_what_was_found();

// Returns true if something was found that is not kept yet. Costs two loads.
[[nodiscard]] bool has_found_more();

// Keeps what was found of the plan in force. Does nothing while another thread holds it; has_found_more() still holds then.
void keep_what_was_found();

// Do the same for the plan of this path and checksum. The second one returns false while another thread holds what was found.
void take_over_findings(const char* plan, std::uint64_t checksum);
[[nodiscard]] bool keep_findings(const char* plan, std::uint64_t checksum);

}  // namespace memo::guest
