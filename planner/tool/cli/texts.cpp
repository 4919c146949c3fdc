#include "planner/tool/cli/texts.h"

#include "planner/tool/cli/completion.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/man_page.h"
#include "planner/tool/cli/outline.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;

void write_below(const fs::path& folder, const std::string& name, const std::string& text) {
  fs::create_directories(folder);
  write_output((folder / name).string(), text);
}

}  // namespace

void write_texts(const CLI::App& app, const fs::path& folder) {
  const std::vector<VerbOutline> all = outline_of(app);
  for (const VerbOutline& verb : all)
    write_below(folder / "man/man1", man_name(verb) + ".1", man_page(all, verb));
  write_below(folder / "bash-completion/completions", "memomalloc", bash_completion(all));
  write_below(folder / "zsh/site-functions", "_memomalloc", zsh_completion(all));
}

}  // namespace memo::cli
