// SPDX-License-Identifier: Apache-2.0
// How ops go to their streams, one or several together, and what becomes of a failure.
#include "runtime/graph_recorder.hpp"
#include "runtime/range_events.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/runtime/detail/op_node.hpp"
#include "tilewright/runtime/result.hpp"

namespace tilewright::detail {
namespace {

// Making the thread's stream may fail; the op is owned already then.
stream_queue& stream_for(const op_work& work, stream_queue* chosen) {
  if (chosen == nullptr) return thread_stream(work.device());
  if (!work.runs_on(chosen->device())) require_same_device(work.device(), chosen->device());
  return *chosen;
}

// The first one; those after it come of it, and are forgotten.
std::exception_ptr first_failure(const enqueued_range& range) noexcept {
  std::exception_ptr first;
  each_event(range, [&](const event& each) {
    try {
      each.stream->throw_failure(each.ticket, each.ticket);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  });
  return first;
}

}  // namespace

void refuse_to_prepare_a_chain() {
  throw usage_error({.what = "a chain of ops cannot be prepared",
                     .where = "prepare()",
                     .expected = "one kernel call",
                     .got = "the result of then(), map() or zip()",
                     .fix = "prepare each launch by itself"});
}
event op_work::enqueue_again(stream_queue&, const event&) { refuse_to_prepare_a_chain(); }
void op_work::require_no_fault() { refuse_to_prepare_a_chain(); }
const void* op_work::context() const { refuse_to_prepare_a_chain(); }

void start(op_work& work, stream_queue* chosen, enqueued_range& range) {
  work.enqueue(stream_for(work, chosen), range);
}

void run(op_work& work, stream_queue* chosen, enqueued_range& range) {
  require_outside_then("sync()");
  stream_queue& stream = stream_for(work, chosen);
  const stream_scope scope(stream);
  work.enqueue(stream, range);
  wait(range);
}

void wait_for_result(const enqueued_range& range) {
  require_outside_then("wait()");
  wait(range);
}

stream_queue& stream_of_part(const op_work& part, stream_queue& preferred) {
  return part.runs_on(preferred.device()) ? preferred : thread_stream(part.device());
}

append_later::~append_later() {
  if (whole_.last.stream == nullptr && whole_.earlier.empty()) {
    whole_ = std::move(next_);
    return;
  }
  if (next_.last.stream == nullptr && next_.earlier.empty()) return;
  whole_.earlier.push_back(whole_.last);
  whole_.earlier.insert(whole_.earlier.end(), next_.earlier.begin(), next_.earlier.end());
  whole_.last = next_.last;
}

void require_results() {
  if (graph_recorder::current() == nullptr) return;
  throw usage_error({.what = "map() inside a capture",
                     .where = "capture or update of a graph",
                     .expected = "launches, which a replay repeats",
                     .got = "a function of results, which a launch that is only recorded does not have",
                     .fix = "capture the op without map(), and read the results after a replay"});
}

void wait(const enqueued_range& range) {
  if (!range.earlier.empty()) {
    wait_quietly(range);
    if (const std::exception_ptr failed = first_failure(range)) std::rethrow_exception(failed);
    return;
  }
  if (range.last.stream == nullptr) return;  // recorded, not enqueued
  stream_queue& stream = *range.last.stream;
  stream.wait(range.last.ticket);
  if (range.first != 0) return stream.throw_failure(range.first, range.last.ticket, range.context);
  stream.throw_failure(range.last.ticket, range.last.ticket);
}

bool is_done(const enqueued_range& range) {
  bool are_done = true;
  each_event(range, [&](const event& each) { are_done = are_done && each.stream->is_done(each.ticket); });
  return are_done;
}

void wait_quietly(const event& last) noexcept {
  if (last.stream != nullptr) last.stream->wait(last.ticket);
}

void wait_quietly(const enqueued_range& range) noexcept {
  wait_quietly(range.last);  // first: who waits runs the stream, and there is most to run
  for (const event& each : range.earlier) wait_quietly(each);
}

void settle_failed(const enqueued_range& range) noexcept {
  wait_quietly(range);
  (void)first_failure(range);
}

device_failure caught_device_failure() {
  device_failure caught{std::current_exception(), nullptr};
  try {
    throw;
  } catch (const runtime_error& error) {
    caught.seen = &error;
  } catch (const device_fault& error) {
    caught.seen = &error;
  }
  return caught;
}

namespace {

[[noreturn]] void refuse_result(const char* what, const char* got) {
  throw usage_error({.what = std::string(what) + " of a Result that has none",
                     .where = "Result",
                     .expected = "`if (result)` for value(), `if (!result)` for error()",
                     .got = got,
                     .fix = "ask the Result first, and take its value once"});
}

}  // namespace

void refuse_value_that_was_taken_before() { refuse_result("value()", "a Result whose value was taken before"); }
void refuse_error_of_work_that_did_not_fail() { refuse_result("error()", "a Result of work that did not fail"); }

}  // namespace tilewright::detail
