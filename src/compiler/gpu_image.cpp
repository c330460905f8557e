// SPDX-License-Identifier: Apache-2.0
// The stored form: header, symbol filled up with zeros, machine code.
#include "tilewright/compiler/gpu_image.hpp"

#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

struct stored_header {
  char magic[8];
  std::uint32_t format;
  std::uint32_t symbol_bytes;
  std::uint64_t cubin_bytes;
  std::int32_t num_ctas, occupancy;
  std::uint8_t architecture, is_persistent, is_programmatic, has_status;
  std::uint32_t unused;
  std::uint64_t check;  // of everything else
};
static_assert(sizeof(stored_header) == 48 && std::has_unique_object_representations_v<stored_header>);

constexpr char stored_magic[8] = {'T', 'W', 'C', 'U', 'B', 'I', 'N', '\n'};
constexpr std::uint32_t stored_format = 1;
constexpr std::size_t alignment = 16, longest_symbol = 4096;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

// The rest of the object follows the header.
std::uint64_t check_of(stored_header header, std::span<const std::byte> rest) {
  header.check = 0;
  return XXH3_64bits_withSeed(rest.data(), rest.size(), XXH3_64bits(&header, sizeof header));
}

gpu_launch_form form_of(const stored_header& header) {
  return {.persistent = header.is_persistent != 0,
          .num_ctas = header.num_ctas,
          .occupancy = header.occupancy,
          .programmatic = header.is_programmatic != 0,
          .has_status = header.has_status != 0,
          .architecture = static_cast<target>(header.architecture)};
}

// Why the bytes are no stored image; empty when they are one.
std::string fault_of(std::span<const std::byte> object, target architecture, stored_header& header) {
  if (object.size() < sizeof header) return "fewer bytes than a header";
  std::memcpy(&header, object.data(), sizeof header);
  if (!std::equal(std::begin(stored_magic), std::end(stored_magic), header.magic)) return "another kind of file";
  if (header.format != stored_format) return "format " + std::to_string(header.format);
  const std::span<const std::byte> rest = object.subspan(sizeof header);
  if (header.symbol_bytes == 0 || header.symbol_bytes > longest_symbol || aligned(header.symbol_bytes) > rest.size() ||
      header.cubin_bytes != rest.size() - aligned(header.symbol_bytes)) {
    return "sizes that do not add up to " + std::to_string(object.size()) + " bytes";
  }
  if (header.check != check_of(header, rest)) return "changed bytes";
  if (header.architecture != static_cast<std::uint8_t>(architecture)) return "an image for another target";
  return {};
}

}  // namespace

gpu_image::gpu_image(std::span<const std::byte> cubin, std::string symbol, const gpu_launch_form& form)
    : symbol_(std::move(symbol)), form_(form) {
  require_internal(is_gpu(form.architecture) && !symbol_.empty() && symbol_.size() <= longest_symbol,
                   "a GPU image has no symbol or no architecture");
  stored_header header{};
  std::copy(std::begin(stored_magic), std::end(stored_magic), header.magic);
  header.format = stored_format;
  header.symbol_bytes = static_cast<std::uint32_t>(symbol_.size());
  header.cubin_bytes = cubin.size();
  header.num_ctas = form.num_ctas;
  header.occupancy = form.occupancy;
  header.architecture = static_cast<std::uint8_t>(form.architecture);
  header.is_persistent = form.persistent ? 1 : 0;
  header.is_programmatic = form.programmatic ? 1 : 0;
  header.has_status = form.has_status ? 1 : 0;
  cubin_at_ = sizeof header + aligned(symbol_.size());
  object_.resize(cubin_at_ + cubin.size());
  std::memcpy(object_.data() + sizeof header, symbol_.data(), symbol_.size());
  std::copy(cubin.begin(), cubin.end(), object_.begin() + static_cast<std::ptrdiff_t>(cubin_at_));
  header.check = check_of(header, std::span(object_).subspan(sizeof header));
  std::memcpy(object_.data(), &header, sizeof header);
}

std::shared_ptr<const gpu_image> gpu_image::load(std::span<const std::byte> object, target architecture,
                                                 const std::string& where) {
  stored_header header;
  const std::string fault = fault_of(object, architecture, header);
  if (!fault.empty()) {
    throw runtime_error({.what = "stored bytes are no image for a GPU",
                         .where = where,
                         .expected = std::string("an image for ") + name_of(architecture),
                         .got = fault,
                         .fix = "emit or bake the kernel again"});
  }
  const std::span<const std::byte> rest = object.subspan(sizeof header);
  // SAFETY: bytes may be read as characters; fault_of() compared the sizes.
  std::string symbol(reinterpret_cast<const char*>(rest.data()), header.symbol_bytes);
  return std::make_shared<gpu_image>(rest.subspan(aligned(symbol.size())), std::move(symbol), form_of(header));
}

// ---- Options -------------------------------------------------------------------------------------------------------
namespace {
bool is_memcheck_wanted() noexcept {
  const char* wanted = std::getenv("TILEWRIGHT_SANITIZE");
  return wanted != nullptr && std::strcmp(wanted, "memcheck") == 0;
}
std::atomic<bool> is_memchecked{is_memcheck_wanted()};
}  // namespace

gpu_options current_gpu_options() noexcept { return {.memcheck = is_memchecked.load(std::memory_order_relaxed)}; }
void set_gpu_options(const gpu_options& options) noexcept {
  is_memchecked.store(options.memcheck, std::memory_order_relaxed);
}

}  // namespace tilewright::compiler
