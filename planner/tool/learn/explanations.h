// Says why there is no plan yet, each reason once: a program that runs on without one should not stay a riddle.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

namespace memo::learn {

class Explanations {
 public:
  // `program` is what the user typed, `work` the folder of its traces. `say` receives one line at a time.
  Explanations(std::string program, std::filesystem::path work, std::function<void(const std::string&)> say);

  // Says so where the program has run for a while and nothing was recorded.
  void of_silence();

  // Says so where a trace is as large as it gets after a while, and nothing in it recurs.
  void of_trace_in_vain(const std::filesystem::path& trace);

  // Says what is wrong at the program's end.
  void of_the_end();

  // Returns true if the recorder ended before the program did when a line last said why.
  [[nodiscard]] bool saw_enough() const { return saw_enough_; }

  // Returns true if the program marked passes, by what was recorded of it when a line last said why.
  [[nodiscard]] bool saw_marks() const { return saw_marks_; }

  // Returns the last sentence that said why; "" for none.
  [[nodiscard]] const std::string& said() const { return explained_; }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool is_early() const;
  void say_why(bool ended);

  const std::string program_;
  const std::filesystem::path work_;
  const std::function<void(const std::string&)> say_;
  const Clock::time_point begun_ = Clock::now();
  bool said_silent_ = false;  // a line said that nothing was recorded
  bool said_why_ = false;     // a line said why nothing recurs
  bool saw_enough_ = false;
  bool saw_marks_ = false;
  std::string explained_;  // the last sentence that said so
};

}  // namespace memo::learn
