// Writes the files that are installed with the command: man pages and completions.
#pragma once

#include <filesystem>

#include "planner/tool/cli/parser_names.h"

namespace memo::cli {

// Writes them into the subfolders that they have below share/: man/man1, bash-completion/completions,
// zsh/site-functions.
void write_texts(const CLI::App& app, const std::filesystem::path& folder);

}  // namespace memo::cli
