// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/text.hpp"

#include <fmt/format.h>

#include <iterator>

namespace tilewright::compiler::tileir {
namespace {

constexpr const char* padding_names[] = {"zero", "neg_zero", "nan", "pos_inf", "neg_inf"};
constexpr const char* memory_names[] = {"none", "unicast", "multicast"};

// "a, b, c"
template <class Items, class Text>
std::string joined(const Items& items, Text text, const char* between = ", ") {
  std::string result;
  for (const auto& item : items) {
    if (!result.empty()) result += between;
    result += text(item);
  }
  return result;
}

std::string number_text(std::int64_t number) { return number == dynamic ? "?" : std::to_string(number); }

std::string numbers(const std::vector<std::int64_t>& all, const char* between = ", ") {
  return joined(all, number_text, between);
}

class printer {
 public:
  explicit printer(const bytecode& source) : source_(source) {}

  std::string run() {
    append("// Tile IR 13.{}\n", source_.minor);
    if (source_.producer) append("// producer: {}\n", source_.strings[*source_.producer]);
    for (const global& next : source_.globals) one_global(next);
    for (const kernel& next : source_.kernels) one_kernel(next);
    return std::move(out_);
  }

  // ---- Types
  std::string type_text(type_id id) const {
    const type& t = source_.types[id];
    switch (t.tag) {
      case type_tag::pointer:
        return fmt::format("ptr<{}{}>", type_text(t.element), memory_text(t));
      case type_tag::tile:
        return fmt::format("tile<{}{}{}>", numbers(t.shape, "x"), t.shape.empty() ? "" : "x", type_text(t.element));
      case type_tag::tensor_view:
        return fmt::format("tensor_view<{}{}{}, strides=[{}]{}>", numbers(t.shape, "x"), t.shape.empty() ? "" : "x",
                           type_text(t.element), numbers(t.strides, ","), memory_text(t));
      case type_tag::partition_view:
      case type_tag::gather_scatter_view:
      case type_tag::strided_view:
        return view_text(t);
      case type_tag::function:
        return fmt::format("({}) -> ({})", type_list(t.parameters), type_list(t.results));
      default:
        return name_of(t.tag);
    }
  }

 private:
  template <class... Parts>
  void append(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Parts>(parts)...);
  }

  static std::string memory_text(const type& t) {
    return t.memory ? fmt::format(", {}", memory_names[*t.memory]) : std::string();
  }

  std::string view_text(const type& t) const {
    std::string text = fmt::format("{}<tile=({})", name_of(t.tag), numbers(t.shape, "x"));
    if (t.tag == type_tag::strided_view) text += fmt::format(", traversal_strides=[{}]", numbers(t.strides, ","));
    if (t.pad) text += fmt::format(", padding_value = {}", padding_names[static_cast<int>(*t.pad)]);
    text += ", " + type_text(t.element);
    if (t.tag == type_tag::gather_scatter_view) text += fmt::format(", sparse_dim={}", t.sparse_axis);
    for (std::size_t i = 0; i < t.axes.size(); ++i) {
      if (t.axes[i] == static_cast<std::int32_t>(i)) continue;
      text += fmt::format(", dim_map=[{}]", joined(t.axes, [](std::int32_t axis) { return std::to_string(axis); }));
      break;
    }
    return text + ">";
  }

  std::string type_list(const std::vector<type_id>& all) const {
    return joined(all, [&](type_id id) { return type_text(id); });
  }

  // ---- Attributes with a tag
  std::string tagged(const attribute& next) const {
    switch (next.tag) {
      case attribute_tag::integer:
        return fmt::format("{} : {}", next.word, type_text(next.of_type));
      case attribute_tag::floating:
        return fmt::format("{:#x} : {}", next.word, type_text(next.of_type));
      case attribute_tag::boolean:
        return next.word != 0 ? "true" : "false";
      case attribute_tag::type:
        return type_text(next.of_type);
      case attribute_tag::string:
        return fmt::format("\"{}\"", source_.strings[next.word]);
      case attribute_tag::dense:
        return fmt::format("dense<{}> : {}", hexadecimal(source_.constants[next.word]), type_text(next.of_type));
      case attribute_tag::divisible:
        return fmt::format("div_by<{}{}{}>", next.word, optional_text(", every ", next.first),
                           optional_text(" along ", next.second));
      case attribute_tag::bounded:
        return fmt::format("bounded<{}, {}>", optional_text("", next.first, "?"), optional_text("", next.second, "?"));
      case attribute_tag::same_elements:
        return fmt::format("same_elements<[{}]>", numbers(next.groups));
      case attribute_tag::array:
        return fmt::format("[{}]", joined(next.items, [&](const attribute& item) { return tagged(item); }));
      case attribute_tag::dictionary:
      case attribute_tag::hints:
        return dictionary(next);
    }
    return {};
  }

  static std::string optional_text(const char* before, std::optional<std::int64_t> number, const char* none = "") {
    return number ? before + std::to_string(*number) : std::string(none);
  }

  std::string dictionary(const attribute& next) const {
    std::string text;
    for (std::size_t i = 0; i < next.items.size(); ++i) {
      text += fmt::format("{}{} = {}", i > 0 ? ", " : "", source_.strings[next.keys[i]], tagged(next.items[i]));
    }
    return "{" + text + "}";
  }

  static std::string hexadecimal(const std::string& bytes) {
    return joined(
        bytes, [](char byte) { return fmt::format("{:02x}", static_cast<unsigned char>(byte)); }, "");
  }

  // ---- Globals, kernels
  void one_global(const global& next) {
    append("global{}{} @{} align {} {} : {}\n", next.is_private ? " private" : "", next.is_constant ? " constant" : "",
           source_.strings[next.name], next.alignment, hexadecimal(source_.constants[next.constant]),
           type_text(next.of_type));
  }

  void one_kernel(const kernel& next) {
    const std::vector<type_id>& parameters = source_.types[next.signature].parameters;
    append("{}kernel @{}(", next.is_private ? "private " : "", source_.strings[next.name]);
    for (value_ = 0; value_ < parameters.size(); ++value_) {
      append("{}%{}: {}", value_ > 0 ? ", " : "", value_, type_text(parameters[value_]));
    }
    append(")");
    if (next.hints) append(" hints {}", dictionary(*next.hints));
    for (const attribute& argument : next.arguments) append(" argument {}", tagged(argument));
    append(" {{\n");
    for (const operation& op : next.body) one_operation(op, 1);
    append("}}\n");
  }

  void one_operation(const operation& op, int depth) {
    const op_row& row = row_of(op.code);
    const std::size_t line = out_.size();
    out_ += row.mnemonic;
    flags_and_fields(row, op);
    operands(row, op);
    if (!op.results.empty()) append(" : {}", type_list(op.results));
    for (std::size_t i = 0; i < op.regions.size(); ++i) one_region(op.regions[i], depth, i > 0 ? " else " : " ");
    out_ += '\n';
    std::string head(static_cast<std::size_t>(2 * depth), ' ');
    for (std::size_t i = 0; i < op.results.size(); ++i) head += fmt::format("{}%{}", i > 0 ? ", " : "", value_++);
    if (!op.results.empty()) head += " = ";
    out_.insert(line, head);
  }

  void flags_and_fields(const op_row& row, const operation& op) {
    const std::uint32_t meaning = flags_with_meaning(row);
    if ((op.flags & meaning) != 0) append(" flags={:#x}", op.flags & meaning);
    std::size_t field = 0, tree = 0;
    for (item_cursor items(row.attributes); items.next();) {
      const row_item& item = items.item();
      const bool is_present = item.is_present(op.flags, source_.minor);
      switch (item.kind) {
        case 'T':
          append(" [{}]", joined(op.attributes, [&](const attribute& next) { return tagged(next); }));
          break;
        case 'p':
          append(" {}", tagged(op.attributes[tree++]));
          break;
        case 'h':
          if (is_present) append(" hints {}", dictionary(op.attributes[tree++]));
          break;
        case 'B':
        case 'L':
          if (is_present) append(" [{}]", numbers(op.list));
          break;
        default:
          if (is_present) one_field(item.kind, op.fields[field]);
          ++field;
      }
    }
  }

  // Bits that do not only say that an attribute or operand is there.
  static std::uint32_t flags_with_meaning(const op_row& row) {
    std::uint32_t meaning = (1U << row.flag_bits()) - 1;
    for (const std::string_view column : {row.attributes, row.operands}) {
      for (item_cursor items(column); items.next();) {
        if (items.item().flag >= 0) meaning &= ~(1U << items.item().flag);
      }
    }
    return meaning;
  }

  void one_field(char kind, std::uint64_t value) {
    if (kind == 's') return append(" \"{}\"", source_.strings[value]);
    if (kind == 'k') return append(" {}", hexadecimal(source_.constants[value]));
    if (kind == 'i') return append(" {}", value);
    append(" {}", names_of(kind).names[value]);
  }

  void operands(const op_row& row, const operation& op) {
    std::size_t next = 0, group = 0;
    const auto text = [&](std::size_t count) {
      std::string result;
      for (std::size_t i = 0; i < count; ++i) result += fmt::format("{}%{}", i > 0 ? ", " : "", op.operands[next++]);
      return result;
    };
    const char* before = " ";
    for (item_cursor items(row.operands); items.next();) {
      if (!items.item().is_present(op.flags, source_.minor)) continue;
      const char kind = items.item().kind;
      if (kind == 'g')
        append("{}[{}]", before, text(op.groups[group++]));
      else if (kind == 'v' || !op.operands.empty())
        append("{}{}", before, text(kind == 'n' ? op.operands.size() : 1));
      before = ", ";
    }
  }

  void one_region(const region& inner, int depth, const char* before) {
    if (!inner.has_block) return;
    append("{}", before);
    const std::size_t outside = value_;
    if (!inner.arguments.empty()) {
      append("(");
      for (std::size_t i = 0; i < inner.arguments.size(); ++i) {
        append("{}%{}: {}", i > 0 ? ", " : "", value_++, type_text(inner.arguments[i]));
      }
      append(") ");
    }
    append("{{\n");
    for (const operation& op : inner.body) one_operation(op, depth + 1);
    append("{}}}", std::string(static_cast<std::size_t>(2 * depth), ' '));
    value_ = outside;
  }

  const bytecode& source_;
  std::string out_;
  std::size_t value_ = 0;  // number of the next result
};

}  // namespace

std::string to_text(const bytecode& source) { return printer(source).run(); }
std::string to_text(const bytecode& source, type_id id) { return printer(source).type_text(id); }

}  // namespace tilewright::compiler::tileir
