// The knobs of runtime/formats/guest_options.h as this process got them. Read once at start with secure_getenv, and
// copied: servers overwrite their environment (setproctitle) and change it (setenv).
#pragma once

#include "runtime/formats/guest_options.h"

namespace memo::guest {

enum class Mode { kOff, kProfile, kServe, kAuto };

// Before any of the others, and once; asked again it forgets what it had. Says in one line what it could not take, and uses the default instead.
void read_options();

Mode option_mode();

// The value, or the table's default; never null.
const char* option_text(GuestOptionId id);

// In place of what was read; `value` must stay readable.
void set_option(GuestOptionId id, const char* value);

// Is that a way in which passes may show themselves?
bool passes_may_come_by(const char* way);

// The value of a knob that takes a whole number.
unsigned long option_number(GuestOptionId id);

}  // namespace memo::guest
