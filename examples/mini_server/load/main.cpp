// mini_load: keeps connections to mini_server busy, checks every checksum, and says how fast it went.
// Exit status: 0, 1 where an answer was wrong or missing, 2 for the command line.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "examples/mini_server/load/run.h"
#include "examples/mini_server/load/summary.h"

namespace mini {
namespace {

struct Arguments {
  LoadOptions load;
  std::vector<std::string> shapes;
  std::uint64_t seed = 1;
  bool json = false;
  bool each = false;
};

void declare(CLI::App& app, Arguments& arguments) {
  LoadOptions& load = arguments.load;
  app.add_option("--port", load.port, "Where the server listens on 127.0.0.1")->required();
  app.add_option("--connections", load.connections, "Connections kept busy")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  auto* requests = app.add_option("--requests", load.requests, "Stop after so many requests");
  app.add_option("--seconds", load.seconds, "Stop after so much time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->excludes(requests);
  app.add_option("--warmup", load.warmup, "Requests of each connection and shape that are not measured")
      ->capture_default_str();
  app.add_option("--wait", load.patience, "Seconds to wait for the server to appear")->capture_default_str();
  app.add_option(
      "--shape", arguments.shapes,
      "BATCHxIMAGE or BATCHxIMAGE=CHECKSUM, as often as wanted: shapes to ask for in turn. Without a "
      "checksum, every answer must be like the first. Without a shape, the server's own");
  app.add_option("--seed", arguments.seed, "Seed of the input")->capture_default_str();
  app.add_flag("--json", arguments.json, "Print the summary as JSON");
  app.add_flag("--each", arguments.each, "In the JSON, also list every latency, in milliseconds");
}

// "4x96=0123456789abcdef"
Target parse_shape(const std::string& text, std::uint64_t seed) {
  const std::size_t equals = text.find('=');
  const std::string shape = text.substr(0, equals);
  const std::size_t cross = shape.find('x');
  if (cross == std::string::npos) {
    throw CLI::ValidationError("--shape", "\"" + text + "\" is no shape; write BATCHxIMAGE, as in 4x96");
  }
  return {"/infer?batch=" + shape.substr(0, cross) + "&image=" + shape.substr(cross + 1) +
              "&seed=" + std::to_string(seed),
          equals == std::string::npos ? "" : text.substr(equals + 1)};
}

void set_targets(Arguments& arguments) {
  for (const std::string& shape : arguments.shapes) {
    arguments.load.targets.push_back(parse_shape(shape, arguments.seed));
  }
  if (arguments.load.targets.empty()) {
    arguments.load.targets.push_back({"/infer?seed=" + std::to_string(arguments.seed), ""});
  }
}

int run(const Arguments& arguments) {
  const LoadResult result = run_load(arguments.load);
  std::cout << (arguments.each   ? summary_json_with_each(result)
                : arguments.json ? summary_json(result)
                                 : summary_text(result));
  if (!result.first_trouble.empty()) std::cerr << "mini_load: " << result.first_trouble << '\n';
  return result.wrong == 0 && result.failed == 0 ? 0 : 1;
}

int parse_and_run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app{"Keeps connections to mini_server busy and checks every answer.", "mini_load"};
  declare(app, arguments);
  try {
    app.parse(argc, argv);
    set_targets(arguments);
    return run(arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
}

}  // namespace
}  // namespace mini

int main(int argc, char** argv) {
  try {
    return mini::parse_and_run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "mini_load: " << error.what() << '\n';
    return 1;
  }
}
