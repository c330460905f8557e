// SPDX-License-Identifier: Apache-2.0
// What people do with packs: look into one, make one of a cache folder, link one into a program.
#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <fstream>

#include "compiler/tileir/cubin.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/image_pack.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/gpu_image.hpp"
#include "tilewright/runtime/bake.hpp"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

// The stored image, if it is one for a GPU.
std::shared_ptr<const compiler::gpu_image> gpu_image_of(std::span<const std::byte> object, compiler::target where) {
  try {
    return compiler::gpu_image::load(object, where, "a stored image");
  } catch (const runtime_error&) {
    return nullptr;
  }
}

void describe_code(std::span<const std::byte> cubin, baked_image& image) {
  const compiler::tileir::cubin_report code = compiler::tileir::read_cubin(cubin);
  image.registers = static_cast<int>(code.registers);
  image.threads = static_cast<int>(code.threads[0] * code.threads[1] * code.threads[2]);
  image.stack_bytes = code.frame_bytes;
  image.shared_bytes = code.shared_bytes;
}

baked_image describe(const runtime::image_pack::entry& entry) {
  baked_image made;
  made.key = to_text(entry.key);
  made.kernel = entry.kernel;
  made.target = entry.target;
  made.bytes = entry.object.size();
  const auto where = compiler::target_named(entry.target);
  if (!where || !is_gpu(*where)) return made;
  try {
    if (const auto image = gpu_image_of(entry.object, *where)) describe_code(image->cubin(), made);
  } catch (const io_error&) {  // machine code that is none: the pack holds what the assembler gave
  }
  return made;
}

std::optional<runtime::packed_image> packed(const compiler::image_key& key, std::vector<std::byte> object) {
  for (const compiler::target where : compiler::all_targets) {
    if (!is_gpu(where)) continue;
    if (const auto image = gpu_image_of(object, where)) {
      return runtime::packed_image{key, image->symbol(), compiler::name_of(where), std::move(object)};
    }
  }
  return {};
}

bool is_identifier(const std::string& text) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), is_letter);
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (stream) return;
  throw io_error({.what = "a file cannot be written",
                  .where = file.string(),
                  .expected = {},
                  .got = {},
                  .fix = "name a file in a folder that can be written"});
}

constexpr const char* header_text = R"(// Written by tilewright: baked images, for tilewright::load_images().
#pragma once

#ifdef __cplusplus
extern "C" {{
#endif
extern const unsigned char {0}[], {0}_end[];
#ifdef __cplusplus
}}
#endif
)";

constexpr const char* bytes_text = R"(// Written by tilewright: baked images.
{3} "{1}"

__asm__(
    ".pushsection .rodata.{0}, \"a\"\n"
    ".balign 64\n"
    ".globl {0}\n"
    "{0}:\n"
    ".incbin \"{2}\"\n"
    ".globl {0}_end\n"
    "{0}_end:\n"
    ".byte 0\n"
    ".popsection\n");
)";

constexpr const char* registration_text = R"(
#include "tilewright/runtime/images.hpp"

namespace {{
const tilewright::detail::linked_images linked({0}, {0}_end);
}}
)";

}  // namespace

baked_pack describe_pack(const fs::path& pack) {
  const std::vector<std::byte> bytes = runtime::read_pack(pack);
  const runtime::image_pack read(bytes, pack.string());
  baked_pack made;
  made.made_by = read.made_by().sources;
  made.is_usable = read.made_by() == compiler::this_compiler();
  for (const runtime::image_pack::entry& entry : read.entries()) made.images.push_back(describe(entry));
  return made;
}

bake_summary pack_cache(const fs::path& folder, const fs::path& pack) {
  runtime::disk_cache cache({.folder = folder, .problem = {}});
  std::vector<runtime::packed_image> images;
  for (const compiler::image_key& key : cache.keys()) {
    auto object = cache.load(key);
    if (!object) continue;
    if (auto image = packed(key, std::move(*object))) images.push_back(std::move(*image));
  }
  const std::size_t count = images.size();
  const std::vector<std::byte> bytes = runtime::pack_images(std::move(images));
  runtime::write_pack(pack, bytes);
  return {count, bytes.size()};
}

void write_linkable(const fs::path& pack, const fs::path& source, const std::string& symbol) {
  if (!is_identifier(symbol)) {
    throw usage_error({.what = "the images need the name of a C variable",
                       .where = source.string(),
                       .expected = "letters, digits and _, with no digit first",
                       .got = symbol,
                       .fix = "give another name"});
  }
  const fs::path header = fs::path(source).replace_extension(".h");
  std::string text =
      fmt::format(bytes_text, symbol, header.filename().string(), fs::absolute(pack).string(), "#include");
  if (source.extension() != ".c") text += fmt::format(registration_text, symbol);
  write_text(header, fmt::format(header_text, symbol));
  write_text(source, text);
}

}  // namespace tilewright
