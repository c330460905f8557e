// SPDX-License-Identifier: Apache-2.0
// The names of rules that a rehearsal checks where a running program asks launch_plan or the stream. Compilers print
// them; nothing calls them.
#include "tilewright/base/error.hpp"
#include "tilewright/runtime/detail/op_node.hpp"
#include "tilewright/runtime/detail/rehearsed_launch.hpp"

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
void refuse_read_of_what_is_not_computed_yet() { refuse("a read of what is not computed yet"); }

}  // namespace tilewright::detail
