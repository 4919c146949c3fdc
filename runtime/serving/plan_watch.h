// The file of the plan: taken up when it appears, and when it is replaced.
#pragma once

namespace memo::runtime {

// Serves from the plan at `path`, which may appear later, and takes up a new one whenever the file is replaced.
enum class Absent { kSay, kExpected };
void watch_plan(const char* path, Absent absent = Absent::kSay);

// Takes up a changed file, lets the plan grow, gives back what replaced plans held. To be called between
// passes. Costs a clock reading, and a stat twice a second.
void look_after_plans();

}  // namespace memo::runtime
