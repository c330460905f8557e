// SPDX-License-Identifier: Apache-2.0
#include "tilewright/ast/printer.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <initializer_list>

#include "ast/record_reader.hpp"

namespace tilewright::ast {
namespace {

// One after the other with a space before each.
std::string words(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) text.append(" ").append(part);
  return text;
}

class printer {
 public:
  explicit printer(const module_view& module) : module_(module) {}

  std::string run() {
    text_ = std::string("kernel '") + (module_.name == nullptr ? "" : module_.name) + "'\n";
    for (int i = 0; i < module_.parameter_count; ++i) {
      const parameter_record& p = module_.parameters[i];
      std::string kind = p.kind <= parameter_kind::scalar ? parameter_kind_name(p.kind) : "?";
      if (p.kind == parameter_kind::accum && p.by <= combiner::bit_xor) kind += words({combiner_name(p.by)});
      text_.append("parameter").append(words({std::to_string(i), kind, type_text(p.type)})).append("\n");
    }
    record_reader reader(module_);
    record r;
    auto status = reader.next(r);
    for (; status == record_reader::status::record; status = reader.next(r)) print(r);
    if (status != record_reader::status::end) text_ += "the rest of the code cannot be read\n";
    return text_;
  }

 private:
  void print(const record& r) {
    const bool divides = r.which == op::if_else || r.which == op::while_condition;
    const bool closes = divides || r.which == op::for_end || r.which == op::while_end || r.which == op::if_end ||
                        r.which == op::combiner_end;
    const bool opens = divides || r.which == op::for_begin || r.which == op::while_begin || r.which == op::if_begin ||
                       has_combiner(r.which);
    if (closes && depth_ > 0) --depth_;
    text_.append(static_cast<std::size_t>(2 * depth_), ' ');
    if (opens && depth_ < 40) ++depth_;

    if (r.type != no_type) text_ += value_text(r.ordinal) + " = ";
    text_ += info(r.which).name;
    const char* separator = " ";
    for (const std::int32_t operand : r.operands) {
      text_.append(separator).append(value_text(operand));
      separator = ", ";
    }
    text_ += attributes_text(r);
    if (r.type != no_type) text_.append(" : ").append(type_text(r.type));
    text_ += '\n';
  }

  static std::string value_text(std::int32_t ordinal) { return std::string("%").append(std::to_string(ordinal)); }

  std::string extent_text(std::int32_t extent) const {
    if (extent == dynamic_extent) return "dyn";
    if (!is_symbol(extent)) return std::to_string(extent);
    const int position = symbol_of(extent);
    if (position >= module_.symbol_count) return "?";
    const char* name = module_.symbols[position].name;
    return {name, std::find(name, name + Dim::name_capacity, '\0')};
  }

  std::string type_text(int position) const {
    if (position < 0 || position >= module_.type_count) return "?";
    const tile_type& type = module_.types[position];
    std::string text = static_cast<int>(type.element) < tile_dtype_count ? info(type.element).name : "?";
    text += "[";
    for (int axis = 0; axis < std::min<int>(type.rank, max_rank); ++axis) {
      if (axis > 0) text += ", ";
      text += extent_text(type.extents[axis]);
    }
    return text + "]";
  }

  std::string table_text(const record& r) const {
    std::string text = " {";
    for (std::size_t first = 1; first + 1 < r.attributes.size(); first += 2) {
      text.append(first > 1 ? ", " : "").append(constant_text(r, first));
    }
    return text + "}";
  }

  std::string constant_text(const record& r, std::size_t first = 0) const {
    const auto low = static_cast<std::uint32_t>(r.attributes[first]);
    const auto high = static_cast<std::uint32_t>(r.attributes[first + 1]);
    const std::uint64_t word = std::uint64_t{high} << 32 | low;
    if (r.type >= module_.type_count) return "?";
    const dtype element = module_.types[r.type].element;
    if (static_cast<int>(element) >= tile_dtype_count) return "?";
    if (element == dtype::u64) return std::to_string(word);
    if (!is_floating(element)) return std::to_string(static_cast<std::int64_t>(word));
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, std::bit_cast<double>(word)).ptr};
  }

  static std::string rounding_text(std::int32_t how) {
    if (how == 0) return "";
    return how > 0 && how < rounding_count ? words({name_of(static_cast<rounding>(how))}) : " ?";
  }

  std::string axes_text(const record& r) const {
    std::string text;
    const int rank = r.type < module_.type_count ? module_.types[r.type].rank : 0;
    for (int axis = 0; axis < std::min(rank, max_rank); ++axis) {
      text.append(axis > 0 ? ", " : "").append(std::to_string((r.attributes[0] >> (4 * axis)) & 0xf));
    }
    return text;
  }

  std::string strides_text(const record& r) const {
    std::string text;
    const int rank = r.type < module_.type_count ? module_.types[r.type].rank : 0;
    for (int axis = 0; axis < std::min(rank, max_rank); ++axis) {
      text.append(axis > 0 ? ", " : "").append(extent_text(r.attributes[2 + static_cast<std::size_t>(axis)]));
    }
    return text;
  }

  std::string attributes_text(const record& r) const {
    const auto number = [&](std::size_t n) { return std::to_string(r.attributes[n]); };
    switch (r.which) {
      case op::constant:
      case op::combiner_left:
        return words({constant_text(r)});
      case op::assertion:
        return r.attributes[0] == no_text ? "" : words({"text", number(0)});
      case op::add:
      case op::subtract:
      case op::multiply:
      case op::divide:
      case op::sqrt:
      case op::fma:
      case op::rsqrt:
      case op::exp2:
      case op::tanh:
      case op::minimum:
      case op::maximum:
        return rounding_text(r.attributes[0]);
      case op::print:
        return words({"text", number(0)});
      case op::table:
        return table_text(r);
      case op::permute:
        return words({"axes", axes_text(r)});
      case op::dim_value:
        return words({extent_text(r.attributes[0])});
      case op::extent:
        return words({"parameter", number(0), "axis", number(1)});
      case op::tiles:
        return words({"parameter", number(0), "axis", number(1), "in", extent_text(r.attributes[2])});
      case op::for_begin:
        return r.attributes[0] != 0 ? " reduction" : "";
      case op::mma:
        return r.attributes[0] != 0 ? " fast" : "";
      case op::load:
        return words({"parameter", number(0)}).append(r.attributes[1] != 0 ? " padded" : "");
      case op::load_window:
        return words({"parameter", number(0), "strides", strides_text(r)})
            .append(r.attributes[1] != 0 ? " padded" : "");
      case op::gather:
      case op::combine_at:
        return words({"parameter", number(0)}).append(r.attributes[1] != 0 ? " masked" : "");
      case op::store_rows:
        return words({"parameter", number(0), "by", number(1)});
      case op::scalar:
      case op::load_piece:
      case op::gather_rows:
      case op::store:
      case op::store_tile:
      case op::combine:
        return words({"parameter", number(0)});
      case op::scan_begin:
      case op::scan_sum:
      case op::scan_product:
      case op::scan_max:
      case op::scan_min:
        return words({"axis", number(0)}).append(r.attributes[1] != 0 ? " reverse" : "");
      case op::extract:
        return words({"at", number(0), number(1), number(2), number(3), number(4), number(5)});
      default:
        return r.attributes.empty() ? "" : words({"axis", number(0)});
    }
  }

  const module_view& module_;
  std::string text_;
  int depth_ = 0;
};

}  // namespace

std::string to_text(const module_view& module) { return printer(module).run(); }

}  // namespace tilewright::ast
