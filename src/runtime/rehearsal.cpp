// SPDX-License-Identifier: Apache-2.0
// The names of rules that a rehearsal checks where a running program asks launch_plan or the stream. Compilers print
// them; nothing calls them.
#include "tilewright/base/error.hpp"
#include "tilewright/runtime/detail/op_node.hpp"
#include "tilewright/runtime/detail/rehearsed_launch.hpp"
#include "tilewright/runtime/graph.hpp"

namespace tilewright::detail {
namespace {

[[noreturn]] void refuse(const char* rule) {
  throw internal_error({.what = "a check of rehearsals failed in a running program",
                        .where = rule,
                        .expected = "that the launch was refused before",
                        .got = "a launch that was not",
                        .fix = "please report it"});
}

}  // namespace

void refuse_what_cannot_be_rehearsed() { refuse("an op that cannot be rehearsed"); }
void refuse_arguments_of_different_devices() { refuse("arguments of different devices"); }
void refuse_argument_of_another_rank_than_its_parameter() { refuse("an argument of another rank"); }
void refuse_partition_that_does_not_fit_its_tensor() { refuse("a partition that does not fit its tensor"); }
void refuse_copy_between_different_shapes() { refuse("a copy between different shapes"); }
void refuse_output_that_overlaps_another_argument() { refuse("an output that overlaps another argument"); }
void refuse_launch_of_another_device_inside_a_capture() { refuse("a launch of another device inside a capture"); }
void refuse_scope_inside_a_capture() { refuse("a scope inside a capture"); }
void refuse_host_at_work_inside_a_capture() { refuse("the host at work inside a capture"); }
void refuse_capture_inside_a_capture() { refuse("a capture inside a capture"); }
void refuse_node_that_the_graph_lacks() { refuse("a node that the graph lacks"); }
void refuse_other_launches_than_the_nodes_have() { refuse("other launches than the nodes have"); }
void refuse_read_of_what_is_not_computed_yet() { refuse("a read of what is not computed yet"); }

}  // namespace tilewright::detail
