// SPDX-License-Identifier: Apache-2.0
// A small cubin, put together byte by byte: one kernel "k" for sm_90 with every fact that read_cubin reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::test {

class cubin_file {
 public:
  struct part {
    std::string name;
    std::uint32_t type = 1;
    std::string bytes;
    std::uint64_t size = 0;  // of a section without bytes
  };

  std::vector<part> parts = {
      {".strtab", 3, std::string("\0k\0", 3)},
      {".symtab", 2, symbol(0, 0, 0) + symbol(1, 0x12, 0x10)},
      {".nv.info", 0x70000000, attribute(0x2f, words({1, 168})) + attribute(0x11, words({1, 48}))},
      {".nv.info.k", 0x70000000,
       attribute(0x45, parameter(1, 8, 4)) + attribute(0x45, parameter(0, 0, 8)) + short_attribute(2, 0x4c, 2) +
           short_attribute(3, 0x38, 23) + attribute(0x10, words({256, 1, 1})) + attribute(0x3d, words({2, 1, 1})) +
           short_attribute(1, 0x54, 0)},
      {".text.k", 1,
       code(0x983) + code(0x387) + code(0x387) + code(0x23c) + code(0x9f0) + code(0xdf0) + code(0x5b4) + code(0x3b5) +
           code(0xfae) + code(0x94d)},
      {".nv.shared.k", 8, {}, 91408},
  };

  std::string bytes() const {
    std::string names(1, '\0'), body, headers(64, '\0');
    std::vector<std::uint32_t> name_at;
    for (const part& each : parts) {
      name_at.push_back(static_cast<std::uint32_t>(names.size()));
      names += each.name + '\0';
    }
    const auto names_name = static_cast<std::uint32_t>(names.size());
    names += ".shstrtab" + std::string(1, '\0');
    for (std::size_t n = 0; n < parts.size(); ++n) {
      const part& each = parts[n];
      headers += header(name_at[n], each.type, 64 + body.size(), each.type == 8 ? each.size : each.bytes.size());
      body += each.bytes;
    }
    headers += header(names_name, 3, 64 + body.size(), names.size());
    body += names;
    const std::string head = std::string(
                                 "\x7f"
                                 "ELF\2\1\1\x41\x08",
                                 9) +
                             std::string(7, '\0') + number(2, 2) + number(190, 2) + number(1, 4) + number(0, 16) +
                             number(64 + body.size(), 8) + number(0x6005a04, 4) + number(64, 2) + number(0, 4) +
                             number(64, 2) + number(parts.size() + 2, 2) + number(parts.size() + 1, 2);
    return head + body + headers;
  }
  part& named(const std::string& name) {
    for (part& each : parts) {
      if (each.name == name) return each;
    }
    return parts.front();
  }

  static std::string number(std::uint64_t value, int width) {
    std::string made;
    for (int i = 0; i < width; ++i) made.push_back(i < 8 ? static_cast<char>(value >> (8 * i) & 0xff) : '\0');
    return made;
  }
  static std::string words(const std::vector<std::uint32_t>& values) {
    std::string made;
    for (const std::uint32_t value : values) made += number(value, 4);
    return made;
  }
  static std::string attribute(int kind, const std::string& value) {
    return number(4, 1) + number(static_cast<std::uint64_t>(kind), 1) + number(value.size(), 2) + value;
  }
  static std::string short_attribute(int form, int kind, std::uint64_t value) {
    return number(static_cast<std::uint64_t>(form), 1) + number(static_cast<std::uint64_t>(kind), 1) + number(value, 2);
  }
  static std::string parameter(std::uint64_t ordinal, std::uint64_t offset, std::uint64_t size) {
    return number(0, 4) + number(ordinal, 2) + number(offset, 2) + number(size, 4);
  }
  static std::string code(std::uint64_t instruction) { return number(instruction, 16); }
  static std::string symbol(std::uint32_t name, std::uint64_t info, std::uint64_t other) {
    return number(name, 4) + number(info, 1) + number(other, 1) + number(0, 18);
  }

 private:
  static std::string header(std::uint32_t name, std::uint32_t type, std::uint64_t at, std::uint64_t size) {
    return number(name, 4) + number(type, 4) + number(0, 16) + number(at, 8) + number(size, 8) + number(0, 24);
  }
};

}  // namespace tilewright::test
