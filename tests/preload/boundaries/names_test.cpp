// Names of passes and scopes: one for each text, from many threads at once, and small: a framework has thousands.
#include "preload/boundaries/names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace memo::guest {
namespace {

constexpr std::size_t kTexts = 4000;

std::string text(std::size_t number) {
  return "an::operator::number" + std::to_string(number);
}

std::vector<const BoundaryName*> intern_all() {
  std::vector<const BoundaryName*> names;
  for (std::size_t number = 0; number < kTexts; ++number) names.push_back(intern_name(text(number).c_str()));
  return names;
}

TEST(Names, AreTheSameForAllThreads) {
  std::vector<std::vector<const BoundaryName*>> seen(4);
  std::vector<std::thread> threads;
  for (auto& names : seen) threads.emplace_back([&names] { names = intern_all(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& names : seen) EXPECT_EQ(names, seen.front());
  for (std::size_t number = 0; number < kTexts; ++number) EXPECT_EQ(seen.front()[number]->text, text(number));
}

// A page for each would be sixteen megabytes.
TEST(Names, LieCloseTogether) {
  std::vector<std::uintptr_t> pages;
  for (const BoundaryName* name : intern_all())
    pages.push_back(reinterpret_cast<std::uintptr_t>(name) / 4096);
  std::ranges::sort(pages);
  pages.erase(std::ranges::unique(pages).begin(), pages.end());
  EXPECT_LT(pages.size(), kTexts / 20);
}

}  // namespace
}  // namespace memo::guest
