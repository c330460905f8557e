// SPDX-License-Identifier: Apache-2.0
// The engine of devices that are not there: memory without values, launches that are compiled and not run.
#pragma once

#include <string>

#include "runtime/device_engine.hpp"
#include "runtime/host_stream.hpp"
#include "runtime/memory_pool.hpp"

namespace tilewright::detail {

class offline_engine : public device_engine {
 public:
  explicit offline_engine(compiler::target where);

  const char* name() const override { return name_.c_str(); }
  compiler::target target() const override { return target_; }

  // Host memory that nobody touches, so that a model larger than this machine's memory has its addresses.
  memory_block allocate(std::size_t size_bytes, first_use by) override { return allocate_from(pool_, size_bytes, by); }
  void free(std::byte* address, std::size_t size_bytes, const event& last_use) noexcept override {
    pool_.free(address, size_bytes, last_use);
  }
  memory_statistics memory() const override { return pool_.statistics(); }
  void release_cached_memory() noexcept override { pool_.release_cached(); }

  bool keeps_values() const override { return false; }
  void copy_to_host(void* to, const std::byte* from, std::size_t size_bytes) override;
  void copy_from_host(std::byte*, const void*, std::size_t) override {}
  void fill(std::byte*, const void*, std::size_t, std::size_t) override {}
  void run(const compiled_launch&, stream_queue&) override {}

 protected:
  std::unique_ptr<stream_queue> make_stream() override { return std::make_unique<host_stream>(*this); }

 private:
  const compiler::target target_;
  const std::string name_;
  memory_pool pool_;
};

}  // namespace tilewright::detail
