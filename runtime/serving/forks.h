// The lock of the plans around fork(): it holds changes of plans off, so that the child inherits no plan in the middle of a
// change. runtime/serving/copies.h says what else the child does.
#pragma once

namespace memo::runtime {

void before_fork();
void after_fork_in_parent();
void let_go_after_fork();

}  // namespace memo::runtime
