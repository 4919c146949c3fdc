// The messages for people, on stderr, in the formats that the log of the library has; stdout is for results.
#pragma once

#include <string>

#include "planner/tool/cli/parser_names.h"

namespace memo::cli {

// Sets up what spdlog's functions write to, in the format that MEMOMALLOC_LOG_FORMAT names. Call this first.
void set_up_messages();

// Returns true if messages have neither a time nor the form of JSON.
[[nodiscard]] bool has_plain_format();

// Declares --log-format.
void declare_log_format(CLI::App& app, std::string& format);

// Writes later messages in this format, as do the libraries in programs that are started from now on.
void use_log_format(const std::string& format);

}  // namespace memo::cli
