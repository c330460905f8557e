// SPDX-License-Identifier: Apache-2.0
#include "support/fake_gpu.hpp"

#include <algorithm>
#include <cstring>

namespace tilewright::test {
namespace {

constexpr std::size_t alignment = 256;
constexpr int poison = 0xa5;

struct aligned_memory {
  std::unique_ptr<std::byte[]> memory;
  std::uint64_t address;
};
aligned_memory aligned(std::size_t size_bytes) {
  aligned_memory made{std::unique_ptr<std::byte[]>(new std::byte[size_bytes + alignment]), 0};
  // SAFETY: addresses of the fake GPU are addresses of host memory.
  made.address = (reinterpret_cast<std::uint64_t>(made.memory.get()) + alignment - 1) / alignment * alignment;
  std::memset(made.memory.get(), poison, size_bytes + alignment);
  return made;
}

}  // namespace

// ---- Memory --------------------------------------------------------------------------------------------------------
std::uint64_t fake_gpu::allocate(std::size_t size_bytes, const void* context) {
  if (size_bytes > memory_bytes - bytes_in_use_) return 0;
  aligned_memory made = aligned(size_bytes);
  bytes_in_use_ += size_bytes;
  const std::uint64_t address = made.address;
  blocks_.emplace(address, block{std::move(made.memory), address, size_bytes, context});
  return address;
}

bool fake_gpu::free(std::uint64_t address) {
  run_all();  // as the driver does
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) {
    fault("memory that is not there was freed");
    return false;
  }
  bytes_in_use_ -= found->second.size_bytes;
  blocks_.erase(found);
  return true;
}

const fake_gpu::block* fake_gpu::block_of(std::uint64_t address) const {
  auto found = blocks_.upper_bound(address);
  if (found == blocks_.begin()) return nullptr;
  --found;
  const block& before = found->second;
  return address <= before.address + before.size_bytes ? &before : nullptr;  // one past the end names it too
}

const void* fake_gpu::context_of(std::uint64_t address) const {
  const block* found = block_of(address);
  return found != nullptr ? found->context : nullptr;
}

bool fake_gpu::covers(std::uint64_t address, std::size_t size_bytes) const {
  const block* found = block_of(address);
  return found != nullptr && size_bytes <= found->address + found->size_bytes - address;
}

void* fake_gpu::allocate_host(std::size_t size_bytes) {
  aligned_memory made = aligned(size_bytes);
  // SAFETY: as above.
  void* address = reinterpret_cast<void*>(made.address);
  host_blocks_.emplace(address, block{std::move(made.memory), made.address, size_bytes});
  return address;
}

bool fake_gpu::free_host(void* address) {
  run_all();
  if (host_blocks_.erase(address) == 1) return true;
  fault("pinned memory that is not there was freed");
  return false;
}

bool fake_gpu::is_pinned(const void* address) const {
  auto found = host_blocks_.upper_bound(address);
  if (found == host_blocks_.begin()) return false;
  --found;
  return static_cast<const std::byte*>(address) <
         static_cast<const std::byte*>(found->first) + found->second.size_bytes;
}

// ---- Streams -------------------------------------------------------------------------------------------------------
fake_timeline* fake_gpu::make_stream(const void* context) {
  auto made = std::make_unique<fake_timeline>();
  made->context = context;
  fake_timeline* stream = made.get();
  streams_.emplace(stream, std::move(made));
  numbers_[stream] = ++streams_made_;
  return stream;
}

bool fake_gpu::destroy_stream(fake_timeline* stream) {
  if (!has_stream(stream)) {
    fault("a stream that is not there was destroyed");
    return false;
  }
  run(*stream);
  streams_.erase(stream);
  return true;
}

int fake_gpu::number_of(const fake_timeline* stream) const {
  const auto found = numbers_.find(stream);
  return found != numbers_.end() ? found->second : 0;
}

void fake_gpu::submit(fake_timeline& stream, fake_work next) {
  ++stream.submitted;
  stream.pending.push_back(std::move(next));
  if (!is_delayed) run_ready(stream);
}

fake_gpu::step fake_gpu::run_one(fake_timeline& stream) {
  if (stream.pending.empty()) return step::none;
  const fake_work& first = stream.pending.front();
  if (first.is_ready && !first.is_ready()) return step::blocked;
  if (const std::shared_ptr<fake_point> point = first.waits_for; point != nullptr) {
    if (run_toward(*point) == step::blocked) return step::blocked;
  }
  const fake_work next = std::move(stream.pending.front());
  stream.pending.pop_front();
  for (const std::uint64_t address : next.addresses) {
    if (!is_live(address)) return fault(next.name + " runs with memory that was freed"), step::ran;
  }
  next.run();
  return step::ran;
}

void fake_gpu::run_ready(fake_timeline& stream) {
  while (run_one(stream) == step::ran) {
  }
}

void fake_gpu::run(fake_timeline& stream) {
  while (has_stream(&stream) && !stream.pending.empty()) {
    if (run_one(stream) == step::blocked) give_way();
  }
}

fake_gpu::step fake_gpu::run_toward(const fake_point& point) {
  constexpr int deepest = 1000;
  if (++depth_ > deepest) fault("streams wait for each other in a circle");
  step last = step::ran;
  while (!point.is_passed && depth_ <= deepest && last == step::ran) {
    last = has_stream(point.stream) ? run_one(*point.stream) : step::none;
    if (last == step::none) fault("a wait for an event that nothing reaches");
  }
  --depth_;
  return last;
}

void fake_gpu::run_to(const fake_point& point) {
  while (run_toward(point) == step::blocked) give_way();
}

void fake_gpu::run_all() {
  std::vector<fake_timeline*> all;
  for (const auto& [stream, owned] : streams_) all.push_back(stream);
  for (fake_timeline* stream : all) {
    if (has_stream(stream)) run(*stream);
  }
}

bool fake_gpu::waits_for_host(const fake_work& work, int deepest) const {
  if (work.is_ready && !work.is_ready()) return true;
  if (!is_waiting(work) || deepest == 0 || !has_stream(work.waits_for->stream)) return false;
  const auto& before = work.waits_for->stream->pending;
  return std::any_of(before.begin(), before.end(),
                     [&](const fake_work& each) { return waits_for_host(each, deepest - 1); });
}

void fake_gpu::require_at_rest(const fake_timeline& writer, std::uint64_t address, const std::string& what) {
  if (std::any_of(writer.pending.begin(), writer.pending.end(), is_waiting)) return;
  const block* target = block_of(address);
  for (const auto& [stream, owned] : streams_) {
    if (stream == &writer) continue;
    for (const fake_work& waiting : stream->pending) {
      if (waits_for_host(waiting)) break;
      for (const std::uint64_t used : waiting.addresses) {
        if (block_of(used) == target) fault(what + " into memory that " + waiting.name + ", in flight, still uses");
      }
    }
  }
}

}  // namespace tilewright::test
