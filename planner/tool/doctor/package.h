// The Python package that a file belongs to.
#pragma once

#include <string_view>

namespace memo::doctor {

// Returns the name of the folder below site-packages or dist-packages: "torch" for ".../site-packages/torch/lib/libc10.so".
// The folder in which a wheel keeps its libraries, "torch.libs", is the same package. Returns "" for other files.
[[nodiscard]] std::string_view package_of(std::string_view path);

}  // namespace memo::doctor
