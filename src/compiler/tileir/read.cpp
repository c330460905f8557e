// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/read.hpp"

#include <algorithm>
#include <array>

#include "compiler/tileir/read_tables.hpp"
#include "compiler/tileir/sections.hpp"
#include "compiler/tileir/type_rules.hpp"

namespace tilewright::compiler::tileir {
namespace {

constexpr int greatest_depth = 64;

// ---- The body of one kernel ----------------------------------------------------------------------------------------
class body_reader {
 public:
  body_reader(byte_source source, const bytecode& from, std::size_t parameters)
      : in_(source), from_(from), values_(parameters) {}

  std::vector<operation> run() {
    std::vector<operation> body;
    while (!in_.at_end()) body.push_back(next_operation(0));
    in_.require(!body.empty() && body.back().code == opcode::return_, "a kernel does not end with return");
    return body;
  }

 private:
  operation next_operation(int depth) {
    const byte_source start = in_;
    const op_row* row = find_row(in_.varint());
    if (row == nullptr || row->least_minor > from_.minor) start.refuse("no such operation in this version");
    operation made;
    made.code = row->code;
    read_results(*row, made);
    read_flags(*row, made);
    read_attributes(*row, made);
    read_operands(*row, made);
    if (row->regions > 0) read_regions(*row, made, depth);
    values_ += made.results.size();
    if (made.code == opcode::constant) check_constant(start, made);
    return made;
  }

  void read_results(const op_row& row, operation& made) {
    if (row.results == '-') return;
    const bool is_counted = row.results == '*' || row.results == 'p';
    made.results.resize(is_counted ? in_.count(1, "results") : static_cast<std::size_t>(row.results - '0'));
    for (type_id& id : made.results) id = in_.id(from_.types.size(), "type");
  }

  void read_flags(const op_row& row, operation& made) {
    if (!row.has_flags(from_.minor)) return;
    made.flags = static_cast<std::uint32_t>(in_.below(std::uint64_t{1} << row.flag_bits(), "flag"));
  }

  void read_attributes(const op_row& row, operation& made) {
    for (item_cursor items(row.attributes); items.next();) {
      const row_item& item = items.item();
      const bool is_present = item.is_present(made.flags, from_.minor);
      switch (item.kind) {
        case 'T':
          for (std::size_t left = in_.count(1, "attributes"); left > 0; --left) {
            made.attributes.push_back(read_tagged(in_, from_));
          }
          break;
        case 'p':
          made.attributes.push_back(read_tagged(in_, from_));
          break;
        case 'h':
          if (is_present) made.attributes.push_back(read_payload(in_, from_, attribute_tag::dictionary));
          break;
        case 'B':
          if (is_present) read_bounds(made);
          break;
        case 'L':
          made.list = in_.list<std::int64_t>(4, "axes");
          break;
        default:
          made.fields.push_back(is_present ? read_field(item.kind) : default_of(item));
      }
    }
  }

  void read_bounds(operation& made) {
    made.list = in_.list<std::int64_t>(1, "bounds");
    const auto is_bool = [](std::int64_t bound) { return bound == 0 || bound == 1; };
    in_.require(std::all_of(made.list.begin(), made.list.end(), is_bool), "a bool is neither 0 nor 1");
  }

  std::uint64_t read_field(char kind) {
    if (kind == 's') return in_.id(from_.strings.size(), "string");
    if (kind == 'k') return in_.id(from_.constants.size(), "constant");
    if (kind == 'i') return in_.varint();
    const byte_source start = in_;
    const std::uint8_t value = in_.byte();
    if (value >= names_of(kind).count) start.refuse("no such value of an attribute");
    return value;
  }

  void read_operands(const op_row& row, operation& made) {
    for (item_cursor items(row.operands); items.next();) {
      if (!items.item().is_present(made.flags, from_.minor)) continue;
      std::size_t count = 1;
      if (items.item().kind != 'v') count = in_.count(1, "operands");
      if (items.item().kind == 'g') made.groups.push_back(static_cast<std::uint32_t>(count));
      for (; count > 0; --count) made.operands.push_back(in_.id(values_, "value"));
    }
  }

  void read_regions(const op_row& row, operation& made, int depth) {
    in_.require(depth < greatest_depth, "regions are nested too deeply");
    const std::uint64_t regions = in_.varint();
    in_.require(regions == static_cast<unsigned>(row.regions), "an operation has another number of regions");
    for (std::uint64_t i = 0; i < regions; ++i) {
      const bool may_be_empty = made.code == opcode::if_ && i == 1 && made.results.empty();
      made.regions.push_back(read_region(may_be_empty, depth + 1));
    }
  }

  region read_region(bool may_be_empty, int depth) {
    region made;
    made.has_block = in_.below(2, "block") != 0;
    in_.require(made.has_block || may_be_empty, "a region has no block");
    if (!made.has_block) return made;
    const std::size_t outside = values_;
    made.arguments.resize(in_.count(1, "block arguments"));
    for (type_id& id : made.arguments) id = in_.id(from_.types.size(), "type");
    values_ += made.arguments.size();
    for (std::size_t left = in_.count(1, "operations"); left > 0; --left) made.body.push_back(next_operation(depth));
    in_.require(!made.body.empty() && is_terminator(made.body.back().code), "a block does not end with a terminator");
    values_ = outside;
    return made;
  }

  void check_constant(const byte_source& start, const operation& made) const {
    const type& t = from_.types[made.results[0]];
    start.require(t.tag == type_tag::tile, "a constant is no tile");
    start.require(is_constant_of(from_, t, from_.constants[made.fields[0]]),
                  "a constant has another size than its type");
  }

  byte_source in_;
  const bytecode& from_;
  std::size_t values_;
};

// ---- The file ------------------------------------------------------------------------------------------------------
class file_reader {
 public:
  explicit file_reader(std::string_view bytes) : in_(bytes, 0) {}

  bytecode run() {
    header();
    sections();
    if (const auto& s = at(section_id::strings)) read_strings(*s, made_);
    if (const auto& s = at(section_id::types)) read_types(*s, made_);
    if (const auto& s = at(section_id::constants)) read_constants(*s, made_);
    if (auto& s = at(section_id::debug)) read_debug(*s);
    if (auto& s = at(section_id::producer)) {
      made_.producer = s->id(made_.strings.size(), "string");
      s->require_end("the producer");
    }
    if (auto& s = at(section_id::globals)) read_globals(*s);
    auto& functions = at(section_id::functions);
    if (!functions) in_.refuse("the file has no function section");
    read_functions(*functions);
    return std::move(made_);
  }

 private:
  std::optional<byte_source>& at(section_id id) { return sections_[static_cast<std::size_t>(id)]; }

  void header() {
    for (const char expected : magic) {
      in_.require(!in_.at_end() && in_.byte() == static_cast<std::uint8_t>(expected), "this is no Tile IR bytecode");
    }
    const byte_source version = in_;
    const int major = in_.byte();
    made_.minor = in_.byte();
    if (major != static_cast<int>(major_version) || made_.minor < least_minor || made_.minor > greatest_minor) {
      version.refuse("no such Tile IR version", "13.1 to 13.5",
                     std::to_string(major) + "." + std::to_string(made_.minor));
    }
    made_.tag = static_cast<std::uint16_t>(in_.fixed(2));
  }

  void sections() {
    for (;;) {
      const byte_source start = in_;
      const unsigned head = in_.byte();
      if (head == 0) break;
      const unsigned id = head & ~aligned_section;
      if (id == 0 || id >= section_count) start.refuse("no such section");
      if (sections_[id]) start.refuse("a section stands twice");
      const std::uint64_t length = in_.varint();
      std::uint64_t alignment = 1;
      if ((head & aligned_section) != 0) alignment = section_alignment();
      in_.align(alignment);
      check_alignment(start, static_cast<section_id>(id), alignment);
      sections_[id] = in_.part(length);
    }
    in_.require_end("the last section");
  }

  std::uint64_t section_alignment() {
    const std::uint64_t alignment = in_.below(4097, "alignment");
    in_.require(alignment > 0 && (alignment & (alignment - 1)) == 0, "an alignment is no power of two");
    return alignment;
  }

  static void check_alignment(const byte_source& start, section_id id, std::uint64_t alignment) {
    std::uint64_t least = 1;
    if (id == section_id::strings || id == section_id::types) least = 4;
    if (id == section_id::functions || id == section_id::debug || id == section_id::constants) least = 8;
    if (alignment < least) start.refuse("a section's alignment is too small");
  }

  void read_debug(byte_source& section) {
    const std::size_t rows = section.count(4, "rows");
    section.align(4);
    byte_source starts = section.part(rows * 4);
    for (std::size_t i = 0; i < rows; ++i) starts_.push_back(static_cast<std::size_t>(starts.fixed(4)));
    const std::size_t places = section.count(8, "places");
    section.align(8);
    byte_source ids = section.part(places * 8);
    for (std::size_t i = 0; i < places; ++i) places_.push_back(ids.fixed(8));
    read_debug_attributes(section, made_);
    for (const std::uint64_t id : places_) section.require(id <= made_.debug.size(), "no such debug attribute");
    section.require_end("the debug section");
  }

  void read_globals(byte_source& section) {
    for (std::size_t left = section.count(4, "globals"); left > 0; --left) {
      global made;
      made.name = section.id(made_.strings.size(), "string");
      made.of_type = section.id(made_.types.size(), "type");
      made.constant = section.id(made_.constants.size(), "constant");
      made.alignment = section.varint();
      if (made_.minor >= 3) {
        made.is_private = section.below(2, "visibility") != 0;
        made.is_constant = section.below(2, "flag of a global") != 0;
      }
      made_.globals.push_back(made);
    }
    section.require_end("the globals");
  }

  void read_functions(byte_source& section) {
    for (std::size_t left = section.count(5, "kernels"); left > 0; --left) {
      made_.kernels.push_back(read_kernel(section));
    }
    section.require_end("the last kernel");
  }

  kernel read_kernel(byte_source& section) {
    kernel made;
    made.name = section.id(made_.strings.size(), "string");
    section.require(!made_.strings[made.name].empty(), "a kernel has no name");
    made.signature = section.id(made_.types.size(), "type");
    const type& signature = made_.types[made.signature];
    section.require(signature.tag == type_tag::function, "a kernel's type is no function");
    const bool has_hints_field = made_.minor >= 5;
    const std::uint8_t flags = section.byte();
    section.require((flags & kernel_flag) != 0, "a function is no kernel");
    section.require(flags < (has_hints_field ? 4 : 8), "no such flag of a kernel");
    made.is_private = (flags & private_flag) != 0;
    const std::uint64_t row = section.below(starts_.size() + 1, "row of debug locations");
    if (has_hints_field || (flags & hints_flag) != 0) read_hints(section, made);
    if (has_hints_field) {
      attribute arguments = read_tagged(section, made_);
      section.require(arguments.tag == attribute_tag::array, "a kernel's arguments have no list of attributes");
      made.arguments = std::move(arguments.items);
    }
    const byte_source body = section.part(section.varint());
    made.body = body_reader(body, made_, signature.parameters.size()).run();
    if (row > 0) place(section, made, starts_[row - 1]);
    return made;
  }

  void read_hints(byte_source& section, kernel& made) {
    attribute hints = read_tagged(section, made_);
    section.require(hints.tag == attribute_tag::hints, "a kernel's hints have another tag");
    if (!hints.items.empty() || made_.minor < 5) made.hints = std::move(hints);
  }

  void place(const byte_source& section, kernel& made, std::size_t next) {
    section.require(next < places_.size() && operation_count(made.body) < places_.size() - next,
                    "a kernel has more operations than debug locations");
    made.has_location = true;
    made.location = static_cast<std::uint32_t>(places_[next++]);
    place(made.body, next);
  }

  void place(std::vector<operation>& body, std::size_t& next) {
    for (operation& op : body) {
      op.location = static_cast<std::uint32_t>(places_[next++]);
      for (region& inner : op.regions) place(inner.body, next);
    }
  }

  byte_source in_;
  bytecode made_;
  std::array<std::optional<byte_source>, section_count> sections_;
  std::vector<std::size_t> starts_;
  std::vector<std::uint64_t> places_;
};

}  // namespace

bytecode read(std::string_view bytes) { return file_reader(bytes).run(); }

}  // namespace tilewright::compiler::tileir
