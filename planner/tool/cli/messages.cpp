#include "planner/tool/cli/messages.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <mutex>
#include <string_view>

#include "planner/tool/cli/colours.h"
#include "planner/tool/cli/launch.h"
#include "planner/tool/cli/terminal_line.h"
#include "runtime/formats/guest_options.h"

namespace memo::cli {
namespace {

constexpr const GuestOption& kRow = guest_option(GuestOptionId::kLogFormat);
constexpr const char* kPlainPattern = "memomalloc: %^%v%$";
constexpr const char* kTimedPattern = "%Y-%m-%dT%H:%M:%S.%eZ memomalloc[%P] %^%l%$: %v";

std::string utc_text(spdlog::log_clock::time_point time) {
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(spdlog::log_clock::to_time_t(time)),
                     milliseconds % 1000);
}

// Writes each message as a JSON object on a line of its own.
class JsonFormatter : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& line) override {
    const spdlog::string_view_t level = spdlog::level::to_string_view(message.level);
    const nlohmann::ordered_json object{
        {"time", utc_text(message.time)},
        {"level", std::string_view(level.data(), level.size())},
        {"pid", getpid()},
        {"message", std::string_view(message.payload.data(), message.payload.size())}};
    fmt::format_to(std::back_inserter(line), "{}\n",
                   object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }

  [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<JsonFormatter>();
  }
};

// Writes to stderr in colours where they are wanted. Removes a line of progress first.
class Sink : public spdlog::sinks::stderr_color_sink_mt {
  using Base = spdlog::sinks::stderr_color_sink_mt;

 public:
  using Base::Base;

  void log(const spdlog::details::log_msg& message) override {
    const std::lock_guard lock(terminal_mutex());
    erase_line();
    Base::log(message);
  }
};

bool g_is_plain = true;

void set_format(std::string_view format) {
  g_is_plain = format != "json" && format != "timed";
  if (format == "json") {
    spdlog::set_formatter(std::make_unique<JsonFormatter>());
  } else {
    spdlog::set_pattern(format == "timed" ? kTimedPattern : kPlainPattern, spdlog::pattern_time_type::utc);
  }
}

}  // namespace

void set_up_messages() {
  auto sink = std::make_shared<Sink>(wants_colours(STDERR_FILENO) ? spdlog::color_mode::always
                                                                  : spdlog::color_mode::never);
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("memomalloc", sink));
  const char* format = std::getenv("MEMOMALLOC_LOG_FORMAT");
  set_format(format == nullptr ? "" : format);
}

bool has_plain_format() {
  return g_is_plain;
}

void declare_log_format(CLI::App& app, std::string& format) {
  app.add_option("--log-format", format,
                 fmt::format("{} [{}] (${})", kRow.help, kRow.fallback, kRow.variable))
      ->type_name(kRow.value)
      ->check(CLI::IsMember(choices_of(kRow)).description(""));
}

void use_log_format(const std::string& format) {
  setenv(kRow.variable, format.c_str(), 1);
  set_format(format);
}

}  // namespace memo::cli
