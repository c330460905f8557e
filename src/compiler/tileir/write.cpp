// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/write.hpp"

#include <algorithm>

#include "compiler/tileir/byte_sink.hpp"
#include "compiler/tileir/sections.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler::tileir {
namespace {

int least_minor_of_tag(type_tag tag) {
  switch (tag) {
    case type_tag::f8e8m0fnu:
      return 2;
    case type_tag::f4e2m1fn:
    case type_tag::gather_scatter_view:
    case type_tag::strided_view:
    case type_tag::i4:
      return 3;
    case type_tag::f8e5m3fnu:
      return 4;
    default:
      return 1;
  }
}

int least_minor_of_type(const type& t) { return std::max(least_minor_of_tag(t.tag), t.memory ? 4 : 1); }

// An attribute that a version lacks may still be meant, by its default.
int least_minor_of_op(const operation& op) {
  const op_row& row = row_of(op.code);
  int least = row.least_minor;
  if (op.flags != 0) least = std::max(least, row.flags[1] - '0');
  std::size_t field = 0;
  for (item_cursor items(row.attributes); items.next();) {
    const row_item& item = items.item();
    if (item.kind == 'B') {
      const bool is_told = std::any_of(op.list.begin(), op.list.end(), [](std::int64_t bound) { return bound != 0; });
      if (is_told) least = std::max(least, item.least_minor);
    } else if (item.kind != 'T' && item.kind != 'p' && item.kind != 'h' && item.kind != 'L') {
      if (op.fields[field++] != default_of(item)) least = std::max(least, item.least_minor);
    }
  }
  return least;
}

int least_minor_of_body(const std::vector<operation>& body) {
  int least = 1;
  for (const operation& op : body) {
    least = std::max(least, least_minor_of_op(op));
    for (const region& inner : op.regions) least = std::max(least, least_minor_of_body(inner.body));
  }
  return least;
}

class module_writer {
 public:
  explicit module_writer(const bytecode& source) : source_(source), minor_(source.minor) {}

  std::string run() {
    require_internal(minor_ >= least_minor && minor_ <= greatest_minor, "no such Tile IR version");
    out_.append(magic);
    out_.byte(major_version);
    out_.byte(static_cast<unsigned>(minor_));
    out_.fixed(source_.tag, 2);
    if (!source_.globals.empty()) section(section_id::globals, 1, globals());
    section(section_id::functions, 8, functions());
    if (!source_.constants.empty()) section(section_id::constants, 8, constants());
    if (!source_.debug.empty()) section(section_id::debug, 8, debug());
    section(section_id::types, 4, types());
    if (source_.producer) section(section_id::producer, 1, producer());
    section(section_id::strings, 4, strings());
    out_.byte(0);
    return out_.bytes();
  }

 private:
  void section(section_id id, std::size_t alignment, const byte_sink& payload) {
    out_.byte(static_cast<unsigned>(id) | (alignment > 1 ? aligned_section : 0U));
    out_.varint(payload.size());
    if (alignment > 1) {
      out_.varint(alignment);
      out_.align(alignment);
    }
    out_.append(payload.bytes());
  }

  // ---- Tables
  byte_sink types() const {
    std::vector<std::string> items;
    for (const type& t : source_.types) items.push_back(type_item(t).bytes());
    byte_sink out;
    out.table(items, 4);
    return out;
  }

  byte_sink type_item(const type& t) const {
    require_internal(least_minor_of_type(t) <= minor_, "a Tile IR type is newer than the version written");
    byte_sink out;
    out.varint(static_cast<unsigned>(t.tag));
    switch (t.tag) {
      case type_tag::pointer:
        memory_bits(out, t);
        out.varint(t.element);
        if (t.memory) out.byte(*t.memory);
        break;
      case type_tag::tile:
        out.varint(t.element);
        out.list(t.shape, 8);
        break;
      case type_tag::tensor_view:
        memory_bits(out, t);
        out.varint(t.element);
        out.list(t.shape, 8);
        out.list(t.strides, 8);
        if (t.memory) out.byte(*t.memory);
        break;
      case type_tag::partition_view:
      case type_tag::gather_scatter_view:
      case type_tag::strided_view:
        view_item(out, t);
        break;
      case type_tag::function:
        ids(out, t.parameters);
        ids(out, t.results);
        break;
      default:
        break;
    }
    return out;
  }

  void memory_bits(byte_sink& out, const type& t) const {
    if (minor_ >= 4) out.varint(t.memory ? 1 : 0);
  }

  void view_item(byte_sink& out, const type& t) const {
    const bool is_old = minor_ < 3;  // only partition views are that old
    if (!is_old) out.varint(t.pad ? 1 : 0);
    out.list(t.shape, 4);
    if (t.tag == type_tag::strided_view) out.list(t.strides, 4);
    out.varint(t.element);
    if (t.tag == type_tag::gather_scatter_view)
      out.varint(t.sparse_axis);
    else
      out.list(t.axes, 4);
    if (is_old) out.byte(t.pad ? 1 : 0);
    if (t.pad) out.byte(static_cast<unsigned>(*t.pad));
  }

  static void ids(byte_sink& out, const std::vector<std::uint32_t>& all) {
    out.varint(all.size());
    for (const std::uint32_t id : all) out.varint(id);
  }

  byte_sink constants() const {
    std::vector<std::string> items;
    for (const std::string& bytes : source_.constants) {
      byte_sink item;
      item.varint(bytes.size());
      item.append(bytes);
      items.push_back(item.bytes());
    }
    byte_sink out;
    out.table(items, 8);
    return out;
  }

  byte_sink strings() const {
    byte_sink out;
    out.table(source_.strings, 4);
    return out;
  }

  byte_sink producer() const {
    byte_sink out;
    out.varint(*source_.producer);
    return out;
  }

  byte_sink globals() const {
    byte_sink out;
    out.varint(source_.globals.size());
    for (const global& next : source_.globals) {
      require_internal(minor_ >= 3 || !(next.is_private || next.is_constant), "a global needs Tile IR 13.3");
      out.varint(next.name);
      out.varint(next.of_type);
      out.varint(next.constant);
      out.varint(next.alignment);
      if (minor_ < 3) continue;
      out.varint(next.is_private ? 1 : 0);
      out.varint(next.is_constant ? 1 : 0);
    }
    return out;
  }

  // ---- Debug locations
  byte_sink debug() const {
    byte_sink out;
    std::vector<std::uint64_t> starts, places;
    for (const kernel& next : source_.kernels) {
      if (!next.has_location) continue;
      starts.push_back(places.size());
      places.push_back(next.location);
      append_places(next.body, places);
    }
    out.varint(starts.size());
    out.align(4);
    for (const std::uint64_t start : starts) out.fixed(start, 4);
    out.varint(places.size());
    out.align(8);
    for (const std::uint64_t place : places) out.fixed(place, 8);
    std::vector<std::string> items;
    for (const debug_attribute& next : source_.debug) items.push_back(debug_item(next).bytes());
    out.table(items, 4);
    return out;
  }

  static void append_places(const std::vector<operation>& body, std::vector<std::uint64_t>& places) {
    for (const operation& op : body) {
      places.push_back(op.location);
      for (const region& inner : op.regions) append_places(inner.body, places);
    }
  }

  byte_sink debug_item(const debug_attribute& next) const {
    byte_sink out;
    out.varint(next.tag);
    for (const std::uint64_t field : next.fields) out.varint(field);
    if (next.tag == debug_subprogram && minor_ >= 5) out.varint(0);
    return out;
  }

  // ---- Kernels
  byte_sink functions() const {
    byte_sink out;
    out.varint(source_.kernels.size());
    std::uint64_t row = 0;
    for (const kernel& next : source_.kernels) {
      const bool has_hints_field = minor_ >= 5;
      out.varint(next.name);
      out.varint(next.signature);
      out.byte(kernel_flag | (next.is_private ? private_flag : 0U) |
               (next.hints && !has_hints_field ? hints_flag : 0U));
      out.varint(next.has_location ? ++row : 0);
      if (next.hints || has_hints_field) tagged(out, next.hints ? *next.hints : list_of(attribute_tag::hints, {}));
      if (has_hints_field) tagged(out, list_of(attribute_tag::array, next.arguments));
      byte_sink body;
      operations(body, next.body);
      out.varint(body.size());
      out.append(body.bytes());
    }
    return out;
  }

  static attribute list_of(attribute_tag tag, const std::vector<attribute>& items) {
    attribute made;
    made.tag = tag;
    made.items = items;
    return made;
  }

  void operations(byte_sink& out, const std::vector<operation>& body) const {
    for (const operation& op : body) one_operation(out, op);
  }

  void one_operation(byte_sink& out, const operation& op) const {
    const op_row& row = row_of(op.code);
    require_internal(least_minor_of_op(op) <= minor_, "a Tile IR operation is newer than the version written");
    out.varint(static_cast<unsigned>(op.code));
    results(out, row, op);
    if (row.has_flags(minor_)) out.varint(op.flags);
    attributes(out, row, op);
    operands(out, row, op);
    if (row.regions > 0) out.varint(op.regions.size());
    for (const region& inner : op.regions) one_region(out, inner);
  }

  void results(byte_sink& out, const op_row& row, const operation& op) const {
    if (row.results == '-') return;
    if (row.results == 'p' && minor_ < 2) return out.varint(0);
    if (row.results == '*' || row.results == 'p') out.varint(op.results.size());
    for (const type_id id : op.results) out.varint(id);
  }

  void attributes(byte_sink& out, const op_row& row, const operation& op) const {
    std::size_t field = 0, tree = 0;
    for (item_cursor items(row.attributes); items.next();) {
      const row_item& item = items.item();
      const bool is_present = item.is_present(op.flags, minor_);
      switch (item.kind) {
        case 'T':
          out.varint(op.attributes.size());
          for (const attribute& next : op.attributes) tagged(out, next);
          break;
        case 'p':
          tagged(out, op.attributes[tree++]);
          break;
        case 'h':
          if (is_present) payload(out, op.attributes[tree++]);
          break;
        case 'B':
          if (is_present) out.list(op.list, 1);
          break;
        case 'L':
          out.list(op.list, 4);
          break;
        case 's':
        case 'i':
        case 'k':
          out.varint(op.fields[field++]);
          break;
        default:
          if (is_present) out.byte(op.fields[field]);
          ++field;
      }
    }
  }

  void operands(byte_sink& out, const op_row& row, const operation& op) const {
    std::size_t operand = 0, group = 0;
    const auto put = [&](std::size_t count) {
      for (; count > 0; --count) out.varint(op.operands[operand++]);
    };
    for (item_cursor items(row.operands); items.next();) {
      if (!items.item().is_present(op.flags, minor_)) continue;
      std::size_t count = 1;
      if (items.item().kind == 'n') count = op.operands.size();
      if (items.item().kind == 'g') count = op.groups[group++];
      if (items.item().kind != 'v') out.varint(count);
      put(count);
    }
  }

  void one_region(byte_sink& out, const region& inner) const {
    out.varint(inner.has_block ? 1 : 0);
    if (!inner.has_block) return;
    ids(out, inner.arguments);
    out.varint(inner.body.size());
    operations(out, inner.body);
  }

  // ---- Attributes with a tag
  void tagged(byte_sink& out, const attribute& next) const {
    out.varint(static_cast<unsigned>(next.tag));
    payload(out, next);
  }

  void payload(byte_sink& out, const attribute& next) const {
    switch (next.tag) {
      case attribute_tag::integer:
      case attribute_tag::dense:
        out.varint(next.of_type);
        out.varint(next.word);
        return;
      case attribute_tag::floating:
        out.varint(next.of_type);
        out.bit_pattern(next.word, bits_of(source_.types[next.of_type].tag));
        return;
      case attribute_tag::boolean:
        out.byte(next.word);
        return;
      case attribute_tag::type:
        out.varint(next.of_type);
        return;
      case attribute_tag::string:
        out.varint(next.word);
        return;
      case attribute_tag::divisible:
        out.varint(next.word);
        optional_pair(out, next);
        return;
      case attribute_tag::bounded:
        optional_pair(out, next);
        return;
      case attribute_tag::same_elements:
        out.list(next.groups, 8);
        return;
      case attribute_tag::array:
      case attribute_tag::dictionary:
      case attribute_tag::hints:
        nested(out, next);
        return;
    }
  }

  static void optional_pair(byte_sink& out, const attribute& next) {
    out.byte((next.first ? 1U : 0U) | (next.second ? 2U : 0U));
    if (next.first) out.svarint(*next.first);
    if (next.second) out.svarint(*next.second);
  }

  void nested(byte_sink& out, const attribute& next) const {
    out.varint(next.items.size());
    for (std::size_t i = 0; i < next.items.size(); ++i) {
      if (next.tag != attribute_tag::array) out.varint(next.keys[i]);
      tagged(out, next.items[i]);
    }
  }

  const bytecode& source_;
  int minor_;
  byte_sink out_;
};

}  // namespace

std::string write(const bytecode& source) { return module_writer(source).run(); }

int least_minor_of(const bytecode& source) {
  int least = 3;
  for (const type& t : source.types) least = std::max(least, least_minor_of_type(t));
  for (const kernel& next : source.kernels) least = std::max(least, least_minor_of_body(next.body));
  return least;
}

}  // namespace tilewright::compiler::tileir
