// SPDX-License-Identifier: Apache-2.0
#include "runtime/image_pack.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <tuple>

#include "tilewright/base/error.hpp"

namespace tilewright::runtime {
namespace {

namespace fs = std::filesystem;

// ---- Format --------------------------------------------------------------------------------------------------------
// A header; a row for each image, by key; the names, one after the other; the objects, each at a multiple of 16 bytes,
// with zeros between. So all places follow from sizes, and a reader compares them instead of trusting them. Integers
// are little-endian, as every machine with a supported GPU is.
constexpr std::array<char, 8> pack_magic = {'T', 'W', 'P', 'A', 'C', 'K', '\r', '\n'};
constexpr std::uint32_t pack_format = 1;
constexpr std::size_t object_alignment = 16;

struct pack_header {
  char magic[8];
  std::uint32_t format;
  std::uint32_t count;
  std::uint64_t file_bytes;
  std::uint64_t checksum;  // of the whole file, itself taken as 0
  char compiler_sources[64];
  std::uint32_t compiler_version, image_format, parameter_block_format;
  std::uint32_t name_bytes;  // of all names
};
struct pack_row {
  std::uint64_t key[2];
  std::uint64_t object_at, object_bytes;
  std::uint32_t name_at, name_bytes;
  char target[16];  // padded with zeros
};
static_assert(sizeof(pack_header) == 112 && sizeof(pack_row) == 56);

constexpr std::size_t aligned(std::size_t at) {
  return (at + object_alignment - 1) / object_alignment * object_alignment;
}

auto order_of(const compiler::image_key& key) { return std::tuple(key.words[0], key.words[1]); }

std::uint64_t checksum_of(pack_header header, std::span<const std::byte> rest) {
  header.checksum = 0;
  return XXH3_64bits_withSeed(rest.data(), rest.size(), XXH3_64bits(&header, sizeof header));
}

template <class T>
T value_at(std::span<const std::byte> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

[[noreturn]] void refuse(const std::string& where, std::string expected, std::string got) {
  throw io_error({.what = "not a sound pack of images",
                  .where = where,
                  .expected = std::move(expected),
                  .got = std::move(got),
                  .fix = "copy the file again, or bake it again"});
}

[[noreturn]] void fail(const fs::path& file, const char* what, const char* fix) {
  throw io_error({.what = what, .where = file.string(), .expected = {}, .got = std::strerror(errno), .fix = fix});
}

pack_header read_header(std::span<const std::byte> bytes, const std::string& where) {
  if (bytes.size() < sizeof(pack_header)) {
    refuse(where, std::to_string(sizeof(pack_header)) + " bytes or more", std::to_string(bytes.size()) + " bytes");
  }
  const auto header = value_at<pack_header>(bytes, 0);
  if (std::memcmp(header.magic, pack_magic.data(), pack_magic.size()) != 0) {
    refuse(where, "a file that starts with 'TWPACK'", "another kind of file");
  }
  if (header.format != pack_format) {
    const std::string side = header.format > pack_format ? "; the pack is newer than this program" : "";
    refuse(where, "format " + std::to_string(pack_format), "format " + std::to_string(header.format) + side);
  }
  if (header.file_bytes != bytes.size()) {
    refuse(where, std::to_string(header.file_bytes) + " bytes", std::to_string(bytes.size()) + " bytes");
  }
  if (checksum_of(header, bytes.subspan(sizeof header)) != header.checksum) {
    refuse(where, "bytes that give the stored checksum", "bytes that were changed");
  }
  return header;
}

// Where the parts of a pack lie; sizes only, so that they cannot overflow once they are known to fit the file.
struct pack_places {
  std::size_t names, objects;
};
pack_places places_of(const pack_header& header, std::size_t file_bytes, const std::string& where) {
  const std::size_t rows = std::size_t{header.count} * sizeof(pack_row);
  const std::size_t names = sizeof(pack_header) + rows;
  if (names > file_bytes || header.name_bytes > file_bytes - names) {
    refuse(where, "rows and names inside the file", std::to_string(header.count) + " images");
  }
  return {names, aligned(names + header.name_bytes)};
}

}  // namespace

// ---- Writing -------------------------------------------------------------------------------------------------------
std::vector<std::byte> pack_images(std::vector<packed_image> given) {
  std::map<decltype(order_of(given[0].key)), packed_image> by_key;
  for (packed_image& image : given) by_key.try_emplace(order_of(image.key), std::move(image));

  const compiler::compiler_identity maker = compiler::this_compiler();
  pack_header header{};
  std::copy(pack_magic.begin(), pack_magic.end(), header.magic);
  header.format = pack_format;
  header.count = static_cast<std::uint32_t>(by_key.size());
  require_internal(maker.sources.size() == sizeof header.compiler_sources, "the hash of the sources has another size");
  std::copy(maker.sources.begin(), maker.sources.end(), header.compiler_sources);
  header.compiler_version = maker.version;
  header.image_format = maker.image_format;
  header.parameter_block_format = maker.parameter_block_format;
  for (const auto& [key, image] : by_key) header.name_bytes += static_cast<std::uint32_t>(image.kernel.size());

  const std::size_t names = sizeof header + by_key.size() * sizeof(pack_row);
  std::vector<std::byte> bytes(aligned(names + header.name_bytes));
  std::size_t row_at = sizeof header;
  std::uint32_t name_at = 0;
  for (const auto& [key, image] : by_key) {
    pack_row row{};
    std::copy(std::begin(image.key.words), std::end(image.key.words), row.key);
    row.object_at = bytes.size();
    row.object_bytes = image.object.size();
    row.name_at = name_at;
    row.name_bytes = static_cast<std::uint32_t>(image.kernel.size());
    require_internal(image.target.size() < sizeof row.target, "the name of a target is too long for a pack");
    std::copy(image.target.begin(), image.target.end(), row.target);
    std::memcpy(bytes.data() + row_at, &row, sizeof row);
    std::memcpy(bytes.data() + names + name_at, image.kernel.data(), image.kernel.size());
    bytes.insert(bytes.end(), image.object.begin(), image.object.end());
    bytes.resize(aligned(bytes.size()));
    row_at += sizeof row;
    name_at += row.name_bytes;
  }
  header.file_bytes = bytes.size();
  header.checksum = checksum_of(header, std::span(bytes).subspan(sizeof header));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

void write_pack(const fs::path& file, std::span<const std::byte> pack) {
  const fs::path temporary = file.string() + "." + std::to_string(::getpid()) + ".tmp";
  constexpr const char* fix = "name a file in a folder that can be written, on a disk with room";
  std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
  // SAFETY: bytes are chars to a file.
  stream.write(reinterpret_cast<const char*>(pack.data()), static_cast<std::streamsize>(pack.size()));
  stream.close();
  if (!stream || ::rename(temporary.c_str(), file.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    errno = reason;
    fail(file, "a pack of images cannot be written", fix);
  }
}

// ---- Reading -------------------------------------------------------------------------------------------------------
std::vector<std::byte> read_pack(const fs::path& file) {
  constexpr const char* what = "a pack of images cannot be read";
  constexpr const char* fix = "name a file that tilewright bake wrote";
  std::error_code fault;
  if (fs::is_directory(file, fault)) {
    errno = EISDIR;
    fail(file, what, fix);
  }
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) fail(file, what, fix);
  const std::streamoff size = stream.tellg();
  if (size < 0) fail(file, what, fix);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  stream.seekg(0);
  // SAFETY: bytes are chars to a file.
  if (!stream.read(reinterpret_cast<char*>(bytes.data()), size)) fail(file, what, fix);
  return bytes;
}

image_pack::image_pack(std::span<const std::byte> bytes, std::string where) : where_(std::move(where)) {
  const pack_header header = read_header(bytes, where_);
  made_by_ = {std::string(header.compiler_sources, sizeof header.compiler_sources), header.compiler_version,
              header.image_format, header.parameter_block_format};
  const pack_places places = places_of(header, bytes.size(), where_);
  std::size_t object_at = places.objects, name_at = 0;
  for (std::size_t i = 0; i < header.count; ++i) {
    const auto row = value_at<pack_row>(bytes, sizeof header + i * sizeof(pack_row));
    const compiler::image_key key{{row.key[0], row.key[1]}};
    const std::string here = where_ + ", image " + std::to_string(i);
    if (!entries_.empty() && order_of(entries_.back().key) >= order_of(key)) refuse(here, "rising keys", to_text(key));
    if (row.name_at != name_at || row.name_bytes > header.name_bytes - name_at) refuse(here, "its name", "none");
    if (row.object_at != object_at || object_at > bytes.size() || row.object_bytes > bytes.size() - object_at) {
      refuse(here, "an object inside the file", "byte " + std::to_string(row.object_at));
    }
    // SAFETY: a byte may be read as a char.
    const char* text = reinterpret_cast<const char*>(bytes.data());
    const std::size_t target_at = sizeof header + i * sizeof(pack_row) + offsetof(pack_row, target);
    if (row.target[sizeof row.target - 1] != 0) refuse(here, "a target", "a name without an end");
    entries_.push_back({key, std::string_view(text + places.names + name_at, row.name_bytes),
                        std::string_view(text + target_at), bytes.subspan(object_at, row.object_bytes)});
    name_at += row.name_bytes;
    object_at = aligned(object_at + row.object_bytes);
  }
  if (object_at != bytes.size() || name_at != header.name_bytes) {
    refuse(where_, "nothing after the last image", std::to_string(bytes.size()) + " bytes");
  }
}

const image_pack::entry* image_pack::find(const compiler::image_key& key) const noexcept {
  const auto before = [](const entry& a, const compiler::image_key& b) { return order_of(a.key) < order_of(b); };
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), key, before);
  return at != entries_.end() && at->key == key ? &*at : nullptr;
}

}  // namespace tilewright::runtime
