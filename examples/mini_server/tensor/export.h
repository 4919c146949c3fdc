// Marks what a library of the example offers to others. Everything else stays hidden, as frameworks do it, and calls to what is
// exported go through the PLT.
#pragma once

#define MINI_API __attribute__((visibility("default")))
