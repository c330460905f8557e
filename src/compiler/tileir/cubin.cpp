// SPDX-License-Identifier: Apache-2.0
// The format is ELF for a machine of NVIDIA's. What it says of kernels is not documented; the numbers here were
// compared with the vendor's cuobjdump and nvdisasm 13.4 for sm_80, sm_90 and sm_120.
#include "compiler/tileir/cubin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "tilewright/base/error.hpp"

namespace tilewright::compiler::tileir {
namespace {

// ---- Bytes that nobody has checked yet -----------------------------------------------------------------------------
class elf_bytes {
 public:
  explicit elf_bytes(std::span<const std::byte> bytes, std::uint64_t place = 0) : bytes_(bytes), place_(place) {}

  std::uint64_t size() const { return bytes_.size(); }

  [[noreturn]] void refuse(std::uint64_t at, const char* what) const {
    throw io_error({.what = what,
                    .where = "cubin, byte " + std::to_string(place_ + at),
                    .expected = "machine code of one kernel, as tileiras writes it",
                    .got = {},
                    .fix = "assemble the kernel again"});
  }
  void require(bool condition, std::uint64_t at, const char* what) const {
    if (!condition) refuse(at, what);
  }

  elf_bytes part(std::uint64_t at, std::uint64_t size) const {
    require(at <= bytes_.size() && size <= bytes_.size() - at, at, "a part reaches past the end");
    return elf_bytes(bytes_.subspan(at, size), place_ + at);
  }
  std::uint64_t number(std::uint64_t at, int width) const {
    const elf_bytes field = part(at, static_cast<std::uint64_t>(width));
    std::uint64_t value = 0;
    for (int i = 0; i < width; ++i) {
      value |= std::to_integer<std::uint64_t>(field.bytes_[static_cast<std::size_t>(i)]) << (8 * i);
    }
    return value;
  }
  std::uint32_t word(std::uint64_t at) const { return static_cast<std::uint32_t>(number(at, 4)); }
  // Up to the next zero byte.
  std::string_view text(std::uint64_t at) const {
    const auto from = part(at, size() - std::min(at, size())).bytes_;
    const auto end = std::find(from.begin(), from.end(), std::byte{0});
    require(end != from.end(), at, "a name has no end");
    // SAFETY: bytes may be read as characters, and those up to `end` are inside.
    return {reinterpret_cast<const char*>(from.data()), static_cast<std::size_t>(end - from.begin())};
  }

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t place_;  // of the first byte, in the file
};

// ---- Sections ------------------------------------------------------------------------------------------------------
constexpr std::uint64_t elf_header_bytes = 64, section_header_bytes = 64, symbol_bytes = 24;
constexpr std::uint32_t cuda_machine = 190, without_bytes = 8;

struct section {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t at = 0, size = 0;
};

std::vector<section> sections_of(const elf_bytes& file) {
  file.require(file.size() >= elf_header_bytes && file.word(0) == 0x464c457f, 0, "no ELF file");
  file.require(file.number(4, 3) == 0x010102, 4, "no ELF file of 64 bits, little-endian, version 1");
  file.require(file.number(18, 2) == cuda_machine, 18, "machine code for something else than an NVIDIA GPU");
  file.require(file.number(58, 2) == section_header_bytes, 58, "section headers of another size");
  const std::uint64_t count = file.number(60, 2), names_at = file.number(62, 2);
  const elf_bytes headers = file.part(file.number(40, 8), count * section_header_bytes);
  file.require(names_at < count, 62, "no such section");
  std::vector<section> found(count);
  for (std::uint64_t n = 0; n < count; ++n) {
    const elf_bytes header = headers.part(n * section_header_bytes, section_header_bytes);
    found[n] = {{}, header.word(4), header.number(24, 8), header.number(32, 8)};
    if (found[n].type != without_bytes) (void)file.part(found[n].at, found[n].size);
  }
  file.require(found[names_at].type != without_bytes, 62, "names without bytes");
  const elf_bytes names = file.part(found[names_at].at, found[names_at].size);
  for (std::uint64_t n = 1; n < count; ++n) found[n].name = names.text(headers.word(n * section_header_bytes));
  return found;
}

// ---- The kernel ----------------------------------------------------------------------------------------------------
class cubin_reader {
 public:
  explicit cubin_reader(std::span<const std::byte> bytes) : file_(bytes), sections_(sections_of(file_)) {}

  cubin_report run() {
    report_.architecture = static_cast<std::uint32_t>(file_.number(49, 1));  // the second byte of the flags
    find_kernel();
    read_attributes(".nv.info");
    read_attributes(".nv.info." + report_.symbol);
    if (const section* shared = find(".nv.shared." + report_.symbol)) report_.shared_bytes = shared->size;
    count_instructions(bytes_of(required(".text." + report_.symbol)));
    check_parameters();
    return std::move(report_);
  }

 private:
  const section* find(const std::string& name) const {
    for (const section& each : sections_) {
      if (each.name == name) return &each;
    }
    return nullptr;
  }
  const section& required(const std::string& name) const {
    const section* found = find(name);
    if (found == nullptr) file_.refuse(40, ("no section " + name).c_str());
    return *found;
  }
  elf_bytes bytes_of(const section& part) const {
    file_.require(part.type != without_bytes, part.at, "a section has no bytes");
    return file_.part(part.at, part.size);
  }

  // Functions that are entries; a cubin of ours has one.
  void find_kernel() {
    constexpr std::uint32_t function = 2, entry = 0x10;
    const elf_bytes names = bytes_of(required(".strtab")), table = bytes_of(required(".symtab"));
    for (std::uint64_t n = 0; n < table.size() / symbol_bytes; ++n) {
      const elf_bytes symbol = table.part(n * symbol_bytes, symbol_bytes);
      if ((symbol.number(4, 1) & 0xf) != function || (symbol.number(5, 1) & entry) == 0) continue;
      symbol.require(report_.symbol.empty(), 0, "a second kernel");
      report_.symbol = names.text(symbol.word(0));
      symbol.require(!report_.symbol.empty(), 0, "a kernel without a name");
      symbol_ = static_cast<std::uint32_t>(n);
    }
    table.require(!report_.symbol.empty(), 0, "no kernel");
  }

  // ---- Attributes: a form, a kind, then 2 bytes; form 4 has a value of that many bytes after them
  void read_attributes(const std::string& name) {
    const elf_bytes all = bytes_of(required(name));
    for (std::uint64_t at = 0; at < all.size();) {
      const std::uint64_t form = all.number(at, 1), kind = all.number(at + 1, 1), number = all.number(at + 2, 2);
      all.require(form >= 1 && form <= 4, at, "an attribute of an unknown form");
      const elf_bytes value = all.part(at + 4, form == 4 ? number : 0);
      // A value of one byte stands in the first of the two.
      take(kind, static_cast<std::uint32_t>(form == 2 ? number & 0xff : number), value);
      at += 4 + value.size();
    }
  }

  void take(std::uint64_t kind, std::uint32_t number, const elf_bytes& value) {
    constexpr std::uint64_t required_threads = 0x10, frame = 0x11, parameter_old = 0x17, registers = 0x2f,
                            memory_barriers = 0x38, cluster = 0x3d, parameter_info = 0x45, barriers = 0x4c;
    if (kind == registers || kind == frame) {
      if (value.word(0) != symbol_) return;
      (kind == registers ? report_.registers : report_.frame_bytes) = value.word(4);
    } else if (kind == required_threads) {
      for (std::uint64_t axis = 0; axis < 3; ++axis) report_.threads[axis] = value.word(4 * axis);
    } else if (kind == cluster) {
      report_.cluster = value.word(0);
    } else if (kind == barriers) {
      report_.barriers = number;
    } else if (kind == memory_barriers) {
      report_.memory_barriers = number;
    } else if (kind == parameter_info || kind == parameter_old) {
      take_parameter(value, kind == parameter_old);
    }
  }

  void take_parameter(const elf_bytes& value, bool is_old) {
    const std::uint64_t ordinal = value.number(4, 2);
    value.require(ordinal < 4096, 4, "more parameters than a kernel can have");
    if (ordinal >= report_.parameters.size()) report_.parameters.resize(ordinal + 1);
    report_.parameters[ordinal] = {static_cast<std::uint32_t>(value.number(6, 2)),
                                   is_old ? value.word(8) >> 18 : static_cast<std::uint32_t>(value.number(8, 2))};
  }

  void check_parameters() const {
    for (const cubin_parameter& each : report_.parameters) {
      file_.require(each.size_bytes > 0, 0, "a parameter without a size");
    }
  }

  // ---- Instructions of 16 bytes: the low 9 bits say what, the next 3 where the operands are
  void count_instructions(const elf_bytes& code) {
    code.require(code.size() % 16 == 0, 0, "instructions are cut off");
    report_.code_bytes = code.size();
    for (std::uint64_t at = 0; at < code.size(); at += 16) {
      if (std::uint32_t* count = counted(static_cast<std::uint32_t>(code.number(at, 2)) & 0x1ff)) ++*count;
    }
  }

  std::uint32_t* counted(std::uint32_t instruction) {
    switch (instruction) {
      case 0x183:  // LDL
        return &report_.local_loads;
      case 0x187:  // STL
        return &report_.local_stores;
      case 0x037:  // IMMA
      case 0x03c:  // HMMA
        return &report_.warp_products;
      case 0x1f0:  // HGMMA
      case 0x1f1:  // IGMMA
        return &report_.warpgroup_products;
      case 0x1b4:  // UTMALDG
        return &report_.copied_loads;
      case 0x1b5:  // UTMASTG
        return &report_.copied_stores;
      case 0x1ae:  // LDGSTS
        return &report_.asynchronous_loads;
      default:
        return nullptr;
    }
  }

  elf_bytes file_;
  std::vector<section> sections_;
  std::uint32_t symbol_ = 0;  // of the kernel, in the symbol table
  cubin_report report_;
};

}  // namespace

cubin_report read_cubin(std::span<const std::byte> bytes) { return cubin_reader(bytes).run(); }

std::string to_text(const cubin_report& report) {
  return fmt::format(
      "{} for sm_{}: {} registers, {} bytes of stack ({} loads, {} stores), {} bytes shared, {} threads, cluster {}, "
      "products {} + {}, copies {} + {} + {}, {} bytes of code",
      report.symbol, report.architecture, report.registers, report.frame_bytes, report.local_loads, report.local_stores,
      report.shared_bytes, report.threads[0] * report.threads[1] * report.threads[2], report.cluster,
      report.warp_products, report.warpgroup_products, report.copied_loads, report.copied_stores,
      report.asynchronous_loads, report.code_bytes);
}

}  // namespace tilewright::compiler::tileir
