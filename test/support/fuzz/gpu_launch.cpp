// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/gpu_launch.hpp"

#include <bit>
#include <cstring>
#include <string>

#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/write.hpp"
#include "runtime/image_cache.hpp"
#include "support/sha256.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/gpu_image.hpp"

namespace tilewright::test {
namespace {

// Programs have no module that a key could be taken of, so it is a hash of their Tile IR.
compiler::image_key program_key(const compiler::program& source, compiler::target where) {
  std::string bytes = compiler::tileir::write(compiler::tileir::emit(source, where)) + name_of(where);
  if (compiler::current_gpu_options().memcheck) bytes += " memcheck";
  const std::string digest = test_support::sha256(bytes);
  return {std::stoull(digest.substr(0, 16), nullptr, 16), std::stoull(digest.substr(16, 16), nullptr, 16)};
}

// From the packs that the environment names, from the disk cache, or made.
std::shared_ptr<const compiler::image> program_image(const compiler::program& source, compiler::target where) {
  (void)runtime::image_cache::shared();  // loads the packs that the environment names
  static runtime::disk_cache disk(runtime::disk_settings_from_environment());
  const compiler::image_key key = program_key(source, where);
  if (const auto packed = runtime::loaded_images::shared().find(key); !packed.empty()) {
    return compiler::load_image(source, where, packed);
  }
  if (const auto stored = disk.load(key)) return compiler::load_image(source, where, *stored);
  auto made = compiler::emit(source, where);
  disk.store(key, made->object());
  return made;
}

// A host array and its copy on the device.
class device_array {
 public:
  device_array(detail::device_engine& engine, const compiler::program_parameter& parameter,
               const compiler::argument& host)
      : engine_(engine), parameter_(parameter), host_(host) {
    const std::ptrdiff_t size = info(parameter.element).size_bytes;
    std::ptrdiff_t last = 0;
    for (int axis = 0; axis < parameter.rank; ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      const std::ptrdiff_t reach = (host.extents[at] - 1) * host.strides[at] * size;
      (reach < 0 ? first_ : last) += reach;
      is_empty_ = is_empty_ || host.extents[at] == 0;
    }
    // The copy is as well aligned as the original.
    const auto odd = static_cast<std::ptrdiff_t>((std::bit_cast<std::uintptr_t>(host.address) + first_) % 128);
    zero_ = margin + odd - first_;
    const std::ptrdiff_t end = is_empty_ ? 2 * margin : zero_ + last + size + margin;
    bytes_.assign(static_cast<std::size_t>(end), std::byte{0xc3});
    each_element([&](std::ptrdiff_t at) { copy(bytes_.data() + zero_ + at, host_bytes() + at); });
    memory_ = engine.allocate(bytes_.size(), detail::first_use::by_host).address;
    engine.copy_from_host(memory_, bytes_.data(), bytes_.size());
  }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { engine_.free(memory_, bytes_.size(), {}); }

  compiler::argument argument() const {
    compiler::argument made = host_;
    made.address = memory_ + zero_;
    return made;
  }

  // Copies what the kernel may have written; whether the rest is as it was.
  bool take_back() {
    std::vector<std::byte> after(bytes_.size());
    engine_.copy_to_host(after.data(), memory_, after.size());
    if (parameter_.kind != parameter_kind::in) {
      each_element([&](std::ptrdiff_t at) {
        copy(host_bytes() + at, after.data() + zero_ + at);
        copy(bytes_.data() + zero_ + at, after.data() + zero_ + at);
      });
    }
    return after == bytes_;
  }

 private:
  static constexpr std::ptrdiff_t margin = 1024;

  std::byte* host_bytes() const { return static_cast<std::byte*>(const_cast<void*>(host_.address)); }
  void copy(std::byte* to, const std::byte* from) const {
    std::memcpy(to, from, static_cast<std::size_t>(info(parameter_.element).size_bytes));
  }
  // visit(offset in bytes from element 0)
  template <class Visit>
  void each_element(Visit visit) const {
    const auto rank = static_cast<std::size_t>(parameter_.rank);
    index_t count = 1;
    for (std::size_t axis = 0; axis < rank; ++axis) count *= host_.extents[axis];
    for (index_t i = 0; i < count; ++i) {
      index_t rest = i, place = 0;
      for (std::size_t axis = rank; axis-- > 0; rest /= host_.extents[axis]) {
        place += rest % host_.extents[axis] * host_.strides[axis];
      }
      visit(place * info(parameter_.element).size_bytes);
    }
  }

  detail::device_engine& engine_;
  const compiler::program_parameter& parameter_;
  const compiler::argument host_;
  bool is_empty_ = false;
  std::ptrdiff_t first_ = 0;  // bytes from element 0 to the lowest one: 0 or less
  std::ptrdiff_t zero_ = 0;   // of element 0 in the copy
  std::vector<std::byte> bytes_;
  std::byte* memory_ = nullptr;
};

detail::compiled_launch make_launch(detail::device_engine& engine, const compiler::program& source,
                                    const std::vector<compiler::argument>& moved, const std::vector<index_t>& grid) {
  detail::compiled_launch launch;
  launch.image = program_image(source, engine.target());
  launch.parameters.resize(compiler::parameter_block_words(source.parameters));
  compiler::write_parameter_block(source.parameters, moved, launch.parameters.data(), grid);
  launch.blocks = 1;
  for (std::size_t axis = 0; axis < max_rank; ++axis) {
    launch.grid[axis] = axis < grid.size() ? grid[axis] : 1;
    launch.blocks *= launch.grid[axis];
  }
  if (!source.residual_checks.empty()) {
    launch.faults = std::make_shared<detail::fault_slot>();
    launch.faults->status = engine.make_fault_status();
    *launch.faults->status = {};
  }
  return launch;
}

}  // namespace

void launch_and_wait(detail::device_engine& engine, const detail::compiled_launch& launch) {
  detail::stream_queue& stream = engine.thread_stream();
  struct entry {
    detail::device_engine& engine;
    const detail::compiled_launch& launch;
  } context{engine, launch};
  const std::uint64_t ticket = stream.push({[](void* at, detail::stream_queue& on) {
                                              auto& given = *static_cast<entry*>(at);
                                              given.engine.run(given.launch, on);
                                            },
                                            nullptr, &context});
  stream.wait(ticket);
  stream.throw_failure(ticket, ticket);
}

gpu_outcome launch_on(detail::device_engine& engine, const compiler::program& source,
                      const std::vector<compiler::argument>& arguments, const std::vector<index_t>& grid,
                      compiler::fault_status* faults) {
  std::vector<std::unique_ptr<device_array>> arrays;
  std::vector<compiler::argument> moved = arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    arrays.emplace_back();
    if (source.parameters[i].kind == parameter_kind::scalar) continue;
    arrays[i] = std::make_unique<device_array>(engine, source.parameters[i], arguments[i]);
    moved[i] = arrays[i]->argument();
  }
  detail::compiled_launch launch = make_launch(engine, source, moved, grid);
  engine.prepare(launch);
  if (!engine.keeps_values()) return {};
  launch_and_wait(engine, launch);
  if (launch.faults && faults != nullptr) *faults = *launch.faults->status;
  gpu_outcome outcome{.has_run = true};
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i] && !arrays[i]->take_back()) outcome.overwritten.push_back(static_cast<int>(i));
  }
  return outcome;
}

}  // namespace tilewright::test
