// SPDX-License-Identifier: Apache-2.0
// What the device benchmark measures: a row is one prepared piece of work with its buffers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/runtime/runtime.hpp"

namespace tilewright::bench {

// Where a row is prepared. Small shapes check the row on a device without an accelerator.
struct row_place {
  Device device;
  bool is_small;

  index_t extent(index_t full, index_t small) const { return is_small ? small : full; }
};

struct buffer_view {
  std::string name;
  dtype element;
  void* address;
  Shape shape;
};

// Makes the tensors of a row and remembers where they lie.
class RowBuffers {
 public:
  explicit RowBuffers(const Device& device) : device_(device) {}

  template <Element T>
  Tensor<T> make(std::string name, const Shape& shape) {
    Tensor<T> made = device_.empty<T>(shape);
    views_.push_back({std::move(name), dtype_of<T>, detail::access::memory(made)->address, shape});
    return made;
  }
  std::vector<buffer_view> views() && { return std::move(views_); }

 private:
  Device device_;
  std::vector<buffer_view> views_;
};

class DeviceRow {
 public:
  explicit DeviceRow(std::vector<buffer_view> buffers) : buffers_(std::move(buffers)) {}
  DeviceRow(const DeviceRow&) = delete;
  DeviceRow& operator=(const DeviceRow&) = delete;
  virtual ~DeviceRow() = default;

  std::span<const buffer_view> buffers() const { return buffers_; }
  // Each throws usage_error unless the row has it.
  virtual void enqueue(int side, int times);
  virtual double host_seconds(int side, int times);
  virtual void check() {}

 private:
  std::vector<buffer_view> buffers_;
};

// One launch prepared once: side 0, and perhaps another one to compare with.
template <class Ours, class Peer = Ours>
class PreparedRow final : public DeviceRow {
 public:
  PreparedRow(std::vector<buffer_view> buffers, Ours ours) : DeviceRow(std::move(buffers)), ours_(std::move(ours)) {}
  PreparedRow(std::vector<buffer_view> buffers, Ours ours, Peer peer)
      : DeviceRow(std::move(buffers)), ours_(std::move(ours)), peer_(std::make_unique<Peer>(std::move(peer))) {}

  void enqueue(int side, int times) override {
    if (side == 1 && peer_ == nullptr) return DeviceRow::enqueue(side, times);
    for (int i = 0; i < times; ++i) side == 0 ? ours_.enqueue() : peer_->enqueue();
  }

 private:
  Ours ours_;
  std::unique_ptr<Peer> peer_;
};

template <class... Sides>
std::unique_ptr<DeviceRow> prepared_row(RowBuffers&& buffers, Sides&&... sides) {
  return std::make_unique<PreparedRow<std::remove_cvref_t<Sides>...>>(std::move(buffers).views(),
                                                                      std::forward<Sides>(sides)...);
}

struct row_maker {
  const char* name;
  std::unique_ptr<DeviceRow> (*make)(const row_place& place);
};

std::span<const row_maker> kernel_rows();
std::span<const row_maker> launch_rows();
std::span<const row_maker> fault_rows();
std::span<const row_maker> stream_rows();
std::vector<row_maker> all_rows();

}  // namespace tilewright::bench
