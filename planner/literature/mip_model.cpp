#include "planner/literature/mip_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace memo::planner {
namespace {

class Writer {
 public:
  Writer(const Problem& problem, Bytes bound, Bytes most) : problem_(problem), bound_(bound), most_(most) {
    model_.columns.push_back("u");
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
      model_.columns.push_back(fmt::format("{}{}", aligned(i) ? 'k' : 'x', i));
    }
  }

  MipModel write() {
    line("Minimize\n obj: u\nSubject To");
    for (BufferIndex i = 0; i < problem_.buffers.size(); ++i) write_top(i);
    for (BufferIndex i = 0; i < problem_.buffers.size(); ++i) {
      for (BufferIndex j = i + 1; j < problem_.buffers.size(); ++j) write_pair(i, j);
    }
    write_mirror();
    line("Bounds");
    line("{} <= u <= {}", bound_, most_);
    for (BufferIndex i = 0; i < problem_.buffers.size(); ++i) write_bounds(i);
    write_integers();
    line("End");
    return std::move(model_);
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(model_.lp), text, std::forward<Args>(args)...);
    model_.lp += '\n';
  }

  [[nodiscard]] const Buffer& buffer(BufferIndex i) const { return problem_.buffers[i]; }
  [[nodiscard]] bool aligned(BufferIndex i) const { return buffer(i).alignment > 1; }
  // Returns the offset of a buffer as a term.
  [[nodiscard]] std::string offset(BufferIndex i) const {
    return fmt::format("{} {}", buffer(i).alignment, model_.columns[i + 1]);
  }

  void write_top(BufferIndex i) { line(" t{}: {} - u <= -{}", i, offset(i), buffer(i).size); }

  void write_pair(BufferIndex i, BufferIndex j) {
    if (!buffer(i).life.overlaps(buffer(j).life)) return;
    if (buffer(i) == buffer(j) && !buffer(i).fixed) {
      line(" s{}_{}: {} - {} <= -{}", i, j, offset(i), offset(j), buffer(i).size);
      return;
    }
    binaries_.push_back(fmt::format("z{}_{}", i, j));
    const std::string& z = binaries_.back();
    line(" b{}_{}: {} - {} - {} {} <= -{}", i, j, offset(i), offset(j), most_, z, buffer(i).size);
    line(" a{}_{}: {} - {} + {} {} <= {}", i, j, offset(j), offset(i), most_, z, most_ - buffer(j).size);
  }

  void write_mirror() {
    const auto plain = [](const Buffer& b) { return !b.fixed && b.alignment == 1; };
    if (!std::all_of(problem_.buffers.begin(), problem_.buffers.end(), plain)) return;
    // Writes no row if the largest buffer has a twin: the first of several alike lies below the others
    // already, so holding it down would exclude more than mirrored plans.
    const auto largest = std::max_element(problem_.buffers.begin(), problem_.buffers.end(),
                                          [](const Buffer& a, const Buffer& b) { return a.size < b.size; });
    if (std::count(problem_.buffers.begin(), problem_.buffers.end(), *largest) > 1) return;
    const auto i = static_cast<BufferIndex>(largest - problem_.buffers.begin());
    line(" m: 2 {} - u <= -{}", model_.columns[i + 1], largest->size);
  }

  void write_bounds(BufferIndex i) {
    const std::string& column = model_.columns[i + 1];
    const Bytes alignment = buffer(i).alignment;
    if (buffer(i).fixed) {
      line(" {} = {}", column, *buffer(i).fixed / alignment);
    } else {
      line(" 0 <= {} <= {}", column, (most_ - buffer(i).size) / alignment);
    }
  }

  void write_integers() {
    std::vector<std::string> generals;
    for (BufferIndex i = 0; i < problem_.buffers.size(); ++i) {
      if (aligned(i)) generals.push_back(model_.columns[i + 1]);
    }
    write_section("General", generals);
    write_section("Binary", binaries_);
  }

  void write_section(const char* name, const std::vector<std::string>& columns) {
    if (columns.empty()) return;
    line("{}", name);
    for (const std::string& column : columns) line(" {}", column);
  }

  const Problem& problem_;
  Bytes bound_;
  Bytes most_;
  MipModel model_;
  std::vector<std::string> binaries_;
};

}  // namespace

MipModel make_mip_model(const Problem& problem, Bytes bound, Bytes most) {
  return Writer(problem, bound, most).write();
}

}  // namespace memo::planner
