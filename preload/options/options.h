// The options of runtime/formats/guest_options.h as this process got them. The library reads them once at
// start with secure_getenv, and copies them: servers overwrite their environment (setproctitle) and change it
// (setenv).
#pragma once

#include <cstdint>

#include "runtime/formats/guest_options.h"

namespace memo::guest {

enum class Mode { kOff, kProfile, kServe, kAuto };

// Reads all options. Call this once, before the other functions; a second call forgets what the first has
// read. Logs one line for each value that it cannot take, and uses the default instead.
void read_options();

Mode option_mode();

// Returns the option's value, or the default of the table; never null.
const char* option_text(GuestOptionId id);

// Replaces the value that was read. `value` must stay readable.
void set_option(GuestOptionId id, const char* value);

// Returns true if passes may show themselves in this way ("hooks", "api" or "period").
bool passes_may_come_by(const char* way);

// Returns true if plans, and folders of plans, are taken of any writer.
bool are_plans_taken_of_anyone();

// Returns the value of an option that takes a whole number.
unsigned long option_number(GuestOptionId id);

// Returns the bytes of an option that takes a size; `without` where none was given.
std::uint64_t option_size(GuestOptionId id, std::uint64_t without);

}  // namespace memo::guest
