// The files that go with the command into a prefix: man pages and completions.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>

namespace memo::cli {

// As they lie below a prefix's share/: man/man1, bash-completion/completions, zsh/site-functions.
void write_texts(const CLI::App& app, const std::filesystem::path& folder);

}  // namespace memo::cli
