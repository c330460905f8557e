// SPDX-License-Identifier: Apache-2.0
#include "compiler/bind/dim_values.hpp"

#include <algorithm>

#include "compiler/bind/dim_expression.hpp"
#include "compiler/record_cursor.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

// Where a Dim's value came from; put into words only for an error.
struct value_source {
  enum class kind { none, piece, extent, with, defaults, expression } from = kind::none;
  int parameter = 0, axis = 0;
};

std::string describe(const value_source& source) {
  const std::string place = "axis " + std::to_string(source.axis) + " of parameter " + std::to_string(source.parameter);
  switch (source.from) {
    case value_source::kind::none:
      return "nothing";
    case value_source::kind::piece:
      return "the piece on " + place;
    case value_source::kind::extent:
      return "the extent of " + place;
    case value_source::kind::with:
      return ".with(...)";
    case value_source::kind::defaults:
      return ".defaults(...)";
    case value_source::kind::expression:
      return "its dims";
  }
  return {};
}

std::string kernel_text(const ast::module_view& module) { return std::string("kernel '") + module.name + "'"; }

class dim_solver {
 public:
  dim_solver(const ast::module_view& module)
      : module_(module),
        values_(static_cast<std::size_t>(module.symbol_count), 0),
        sources_(static_cast<std::size_t>(module.symbol_count)) {}

  void bind_extent(std::int32_t stated, index_t actual, const value_source& source) {
    if (stated == ast::dynamic_extent) return;
    if (!ast::is_symbol(stated)) {
      if (stated != actual) refuse_extent(std::to_string(stated), actual, source);
      return;
    }
    const auto symbol = static_cast<std::size_t>(ast::symbol_of(stated));
    if (is_expression(module_.symbols[symbol])) {
      compared_.push_back({symbol, actual, source});  // gives no Dim a value
    } else {
      bind(symbol, actual, source);
    }
  }

  void bind_named(const std::vector<named_extent>& given, value_source::kind from) {
    for (std::size_t i = 0; i < given.size(); ++i) {
      const std::size_t symbol = find(given[i].name);
      const bool is_overridden = std::any_of(given.begin() + static_cast<std::ptrdiff_t>(i) + 1, given.end(),
                                             [&](const named_extent& later) { return later.name == given[i].name; });
      if (is_overridden) continue;
      const bool is_bound = sources_[symbol].from != value_source::kind::none;
      if (from == value_source::kind::defaults && is_bound) continue;
      bind(symbol, given[i].value, {.from = from});
    }
  }

  void require_all_bound() const {
    for (std::size_t symbol = 0; symbol < values_.size(); ++symbol) {
      if (sources_[symbol].from != value_source::kind::none || is_expression(module_.symbols[symbol])) continue;
      const std::string name = module_.symbols[symbol].name;
      throw usage_error({.what = "dim '" + name + "' has no value",
                         .where = kernel_text(module_),
                         .expected = "a value from a piece, a named extent, .with(...) or .defaults(...)",
                         .got = expression_with(name),
                         .fix = "give it one: .with(" + name + " = 64)"});
    }
  }

  // Symbols that are expressions come after those they name.
  void evaluate_expressions() {
    for (std::size_t symbol = 0; symbol < values_.size(); ++symbol) {
      if (!is_expression(module_.symbols[symbol])) continue;
      values_[symbol] = value_of_expression(module_, symbol, values_);
      sources_[symbol] = {.from = value_source::kind::expression};
    }
    for (const compared_extent& each : compared_) {
      if (values_[each.symbol] == each.actual) continue;
      refuse_extent(std::to_string(values_[each.symbol]) + ", which is " + module_.symbols[each.symbol].name +
                        " with " + dims_text(module_, each.symbol, values_),
                    each.actual, each.source);
    }
  }

  // A Dim that some tile uses as an extent must be an extent of a tile.
  void require_tile_extent(std::int32_t extent) const {
    if (!ast::is_symbol(extent)) return;
    const auto symbol = static_cast<std::size_t>(ast::symbol_of(extent));
    if (values_[symbol] >= 1 && values_[symbol] <= INT32_MAX) return;
    const bool is_of_dims = sources_[symbol].from == value_source::kind::expression;
    throw usage_error(
        {.what = "dim '" + std::string(module_.symbols[symbol].name) + "' is no extent of a tile",
         .where = kernel_text(module_),
         .expected = "1 to 2147483647",
         .got = std::to_string(values_[symbol]) +
                (is_of_dims ? " with " + dims_text(module_, symbol, values_) : " from " + describe(sources_[symbol])),
         .fix = "a tile has at least one element on each axis"});
  }

  std::vector<index_t> take() { return std::move(values_); }

 private:
  std::size_t find(const std::string& name) const {
    for (int symbol = 0; symbol < module_.symbol_count; ++symbol) {
      const bool is_given = name == module_.symbols[symbol].name && !is_expression(module_.symbols[symbol]);
      if (is_given) return static_cast<std::size_t>(symbol);
    }
    throw usage_error({.what = "the kernel has no dim '" + name + "'",
                       .where = kernel_text(module_),
                       .expected = known_names(),
                       .got = "'" + name + "'",
                       .fix = "name a dim that the kernel uses"});
  }

  std::string known_names() const {
    std::string names = module_.symbol_count == 0 ? "no dims" : "one of";
    for (int symbol = 0; symbol < module_.symbol_count; ++symbol) {
      if (is_expression(module_.symbols[symbol])) continue;
      names += (symbol == 0 ? " " : ", ");
      names += module_.symbols[symbol].name;
    }
    return names;
  }

  void bind(std::size_t symbol, index_t value, const value_source& source) {
    if (sources_[symbol].from == value_source::kind::none) {
      values_[symbol] = value;
      sources_[symbol] = source;
      return;
    }
    if (values_[symbol] == value) return;
    throw usage_error({.what = "two values for dim '" + std::string(module_.symbols[symbol].name) + "'",
                       .where = kernel_text(module_),
                       .expected = std::to_string(values_[symbol]) + " from " + describe(sources_[symbol]),
                       .got = std::to_string(value) + " from " + describe(source),
                       .fix = "give the dim one value only"});
  }

  // What says that a Dim has no value although an expression names it, if one does.
  std::string expression_with(const std::string& dim) const {
    for (std::size_t symbol = 0; symbol < values_.size(); ++symbol) {
      const ast::symbol& each = module_.symbols[symbol];
      if (is_expression(each) && names_dim(each, dim)) {
        return std::string("only '") + each.name + "', and an expression gives its dims no value";
      }
    }
    return {};
  }

  void refuse_extent(const std::string& stated, index_t actual, const value_source& source) const {
    const bool is_piece = source.from == value_source::kind::piece;
    throw usage_error({.what = is_piece ? "a piece's extent differs from the kernel's"
                                        : "an extent differs from the "
                                          "kernel's",
                       .where = describe_parameter(module_, source.parameter) + ", axis " + std::to_string(source.axis),
                       .expected = stated,
                       .got = std::to_string(actual),
                       .fix = is_piece ? "partition the tensor into pieces of the stated extents"
                                       : "give a tensor of the stated extents"});
  }

  // An extent of an argument that must be the value of an expression.
  struct compared_extent {
    std::size_t symbol;
    index_t actual;
    value_source source;
  };

  const ast::module_view& module_;
  std::vector<compared_extent> compared_;
  std::vector<index_t> values_;
  std::vector<value_source> sources_;
};

// An axis that the kernel stores tile by tile, or combines into at any element, is whole. Of an Accum, t.all() says so.
void require_whole_axis(const ast::module_view& module, int parameter, int axis, const argument& given) {
  const bool is_accum = module.parameters[parameter].kind == parameter_kind::accum;
  const bool is_wanted = type_of_parameter(module, parameter).extents[axis] == ast::dynamic_extent;
  const index_t piece = given.piece[static_cast<std::size_t>(axis)];
  const index_t all = std::max<index_t>(given.extents[static_cast<std::size_t>(axis)], 1);
  if (is_wanted == (piece == whole_axis) || (is_wanted && is_accum && piece == all)) return;
  throw usage_error({.what = is_wanted ? "a piece is cut on an axis that the kernel stores whole"
                                       : "a whole axis for a piece that the kernel stores as one tile",
                     .where = describe_parameter(module, parameter) + ", axis " + std::to_string(axis),
                     .expected = is_wanted ? "whole_axis" : "the extent of a tile",
                     .got = is_wanted ? std::to_string(piece) : "whole_axis",
                     .fix = is_accum && is_wanted ? "give the whole tensor: t.all(shared_by(8))"
                            : is_wanted           ? "give whole_axis there: t.partition({64, whole_axis})"
                            : is_accum
                                ? "give the extent of a piece there"
                                : "give the extent of a piece there, or declare the axis dyn: Out<f32, BM, dyn>"});
}

void bind_pieces(const ast::module_view& module, const std::vector<argument>& arguments, dim_solver& solver) {
  for (int p = 0; p < module.parameter_count; ++p) {
    if (!is_output(module.parameters[p].kind)) continue;
    const ast::tile_type& type = type_of_parameter(module, p);
    for (int axis = 0; axis < type.rank; ++axis) {
      const index_t piece = arguments[static_cast<std::size_t>(p)].piece[static_cast<std::size_t>(axis)];
      if (type.extents[axis] == ast::dynamic_extent || piece == whole_axis) {
        require_whole_axis(module, p, axis, arguments[static_cast<std::size_t>(p)]);
        continue;
      }
      if (piece < 1 || piece > INT32_MAX) {
        throw usage_error({.what = "a piece has no elements",
                           .where = describe_parameter(module, p) + ", axis " + std::to_string(axis),
                           .expected = "an extent from 1 to 2147483647",
                           .got = std::to_string(piece),
                           .fix = "partition the tensor: t.partition({64, 64})"});
      }
      solver.bind_extent(type.extents[axis], piece, {.from = value_source::kind::piece, .parameter = p, .axis = axis});
    }
  }
}

void bind_inputs(const ast::module_view& module, const std::vector<argument>& arguments, dim_solver& solver) {
  for (int p = 0; p < module.parameter_count; ++p) {
    if (module.parameters[p].kind != parameter_kind::in) continue;
    const ast::tile_type& type = type_of_parameter(module, p);
    for (int axis = 0; axis < type.rank; ++axis) {
      solver.bind_extent(type.extents[axis],
                         arguments[static_cast<std::size_t>(p)].extents[static_cast<std::size_t>(axis)],
                         {.from = value_source::kind::extent, .parameter = p, .axis = axis});
    }
  }
}

void require_tile_extents(const ast::module_view& module, const dim_solver& solver) {
  record_cursor cursor(module);
  record next;
  while (cursor.next(next)) {
    if (next.op == ast::op::tiles) solver.require_tile_extent(next.attributes[2]);
    if (next.type == ast::no_type) continue;
    const ast::tile_type& type = module.types[next.type];
    for (int axis = 0; axis < type.rank; ++axis) {
      solver.require_tile_extent(type.extents[axis]);
      const auto stride = 2 + static_cast<std::size_t>(axis);
      if (next.op == ast::op::load_window) solver.require_tile_extent(next.attributes[stride]);
    }
  }
}

}  // namespace

std::string describe_parameter(const ast::module_view& module, int parameter) {
  return kernel_text(module) + ", parameter " + std::to_string(parameter) + " (" +
         parameter_kind_name(module.parameters[parameter].kind) + ")";
}

std::vector<index_t> dim_values(const ast::module_view& module, const std::vector<argument>& arguments,
                                const std::vector<named_extent>& with, const std::vector<named_extent>& defaults) {
  dim_solver solver(module);
  bind_pieces(module, arguments, solver);
  bind_inputs(module, arguments, solver);
  solver.bind_named(with, value_source::kind::with);
  solver.bind_named(defaults, value_source::kind::defaults);
  solver.require_all_bound();
  solver.evaluate_expressions();
  require_tile_extents(module, solver);
  return solver.take();
}

}  // namespace tilewright::compiler
