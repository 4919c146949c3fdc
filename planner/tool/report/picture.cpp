#include "planner/tool/report/picture.h"

#include <algorithm>
#include <utility>

namespace memo::planner {
namespace {

bool same_buffers(const Picture& a, const Picture& b) {
  return a.fingerprint == b.fingerprint && a.problem.buffers == b.problem.buffers;
}

bool has_layout(const Picture& picture, const Layout& layout) {
  return std::ranges::any_of(picture.layouts, [&](const Layout& known) {
    return known.name == layout.name && known.offsets == layout.offsets;
  });
}

}  // namespace

Bytes bytes_requested(const Picture& picture) {
  Bytes sum = 0;
  for (const Buffer& buffer : picture.problem.buffers) sum += buffer.size;
  return sum;
}

void merge(std::vector<Picture>& pictures, std::vector<Picture> more) {
  for (Picture& picture : more) {
    const auto known =
        std::ranges::find_if(pictures, [&](const Picture& other) { return same_buffers(picture, other); });
    if (known == pictures.end()) {
      pictures.push_back(std::move(picture));
      continue;
    }
    for (Layout& layout : picture.layouts) {
      if (!has_layout(*known, layout)) known->layouts.push_back(std::move(layout));
    }
  }
}

}  // namespace memo::planner
