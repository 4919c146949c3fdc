// Variables that begin nearly as those of this library do, and are none: a misspelt name is a setting that does nothing.
#pragma once

namespace memo::guest {

// Logs one line for each, with the name that was probably meant. Call this once, when the log is open.
void report_misspelt_variables();

// Returns the variable of this library or its command that is nearest to `name`, or null if none is near.
const char* nearest_variable(const char* name);

}  // namespace memo::guest
