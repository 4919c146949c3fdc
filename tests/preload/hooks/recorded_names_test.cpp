// Names that only a recording has: OpenCV's layers, and the kernels of PyTorch that no operator is around. A failure means that
// `inspect` shows these allocations without a name, or under a wrong one, or that plans wait for what no served pass tells of.
#include <gtest/gtest.h>

#include "planner/trace/labels.h"
#include "planner/trace/symbols.h"
#include "tests/preload/recording.h"

namespace memo::testing {
namespace {

using Names = std::vector<std::string>;

Names readable_scopes(const planner::Trace& trace) {
  Names names;
  for (const std::string& name : scopes(trace, trace.passes.at(0)))
    names.push_back(planner::readable_name(name));
  return names;
}

const char* const kLayer = "cv::dnn::Net::Impl::forwardLayer";

TEST(RecordedNames, AreLayersInsideTheirFunction) {
  if (!can_read_names()) GTEST_SKIP() << "the kernel has no process_vm_readv";
  const planner::Trace trace = trace_of("layers");
  EXPECT_EQ(readable_scopes(trace), (Names{"[conv1]", "[conv2]", "[conv1]", "", kLayer, kLayer, kLayer}));
  for (const planner::Scope& scope : trace.passes.at(0).scopes) {
    const bool is_layer = planner::is_label(trace.name(scope.name));
    EXPECT_EQ(is_layer, scope.parent != planner::kNone) << trace.name(scope.name);
  }
}

TEST(RecordedNames, AreKernelsWhereNoOperatorIsAround) {
  EXPECT_EQ(readable_scopes(trace_of("kernels")),
            (Names{"at::native::softmax", "aten::relu", "aten::relu", "at::native::softmax",
                   "at::meta::structured_cat::meta", ""}));
}

TEST(RecordedNames, OfKernelsAreNotInPlans) {
  planner::Trace trace = trace_of("kernels");
  planner::leave_out_labels(trace);
  EXPECT_EQ(readable_scopes(trace), (Names{"", "aten::relu", "aten::relu", "", "", ""}));
}

}  // namespace
}  // namespace memo::testing
