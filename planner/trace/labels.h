// Scopes whose names stand in brackets, as "[layer1.0.conv2]", are labels: they are for reports, and only a recording has
// them. Python's modules, OpenCV's layers and ONNX Runtime's nodes are such scopes, and kernels of PyTorch that nothing else names,
// since telling the library of each would cost a served pass too much.
#pragma once

#include <string_view>

#include "planner/trace/trace.h"

namespace memo::planner {

[[nodiscard]] bool is_label(std::string_view name);

// Returns true for a label that is a node of a graph with its type, as "[conv1 (Conv)]".
[[nodiscard]] bool names_node(std::string_view label);

// Returns true for a node, and for a label that is a function, as "[_ZN2at6native7softmaxE]": operators, where other labels are
// parts of a model.
[[nodiscard]] bool names_operator(std::string_view label);

// Takes the labels out of all passes. What was in one then lies in the scope around it. A plan that waited for the begin of
// a label would wait in vain.
void leave_out_labels(Trace& trace);

}  // namespace memo::planner
