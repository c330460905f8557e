// SPDX-License-Identifier: Apache-2.0
// The key of an image: 128 bits over all that its code depends on. Never over the kernel's name, nor over locations but
// those that it prints.
#include <fmt/format.h>
#include <xxhash.h>

#include <cstring>

#include "compiler/cpu/cpu.hpp"
#include "compiler/formats.hpp"
#include "compiler/location.hpp"
#include "compiler/record_cursor.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/compiler/gpu_image.hpp"

namespace tilewright::compiler {
namespace {

// Each part goes in with its size, so that no two sequences of parts give the same bytes.
class key_hash {
 public:
  key_hash() : state_(XXH3_createState()) {
    require_internal(state_ != nullptr && XXH3_128bits_reset(state_) == XXH_OK, "xxHash gave no state");
  }
  ~key_hash() { XXH3_freeState(state_); }
  key_hash(const key_hash&) = delete;
  key_hash& operator=(const key_hash&) = delete;

  void add_bytes(const void* bytes, std::size_t size) {
    const std::uint64_t length = size;
    XXH3_128bits_update(state_, &length, sizeof length);
    XXH3_128bits_update(state_, bytes, size);
  }
  void add_number(std::int64_t value) { XXH3_128bits_update(state_, &value, sizeof value); }
  void add_text(const std::string& text) { add_bytes(text.data(), text.size()); }
  template <class T>
  void add_array(const T* first, std::int32_t count) {
    static_assert(std::has_unique_object_representations_v<T>, "padding would go into the key");
    add_bytes(first, sizeof(T) * static_cast<std::size_t>(count));
  }

  image_key digest() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_);
    return {{hash.high64, hash.low64}};
  }

 private:
  XXH3_state_t* state_;
};

// What stands in the lines that a kernel prints: texts, and the places that they are printed from.
void add_lines(key_hash& hash, const ast::module_view& module) {
  record_cursor records(module);
  for (record next; records.next(next);) {
    if (next.op != ast::op::print) continue;
    const auto [file, line] = line_of(module, {next.ordinal});
    hash.add_text(text_of(module, next.attributes[0]));
    hash.add_text(file);
    hash.add_number(line);
  }
}

void add_module(key_hash& hash, const ast::module_view& module) {
  hash.add_array(module.code, module.code_size);
  hash.add_number(module.type_count);
  for (int i = 0; i < module.type_count; ++i) {
    hash.add_number(static_cast<std::int64_t>(module.types[i].element));
    hash.add_array(module.types[i].extents, module.types[i].rank);
  }
  hash.add_number(module.symbol_count);
  for (int i = 0; i < module.symbol_count; ++i) hash.add_text(module.symbols[i].name);
  hash.add_number(module.parameter_count);
  for (int i = 0; i < module.parameter_count; ++i) {
    hash.add_number(static_cast<std::int64_t>(module.parameters[i].kind));
    hash.add_number(module.parameters[i].type);
    hash.add_number(static_cast<std::int64_t>(module.parameters[i].by));
  }
  add_lines(hash, module);
}

void add_facts(key_hash& hash, const tensor_facts& facts, target where) {
  hash.add_number(facts.alignment_bytes);
  hash.add_array(facts.stride_divisor.data(), max_rank);
  for (std::size_t axis = 0; axis < max_rank; ++axis) {
    hash.add_number((facts.unit_stride[axis] ? 1 : 0) | (facts.divides[axis] ? 2 : 0) |
                    (facts.single_tile[axis] ? 4 : 0) | (is_gpu(where) && facts.in_sixteens[axis] ? 8 : 0));
  }
  hash.add_number(facts.fits_31_bits ? 1 : 0);
}

void add_access(key_hash& hash, const access_options& access) {
  hash.add_number(access.latency);
  hash.add_number(access.tma);
}

void add_schedule(key_hash& hash, const schedule& given) {
  hash.add_number((given.persistent ? 1 : 0) | (given.reversed ? 2 : 0) | (given.programmatic ? 4 : 0) |
                  (given.fast_math ? 8 : 0) | (given.deterministic ? 16 : 0));
  const std::int32_t numbers[] = {given.swizzle, given.num_ctas, given.occupancy, given.workers, given.epilogue_parts};
  hash.add_array(numbers, 5);
  add_access(hash, given.all);
  for (const access_options& access : given.of) add_access(hash, access);
}

// Of what makes the machine code.
void add_tools(key_hash& hash, target where) {
  static const std::string cpu = cpu_fingerprint();
  if (where == target::cpu) hash.add_text(cpu);
  if (!is_gpu(where)) return;
  hash.add_text(assembler_version);
  hash.add_number(current_gpu_options().memcheck ? 1 : 0);
}

}  // namespace

image_key key_of(const ast::module_view& module, const specialization& special, target where) {
  key_hash hash;
  hash.add_number(image_format);
  hash.add_number(parameter_block_format);
  hash.add_text(compiler_source_hash);
  hash.add_number(static_cast<std::int64_t>(where));
  add_tools(hash, where);
  add_module(hash, module);
  hash.add_array(special.dims.data(), static_cast<std::int32_t>(special.dims.size()));
  hash.add_number(static_cast<std::int64_t>(special.facts.size()));
  for (const tensor_facts& facts : special.facts) add_facts(hash, facts, where);
  if (is_gpu(where)) add_schedule(hash, special.schedule);
  return hash.digest();
}

std::string to_text(const image_key& key) { return fmt::format("{:016x}{:016x}", key.words[0], key.words[1]); }

}  // namespace tilewright::compiler
