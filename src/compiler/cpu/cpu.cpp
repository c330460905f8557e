// SPDX-License-Identifier: Apache-2.0
// Images of the cpu back end. A stored object is a header and an object file, which carries a digest of its own.
#include "compiler/cpu/cpu.hpp"

#include <xxhash.h>

#include <cstdio>
#include <cstring>

#include "compiler/cpu/jit.hpp"
#include "compiler/cpu/kernel_code.hpp"
#include "compiler/dump.hpp"
#include "compiler/scaled_products.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

struct image_header {
  std::uint64_t scratch_bytes = 0;
  std::uint64_t check = 0;  // of scratch_bytes: too small a number would let the code write past its memory
};

std::uint64_t check_of(std::uint64_t scratch_bytes) {
  return XXH3_64bits_withSeed(&scratch_bytes, sizeof scratch_bytes, sizeof(image_header));
}

class cpu_image final : public host_image {
 public:
  cpu_image(std::vector<std::byte> object, std::size_t scratch_bytes, loaded_kernel kernel)
      : object_(std::move(object)), scratch_bytes_(scratch_bytes), kernel_(std::move(kernel)) {}

  void run(const std::uint64_t* parameters, const std::int64_t* grid, std::int64_t first, std::int64_t last,
           std::byte* scratch, fault_status* faults) const noexcept override {
    kernel_.entry(parameters, grid, first, last, scratch, faults);
  }
  std::size_t scratch_bytes() const noexcept override { return scratch_bytes_; }
  const std::vector<std::byte>& object() const noexcept override { return object_; }

 private:
  std::vector<std::byte> object_;
  std::size_t scratch_bytes_;
  loaded_kernel kernel_;
};

std::shared_ptr<const image> loaded(std::vector<std::byte> object) {
  image_header header;
  std::memcpy(&header, object.data(), sizeof header);
  loaded_kernel kernel = load_object(std::span(object).subspan(sizeof header), kernel_symbol);
  return std::make_shared<cpu_image>(std::move(object), header.scratch_bytes, std::move(kernel));
}

}  // namespace

bool has_cpu() noexcept { return true; }

std::shared_ptr<const image> emit_cpu(const program& source) {
  stage_clock clock;
  kernel_code made = has_scaled_products(source) ? make_kernel_code(with_plain_products(source), vector_bytes())
                                                 : make_kernel_code(source, vector_bytes());
  const double build_us = clock.lap();
  if (is_dumped("llvm")) std::fputs(made.code.text().c_str(), stderr);
  const auto scratch_bytes = static_cast<std::uint64_t>(made.scratch_bytes);
  (void)clock.lap();
  const std::vector<std::byte> code = compile_object(std::move(made.code));
  const double compile_us = clock.lap();
  const image_header header{.scratch_bytes = scratch_bytes, .check = check_of(scratch_bytes)};
  std::vector<std::byte> object(sizeof header);
  std::memcpy(object.data(), &header, sizeof header);
  object.insert(object.end(), code.begin(), code.end());
  std::shared_ptr<const image> result = loaded(std::move(object));
  if (is_dumped("llvm")) {
    std::fprintf(stderr, "kernel '%s': LLVM IR %.0f us, machine code %.0f us, load %.0f us\n", source.module->name,
                 build_us, compile_us, clock.lap());
  }
  return result;
}

std::shared_ptr<const image> load_cpu(const program& source, std::span<const std::byte> object) {
  image_header header;
  const bool is_long_enough = object.size() > sizeof header;
  if (is_long_enough) std::memcpy(&header, object.data(), sizeof header);
  if (!is_long_enough || header.check != check_of(header.scratch_bytes)) {
    throw runtime_error({.what = "stored bytes are no image of the cpu back end",
                         .where = describe_location(*source.module, {}),
                         .expected = "a scratch size and an object file",
                         .got = std::to_string(object.size()) + " bytes",
                         .fix = "emit the kernel again"});
  }
  return loaded({object.begin(), object.end()});
}

std::string cpu_fingerprint() { return jit_fingerprint(); }

}  // namespace tilewright::compiler
