// SPDX-License-Identifier: Apache-2.0
#include "runtime/offline_engine.hpp"

#include <array>
#include <cstring>
#include <mutex>

#include "tilewright/runtime/offline.hpp"

namespace tilewright {
namespace detail {

offline_engine::offline_engine(compiler::target where)
    : target_(where), name_(std::string("offline ") + compiler::name_of(where)) {}

void offline_engine::copy_to_host(void* to, const std::byte*, std::size_t size_bytes) {
  if (size_bytes > 0) std::memset(to, 0, size_bytes);
}

namespace {

// One for each target, for as long as the program: tensors of static storage may die after everything else.
offline_engine& engine_of(compiler::target where) {
  static std::mutex guard;
  static std::array<offline_engine*, 256> made{};
  const std::lock_guard lock(guard);
  offline_engine*& place = made[static_cast<std::size_t>(where)];
  if (place == nullptr) place = new offline_engine(where);
  return *place;
}

}  // namespace
}  // namespace detail

Device offline_device(compiler::target where) { return Device(detail::engine_of(where)); }

}  // namespace tilewright
