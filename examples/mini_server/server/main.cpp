// mini_server: a CPU inference server small enough to read. It stands for the servers MemoMalloc is made for
// and knows nothing of it.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#include "examples/mini_server/server/server.h"

namespace mini {
namespace {

void declare(CLI::App& app, Options& options) {
  app.add_option("--port", options.port, "Port on 127.0.0.1; 0 takes any free one")->capture_default_str();
  app.add_option("--threads", options.threads, "Requests worked on at once")
      ->check(CLI::Range(std::size_t{1}, kMostThreads))
      ->capture_default_str();
  app.add_option("--batch", options.batch, "Images in a request that does not say")
      ->check(CLI::Range(std::size_t{1}, kLargestBatch))
      ->capture_default_str();
  app.add_option("--image", options.image, "Width and height of an image in a request that does not say")
      ->check(CLI::Range(kSmallestImage, kLargestImage))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of the network's weights")->capture_default_str();
  app.add_flag("--swap-branches", options.swap_branches,
               "Run the two branches of every block in the other order");
  app.add_flag("--asked", options.asked,
               "No HTTP: answer each line of the input by a line with the checksum of an inference");
  app.add_option("--restart-workers", options.restart_workers,
                 "A worker thread ends and another takes its place after so many requests; 0: never")
      ->capture_default_str();
  app.add_option("--fork-every", options.fork_every,
                 "After so many inferences a forked child repeats the last one and compares; 0: never")
      ->capture_default_str();
  app.add_option("--reload-every", options.reload_every,
                 "After so many inferences the network's weights are made anew; 0: never")
      ->capture_default_str();
  app.add_option("--requests", options.requests, "Stop after so many inferences; 0 goes on for ever")
      ->capture_default_str();
}

void answer_lines(const Options& options) {
  const Inference inference(options);
  const Request request{.path = "/infer", .query = {}};
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << checksum_in(inference.answer(request)) << std::endl;
  }
}

void serve(const Options& options) {
  Server server(options);
  std::cout << "mini_server: listening on http://127.0.0.1:" << server.port()
            << "  (GET /infer?batch=N&image=N&seed=N, /health)" << std::endl;
  server.run();
  std::cout << "mini_server: stopped after " << server.answered() << " inferences" << std::endl;
  if (server.wrong_children() != 0)
    throw std::runtime_error(std::to_string(server.wrong_children()) + " forked children answered otherwise");
}

int parse_and_run(int argc, char** argv) {
  Options options;
  CLI::App app{
      "A small inference server: a residual network with random weights behind HTTP/1.1 on loopback.",
      "mini_server"};
  declare(app, options);
  try {
    app.parse(argc, argv);
    options.asked ? answer_lines(options) : serve(options);
    return 0;
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
    std::cerr << "mini_server: " << error.what() << '\n';
    return 1;
  }
}
