// SPDX-License-Identifier: Apache-2.0
#include "runtime/loaded_images.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <tuple>

#include "tilewright/runtime/images.hpp"

namespace tilewright::runtime {
namespace {

void say(const std::string& text) { std::fprintf(stderr, "tilewright: %s\n", text.c_str()); }

// Which side is newer, as far as their numbers tell.
std::string compare(const compiler::compiler_identity& maker) {
  const compiler::compiler_identity ours = compiler::this_compiler();
  const auto rank = [](const compiler::compiler_identity& who) {
    return std::tuple(who.version, who.image_format, who.parameter_block_format);
  };
  if (rank(maker) > rank(ours)) return "by a newer tilewright than this program's";
  if (rank(maker) < rank(ours)) return "by an older tilewright than this program's";
  return "by tilewright of the same version, built from other sources";
}

bool is_ours(const image_pack& pack) { return pack.made_by() == compiler::this_compiler(); }

}  // namespace

void loaded_images::add(kept added) {
  std::string stale;
  if (!is_ours(added.pack)) {
    stale = "none of the " + std::to_string(added.pack.entries().size()) + " images in " + added.pack.where() +
            " can be used: they were baked " + compare(added.pack.made_by()) + "; bake them again";
  }
  auto made = std::make_unique<const kept>(std::move(added));
  const std::scoped_lock lock(guard_);
  if (!stale.empty() && reported_.insert(made->pack.where()).second) say(stale);
  packs_.insert(packs_.begin(), std::move(made));
}

void loaded_images::add_file(const std::filesystem::path& file) {
  std::vector<std::byte> bytes = read_pack(file);
  image_pack pack(bytes, file.string());  // its spans stay good when the vector is moved
  add({std::move(bytes), std::move(pack)});
}

void loaded_images::add_bytes(std::span<const std::byte> pack, const std::string& where) {
  add({{}, image_pack(pack, where)});
}

void loaded_images::add_linked(std::span<const std::byte> pack) noexcept {
  try {
    const std::scoped_lock lock(guard_);
    linked_.push_back(pack);
  } catch (const std::exception& fault) {  // no memory before main(): launches go on without them
    std::fprintf(stderr, "tilewright: linked images are lost: %s\n", fault.what());
  }
}

void loaded_images::add_list(std::string_view files) {
  while (!files.empty()) {
    const std::size_t end = std::min(files.find(':'), files.size());
    if (end > 0) add_file(std::filesystem::path(files.substr(0, end)));
    files.remove_prefix(std::min(end + 1, files.size()));
  }
}

void loaded_images::take_linked() {
  std::vector<std::span<const std::byte>> taken;
  {
    const std::scoped_lock lock(guard_);
    taken.swap(linked_);
  }
  for (const std::span<const std::byte> pack : taken) {
    try {
      add_bytes(pack, "the program itself");
    } catch (const std::exception& fault) {
      say(std::string("linked images are left out: ") + fault.what());
    }
  }
}

std::span<const std::byte> loaded_images::find(const compiler::image_key& key) {
  take_linked();
  const std::scoped_lock lock(guard_);
  for (const auto& held : packs_) {
    if (const image_pack::entry* found = held->pack.find(key)) return found->object;
  }
  return {};
}

void loaded_images::report_unusable(const compiler::image_key& key, const std::string& reason) {
  const std::scoped_lock lock(guard_);
  if (reported_.insert(to_text(key)).second) say("a baked image is of no use: " + reason);
}

std::string loaded_images::explain_missing(std::string_view kernel, std::string_view target) {
  take_linked();
  const std::scoped_lock lock(guard_);
  if (packs_.empty()) return {};
  std::string stale, elsewhere;
  bool is_known = false;
  for (const auto& held : packs_) {
    for (const image_pack::entry& entry : held->pack.entries()) {
      if (entry.kernel != kernel) continue;
      if (entry.target != target) {
        elsewhere = "the loaded packs have this kernel for " + std::string(entry.target) + ", not for " +
                    std::string(target) + ": bake it for that too";
      } else if (!is_ours(held->pack)) {
        stale = held->pack.where() + " has this kernel, but was baked " + compare(held->pack.made_by()) +
                ": bake it again with this build";
      } else {
        is_known = true;
      }
    }
  }
  if (is_known) {
    return "the loaded packs have this kernel, but not for these Dims, options, element offsets and divisors of "
           "extents: "
           "bake this launch too";
  }
  if (!stale.empty()) return stale;
  if (!elsewhere.empty()) return elsewhere;
  return "none of the " + std::to_string(packs_.size()) + " loaded packs has this kernel: bake it";
}

loaded_images& loaded_images::shared() {
  static auto* const one = new loaded_images;
  return *one;
}

}  // namespace tilewright::runtime

namespace tilewright {

void load_images(const std::string& pack) { runtime::loaded_images::shared().add_file(pack); }

void load_images(std::span<const std::byte> pack) {
  runtime::loaded_images::shared().add_bytes(pack, "bytes of the program");
}

detail::linked_images::linked_images(const unsigned char* first, const unsigned char* last) noexcept {
  runtime::loaded_images::shared().add_linked(std::as_bytes(std::span(first, last)));
}

}  // namespace tilewright
