// SPDX-License-Identifier: Apache-2.0
// A cubin is an ELF file; sections of a type of NVIDIA's own list attributes of kernels.
#include "runtime/cubin_facts.hpp"

#include <elf.h>

#include <cstdint>
#include <cstring>

namespace tilewright::runtime {
namespace {

constexpr std::uint32_t attribute_section = SHT_LOPROC;

// An attribute: how it is stored, its number, and two bytes that are its value or the size of what follows.
struct attribute {
  std::uint8_t form, number;
  std::uint16_t size;
};
constexpr std::uint8_t has_payload = 4;
constexpr std::uint8_t thread_counts = 0x10, frame_size = 0x11, register_count = 0x2f;

// Whether the bytes were there.
template <class T>
bool read_at(std::span<const std::byte> bytes, std::size_t at, T& into) noexcept {
  if (at > bytes.size() || sizeof(T) > bytes.size() - at) return false;
  std::memcpy(&into, bytes.data() + at, sizeof(T));
  return true;
}

int number_at(std::span<const std::byte> bytes, std::size_t at) noexcept {
  std::uint32_t value = 0;
  return read_at(bytes, at, value) && value < (1u << 30) ? static_cast<int>(value) : 0;
}

void read_attributes(std::span<const std::byte> section, cubin_facts& facts) noexcept {
  attribute found{};
  for (std::size_t at = 0; read_at(section, at, found);) {
    at += sizeof found;
    if (found.form != has_payload) continue;
    if (found.size > section.size() - at) return;
    const auto payload = section.subspan(at, found.size);
    if (found.number == register_count) facts.registers = number_at(payload, 4);  // behind the kernel's symbol
    if (found.number == frame_size) facts.stack_bytes = number_at(payload, 4);
    if (found.number == thread_counts) facts.threads = number_at(payload, 0);
    at += found.size;
  }
}

}  // namespace

cubin_facts facts_of_cubin(std::span<const std::byte> cubin) noexcept {
  cubin_facts facts;
  Elf64_Ehdr header{};
  if (!read_at(cubin, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return facts;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section{};
    if (!read_at(cubin, header.e_shoff + i * sizeof section, section)) return facts;
    if (section.sh_type != attribute_section || section.sh_offset > cubin.size()) continue;
    if (section.sh_size > cubin.size() - section.sh_offset) continue;
    read_attributes(cubin.subspan(section.sh_offset, section.sh_size), facts);
  }
  return facts;
}

}  // namespace tilewright::runtime
