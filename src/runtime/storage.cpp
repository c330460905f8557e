// SPDX-License-Identifier: Apache-2.0
// Memory of tensors: made, read, written and freed on their device.
#include "tilewright/runtime/detail/storage.hpp"

#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "runtime/device_engine.hpp"
#include "runtime/graph_recorder.hpp"
#include "runtime/memory_uses.hpp"
#include "runtime/scope_loans.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/runtime/detail/launch_plan.hpp"

namespace tilewright::detail {
namespace {

std::size_t element_bytes(const storage* memory) { return static_cast<std::size_t>(info(memory->element).size_bytes); }
std::size_t used_bytes(const storage* memory) {
  return static_cast<std::size_t>(memory->shape.elements()) * element_bytes(memory);
}

std::size_t bytes_of(const Shape& shape, std::size_t element_bytes) {
  constexpr auto most = static_cast<std::size_t>(INT64_MAX);
  const auto elements = static_cast<std::size_t>(shape.elements());  // INT64_MAX where they are more
  if (elements < most && elements <= most / element_bytes) return elements * element_bytes;
  throw usage_error(
      {.what = "the size of a tensor overflows",
       .where = "a tensor of shape " + to_text(shape) + ", " + std::to_string(element_bytes) + " bytes an element",
       .expected = "fewer than 2^63 bytes",
       .got = "more",
       .fix = "give smaller extents"});
}

// Copies the elements of `from` out of `span`, whose first element is at position `origin` of the storage.
void gather(const layout& from, const std::byte* span, index_t origin, std::size_t size, std::byte* to) {
  const index_t count = from.extents.elements();
  for (index_t i = 0; i < count; ++i, to += size) {
    index_t rest = i, place = from.first - origin;
    for (int axis = from.extents.rank() - 1; axis >= 0; --axis) {
      place += rest % from.extents[axis] * from.strides[axis];
      rest /= from.extents[axis];
    }
    std::memcpy(to, span + static_cast<std::size_t>(place) * size, size);
  }
}

// Least and greatest position that a layout touches.
std::pair<index_t, index_t> span_of(const layout& seen) {
  index_t least = seen.first, greatest = seen.first;
  for (int axis = 0; axis < seen.extents.rank(); ++axis) {
    const index_t reach = (seen.extents[axis] - 1) * seen.strides[axis];
    (reach < 0 ? least : greatest) += reach;
  }
  return {least, greatest};
}

void store_number(std::byte* to, dtype type, double value) {
  const auto put = [to](auto number) { std::memcpy(to, &number, sizeof number); };
  switch (type) {
    case dtype::f16:
      return put(f16(static_cast<float>(value)));
    case dtype::bf16:
      return put(bf16(static_cast<float>(value)));
    case dtype::f8e4m3:
      return put(f8e4m3(static_cast<float>(value)));
    case dtype::f8e5m2:
      return put(f8e5m2(static_cast<float>(value)));
    case dtype::f8e8m0:
      return put(f8e8m0(static_cast<float>(value)));
    case dtype::f4e2m1:
    case dtype::i4:
    case dtype::u4:
      break;  // of no tensor
    case dtype::tf32:
      return put(tf32(static_cast<float>(value)));
    case dtype::f32:
      return put(static_cast<float>(value));
    case dtype::f64:
      return put(value);
    default:  // two's complement: the low bytes of the integer
      const auto integer = static_cast<std::int64_t>(value);
      std::memcpy(to, &integer, static_cast<std::size_t>(info(type).size_bytes));
  }
}

// Writes value(0), value(1), ... in pieces, so that no second tensor is needed.
template <class Value>
void fill_with(storage* memory, Value value) {
  if (!memory->device->keeps_values()) return;
  const std::size_t size = element_bytes(memory), count = static_cast<std::size_t>(memory->shape.elements());
  constexpr std::size_t piece = 1 << 14;
  std::vector<std::byte> values(std::min(piece, count) * size);
  for (std::size_t first = 0; first < count; first += piece) {
    const std::size_t here = std::min(piece, count - first);
    for (std::size_t i = 0; i < here; ++i) store_number(values.data() + i * size, memory->element, value(first + i));
    memory->device->copy_from_host(memory->address + first * size, values.data(), here * size);
  }
}

// A standard library's normal distribution may differ from another's; this one is the same everywhere.
class normal_numbers {
 public:
  explicit normal_numbers(std::uint64_t seed) : engine_(seed) {}
  double next() {
    const double radius = std::sqrt(-2.0 * std::log(unit())), angle = 2.0 * 3.14159265358979323846 * unit();
    return radius * std::cos(angle);
  }

 private:
  double unit() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }  // inside (0, 1)
  std::mt19937_64 engine_;
};

// Without an address.
std::unique_ptr<storage> make_storage(device_engine& device, dtype element, const Shape& shape) {
  require_extents(shape);
  auto made = std::make_unique<storage>();
  made->device = &device;
  made->size_bytes = bytes_of(shape, static_cast<std::size_t>(info(element).size_bytes));
  made->element = element;
  made->shape = shape;
  return made;
}

}  // namespace

storage* allocate(device_engine& device, dtype element, const Shape& shape, first_use by) {
  std::unique_ptr<storage> made = make_storage(device, element, shape);
  const memory_block block = device.allocate(made->size_bytes, by);
  made->address = block.address;
  made->last_use = block.last_use;
  return made.release();
}

storage* allocate_on_host(device_engine& device, dtype element, const Shape& shape) {
  std::unique_ptr<storage> made = make_storage(device, element, shape);
  made->is_on_host = true;
  made->give_back = [](storage& memory) noexcept { memory.device->free_on_host(memory.address, memory.size_bytes); };
  made->address = device.allocate_on_host(made->size_bytes);
  return made.release();
}

namespace {

// The last use of memory that nobody can use anew; without a stream, when several are at work on it.
event end_of_use(const storage* memory) noexcept {
  if (memory->is_shared_by_streams.load_relaxed()) return {};
  stream_queue* stream = memory->shared_stream.load_relaxed();
  return stream == nullptr ? memory->last_use : event{stream, memory->shared_ticket.load_relaxed()};
}

// A forked process has the memory, but whoever held a lock of the pool is not there.
void free_block(storage* memory, const event& last_use) noexcept {
  if (memory->device->is_of_other_process()) return;
  if (memory->give_back != nullptr) return memory->give_back(*memory);
  memory->device->free(memory->address, memory->size_bytes, last_use);
}

// Launches in flight are on one stream, which orders what comes after them.
bool can_be_handed_over(const storage* memory, const event& last) noexcept {
  return memory->flights.load_acquire() > 1 && last.stream != nullptr && memory->guard.load_relaxed() == nullptr &&
         memory->give_back == nullptr;
}

}  // namespace

// Launches in flight keep the storage, where they note how they ended, but not its memory: what comes next on their
// stream may use that. Where they are on several streams, or a graph orders the uses, the last one of them frees it.
void release(storage* memory) noexcept {
  if (memory->owners.subtract_acquire_release(1) != 1) return;
  if (memory->fresh != nullptr) memory->fresh->was_dropped = true;
  const event last = end_of_use(memory);
  if (can_be_handed_over(memory, last)) {
    memory->is_handed_over = true;
    free_block(memory, last);
  }
  release_flight(memory);
}

void release_flight(storage* memory) noexcept {
  if (memory->flights.subtract_acquire_release(1) != 1) return;
  const use_guard* guard = memory->guard.load_relaxed();
  // All launches are done, but memory that was never used may still wait for whom it belonged to before.
  const event last = guard != nullptr ? guard->last : memory->last_use;
  if (!memory->is_handed_over) free_block(memory, last);
  delete guard;
  delete memory;
}

namespace {

// Where one index on the outermost axis spans more than this, it is copied alone: the gaps would cost more to copy, and
// to keep, than the calls.
constexpr std::size_t longest_gap_bytes = std::size_t{1} << 18;

layout without_outermost(const layout& whole, index_t index) {
  index_t extents[max_rank], strides[max_rank];
  const int rank = whole.extents.rank() - 1;
  for (int axis = 0; axis < rank; ++axis) {
    extents[axis] = whole.extents[axis + 1];
    strides[axis] = whole.strides[axis + 1];
  }
  const auto size = static_cast<std::size_t>(rank);
  return {Shape(std::span<const index_t>(extents, size)), Shape(std::span<const index_t>(strides, size)),
          whole.first + index * whole.strides[0]};
}

void read_elements(storage* memory, const layout& from, std::byte* values) {
  const std::size_t size = element_bytes(memory);
  const auto count = static_cast<std::size_t>(from.extents.elements());
  if (is_row_major(from)) {
    const std::byte* first = memory->address + static_cast<std::size_t>(from.first) * size;
    return memory->device->copy_to_host(values, first, count * size);
  }
  const auto [least, greatest] = span_of(from);
  const std::size_t span_bytes = static_cast<std::size_t>(greatest - least + 1) * size;
  const auto outermost = static_cast<std::size_t>(from.extents[0]);
  if (span_bytes / outermost > longest_gap_bytes) {
    for (std::size_t i = 0; i < outermost; ++i) {
      read_elements(memory, without_outermost(from, static_cast<index_t>(i)), values + i * (count / outermost) * size);
    }
    return;
  }
  std::vector<std::byte> span(span_bytes);
  memory->device->copy_to_host(span.data(), memory->address + static_cast<std::size_t>(least) * size, span.size());
  gather(from, span.data(), least, size, values);
}

}  // namespace

void read(storage* memory, const layout& from, void* values) {
  require_outside_then("to_host()");
  require_no_capture(*memory->device, "to_host()");
  require_no_scope_loan(memory, "to_host()", false);
  const host_use use(memory, host_use::kind::read);
  if (memory->fault) std::rethrow_exception(memory->fault);
  if (from.extents.elements() != 0) read_elements(memory, from, static_cast<std::byte*>(values));
}

void* host_address(storage* memory, bool is_written) {
  require_outside_then("span()");
  require_no_scope_loan(memory, "span()", is_written);
  require_no_capture(*memory->device, "span()");
  const host_use use(memory, host_use::kind::read);
  if (memory->fault) std::rethrow_exception(memory->fault);
  return memory->address;
}

void write(storage* memory, const void* values) {
  require_no_capture(*memory->device, "from_host()");
  const host_use use(memory, host_use::kind::overwrite);
  memory->device->copy_from_host(memory->address, values, used_bytes(memory));
  memory->fault = nullptr;
}

void fill(storage* memory, const void* element) {
  require_no_capture(*memory->device, "zeros() or full()");
  const host_use use(memory, host_use::kind::overwrite);
  memory->device->fill(memory->address, element, element_bytes(memory),
                       static_cast<std::size_t>(memory->shape.elements()));
  memory->fault = nullptr;
}

void fill_normal(storage* memory, std::uint64_t seed) {
  require_no_capture(*memory->device, "randn()");
  const host_use use(memory, host_use::kind::overwrite);
  normal_numbers numbers(seed);
  fill_with(memory, [&](std::size_t) { return numbers.next(); });
}

void fill_iota(storage* memory) {
  require_no_capture(*memory->device, "iota()");
  const host_use use(memory, host_use::kind::overwrite);
  fill_with(memory, [](std::size_t i) { return static_cast<double>(i); });
}

void refuse_negative_extent(const Shape& shape, int axis) {
  throw usage_error({.what = "a tensor's extent is negative",
                     .where = "axis " + std::to_string(axis),
                     .expected = "0 or more",
                     .got = to_text(shape),
                     .fix = "give the number of elements on each axis"});
}

void refuse_count(const Shape& shape, std::size_t values) {
  throw usage_error({.what = "the number of values is not that of the shape",
                     .where = "from_host, shape " + to_text(shape),
                     .expected = std::to_string(shape.elements()),
                     .got = std::to_string(values),
                     .fix = "give one value for each element"});
}

void refuse_use_after_give(const char* what) {
  throw usage_error({.what = std::string("use of a ") + what + " that was given away",
                     .where = what,
                     .expected = "a handle that still owns its tensor",
                     .got = "one that was moved into a launch, a handle or a function",
                     .fix = "use what the launch gave back, or lend it with borrow() or partition() on the name"});
}

void refuse_move_while_lent() {
  throw usage_error({.what = "a Tensor was moved while it is lent",
                     .where = "Tensor",
                     .expected = "no loan of it",
                     .got = "a launch that still holds one",
                     .fix = "run that launch first"});
}

void refuse_read_while_lent_to_a_writer() {
  throw usage_error({.what = "a Tensor was read while it is lent to a writer",
                     .where = "to_host()",
                     .expected = "no loan that may write it",
                     .got = "one with a name, or of a launch that has not run",
                     .fix = "run that launch first"});
}

void refuse_launch_while_lent_to_others() {
  throw usage_error({.what = "a launch uses a Tensor while it is lent to others, and one of them writes",
                     .where = "a launch that borrows",
                     .expected = "loans of this launch alone, or of other elements",
                     .got = "a loan with a name, or of a launch that has not run",
                     .fix = "lend within the launch: kernel(z.partition({...}), x.borrow()).sync()"});
}

void refuse_unique(int owners) {
  throw usage_error({.what = "into_unique() of a tensor that others still use",
                     .where = "Shared",
                     .expected = "1 owner",
                     .got = std::to_string(owners) + " owners",
                     .fix = "wait for launches in flight and drop the other handles first"});
}

}  // namespace tilewright::detail
