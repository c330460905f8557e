// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/read_tables.hpp"

#include <algorithm>
#include <bit>

#include "compiler/tileir/sections.hpp"

namespace tilewright::compiler::tileir {
namespace {

constexpr std::int64_t greatest_tile = std::int64_t{1} << 24;
constexpr int greatest_depth = 16;

bool is_power_of_two(std::int64_t number) {
  return number > 0 && std::has_single_bit(static_cast<std::uint64_t>(number));
}

bool is_known(std::uint64_t tag, int minor) {
  if (tag == static_cast<unsigned>(type_tag::f8e5m3fnu)) return minor >= 4;
  if (tag == static_cast<unsigned>(type_tag::f8e8m0fnu)) return minor >= 2;
  return tag <= (minor >= 3 ? static_cast<unsigned>(type_tag::i4) : static_cast<unsigned>(type_tag::token));
}

// ---- One type ------------------------------------------------------------------------------------------------------
class type_reader {
 public:
  type_reader(byte_source source, int minor, std::size_t types) : in_(source), minor_(minor), types_(types) {}

  type run() {
    const std::uint64_t tag = in_.varint();
    in_.require(is_known(tag, minor_), "no such type in this version");
    made_.tag = static_cast<type_tag>(tag);
    payload();
    in_.require_end("a type");
    return std::move(made_);
  }

 private:
  void payload() {
    switch (made_.tag) {
      case type_tag::pointer:
        return pointer();
      case type_tag::tile:
        made_.element = in_.id(types_, "type");
        made_.shape = in_.list<std::int64_t>(8, "extents");
        return tile_shape();
      case type_tag::tensor_view:
        return tensor_view();
      case type_tag::partition_view:
      case type_tag::gather_scatter_view:
      case type_tag::strided_view:
        return view();
      case type_tag::function:
        made_.parameters = ids();
        made_.results = ids();
        return;
      default:
        return;
    }
  }

  bool has_memory() { return minor_ >= 4 && in_.below(2, "flag of a type") != 0; }

  void pointer() {
    const bool has = has_memory();
    made_.element = in_.id(types_, "type");
    if (has) memory();
  }

  void memory() {
    made_.memory = in_.byte();
    in_.require(*made_.memory <= (minor_ >= 5 ? 2 : 0), "no such memory attribute in this version");
  }

  void tile_shape() const {
    std::int64_t elements = 1;
    for (const std::int64_t extent : made_.shape) {
      in_.require(is_power_of_two(extent) && extent <= greatest_tile, "a tile's extent is not a power of two");
      elements *= extent;
      in_.require(elements <= greatest_tile, "a tile has more than 2^24 elements");
    }
  }

  void tensor_view() {
    const bool has = has_memory();
    made_.element = in_.id(types_, "type");
    made_.shape = in_.list<std::int64_t>(8, "extents");
    made_.strides = in_.list<std::int64_t>(8, "strides");
    in_.require(made_.shape.size() == made_.strides.size(), "a view has other strides than extents");
    const auto is_extent = [](std::int64_t number) { return number == dynamic || number > 0; };
    in_.require(std::all_of(made_.shape.begin(), made_.shape.end(), is_extent), "a view's extent is not positive");
    in_.require(std::all_of(made_.strides.begin(), made_.strides.end(), is_extent), "a view's stride is not positive");
    if (has) memory();
  }

  void view() {
    const bool is_old = minor_ < 3;
    bool has_pad = !is_old && in_.below(2, "flag of a view") != 0;
    made_.shape = in_.list<std::int64_t>(4, "extents");
    in_.require(!made_.shape.empty(), "a view has no axis");
    tile_shape();
    if (made_.tag == type_tag::strided_view) made_.strides = in_.list<std::int64_t>(4, "strides");
    const auto is_positive = [](std::int64_t stride) { return stride > 0; };
    in_.require(std::all_of(made_.strides.begin(), made_.strides.end(), is_positive), "a step is not positive");
    made_.element = in_.id(types_, "type");
    if (made_.tag == type_tag::gather_scatter_view)
      made_.sparse_axis = in_.id(made_.shape.size(), "axis");
    else
      axes();
    if (is_old) has_pad = in_.byte() != 0;
    if (!has_pad) return;
    const std::uint8_t pad = in_.byte();
    in_.require(pad <= static_cast<int>(padding::negative_infinity), "no such padding");
    made_.pad = static_cast<padding>(pad);
  }

  void axes() {
    made_.axes = in_.list<std::int32_t>(4, "axes");
    std::vector<std::int32_t> sorted = made_.axes;
    std::sort(sorted.begin(), sorted.end());
    in_.require(sorted.size() == made_.shape.size(), "a view has other axes than extents");
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      in_.require(sorted[i] == static_cast<std::int32_t>(i), "a view's axes are no permutation");
    }
  }

  std::vector<type_id> ids() {
    std::vector<type_id> all(in_.count(1, "types"));
    for (type_id& id : all) id = in_.id(types_, "type");
    return all;
  }

  byte_source in_;
  int minor_;
  std::size_t types_;
  type made_;
};

// What a type may be made of. As no kind leads back to itself, types cannot be circular either.
bool is_well_made(const type& t, const std::vector<type>& types) {
  const type_tag element = types[t.element].tag;
  switch (t.tag) {
    case type_tag::pointer:
    case type_tag::tensor_view:
      return is_number(element) && element != type_tag::i4;
    case type_tag::tile:
      return is_number(element) || element == type_tag::pointer;
    case type_tag::partition_view:
    case type_tag::gather_scatter_view:
    case type_tag::strided_view:
      return element == type_tag::tensor_view && types[t.element].shape.size() == t.shape.size() &&
             (t.tag != type_tag::strided_view || t.strides.size() == t.shape.size());
    case type_tag::function:
      return t.results.empty() && std::all_of(t.parameters.begin(), t.parameters.end(), [&](type_id id) {
               return types[id].tag == type_tag::tile && types[id].shape.empty();
             });
    default:
      return true;
  }
}

}  // namespace

void read_types(byte_source section, bytecode& into) {
  const std::vector<byte_source> items = section.table(4, "types");
  for (const byte_source& item : items) into.types.push_back(type_reader(item, into.minor, items.size()).run());
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].require(is_well_made(into.types[i], into.types), "a type is made of types that it cannot be made of");
  }
}

void read_strings(byte_source section, bytecode& into) {
  for (byte_source& item : section.table(4, "strings")) {
    std::string text;
    while (!item.at_end()) text.push_back(static_cast<char>(item.byte()));
    into.strings.push_back(std::move(text));
  }
}

void read_constants(byte_source section, bytecode& into) {
  for (byte_source& item : section.table(8, "constants")) {
    byte_source bytes = item.part(item.varint());
    item.require_end("a constant");
    std::string text;
    while (!bytes.at_end()) text.push_back(static_cast<char>(bytes.byte()));
    into.constants.push_back(std::move(text));
  }
}

void read_debug_attributes(byte_source& section, bytecode& into) {
  const std::vector<byte_source> items = section.table(4, "debug attributes");
  for (byte_source item : items) {
    debug_attribute made;
    const std::uint64_t tag = item.varint();
    const char* fields = debug_fields(tag);
    item.require(fields != nullptr, "no such debug attribute");
    made.tag = static_cast<std::uint8_t>(tag);
    for (; *fields != 0; ++fields) {
      std::uint64_t limit = std::uint64_t{1} << 32;
      if (*fields == 's') limit = into.strings.size();
      if (*fields == 'd') limit = items.size() + 1;
      made.fields.push_back(item.below(limit, "entry of a debug attribute"));
    }
    if (tag == debug_subprogram && into.minor >= 5) item.varint();
    item.require_end("a debug attribute");
    into.debug.push_back(std::move(made));
  }
}

// ---- Attributes with a tag -----------------------------------------------------------------------------------------
namespace {

void read_optional_pair(byte_source& source, attribute& made) {
  const std::uint8_t flags = source.byte();
  source.require(flags < 4, "no such flag of an assumption");
  if ((flags & 1) != 0) made.first = source.svarint();
  if ((flags & 2) != 0) made.second = source.svarint();
}

void read_nested(byte_source& source, const bytecode& from, attribute& made, int depth) {
  source.require(depth < greatest_depth, "attributes are nested too deeply");
  for (std::size_t left = source.count(2, "attributes"); left > 0; --left) {
    if (made.tag != attribute_tag::array) {
      made.keys.push_back(source.id(from.strings.size(), "string"));
      source.require(std::count(made.keys.begin(), made.keys.end(), made.keys.back()) == 1, "a key stands twice");
    }
    made.items.push_back(read_tagged(source, from, depth + 1));
  }
}

}  // namespace

attribute read_tagged(byte_source& source, const bytecode& from, int depth) {
  const std::uint64_t tag = source.varint();
  source.require(tag >= 1 && tag <= static_cast<unsigned>(attribute_tag::bounded), "no such attribute");
  return read_payload(source, from, static_cast<attribute_tag>(tag), depth);
}

attribute read_payload(byte_source& source, const bytecode& from, attribute_tag tag, int depth) {
  attribute made;
  made.tag = tag;
  switch (tag) {
    case attribute_tag::integer:
      made.of_type = source.id(from.types.size(), "type");
      made.word = source.varint();
      break;
    case attribute_tag::floating:
      made.of_type = source.id(from.types.size(), "type");
      source.require(is_number(from.types[made.of_type].tag), "a number attribute is of no number type");
      made.word = source.bit_pattern(bits_of(from.types[made.of_type].tag));
      break;
    case attribute_tag::boolean:
      made.word = source.byte();
      source.require(made.word < 2, "a bool is neither 0 nor 1");
      break;
    case attribute_tag::type:
      made.of_type = source.id(from.types.size(), "type");
      break;
    case attribute_tag::string:
      made.word = source.id(from.strings.size(), "string");
      break;
    case attribute_tag::dense:
      made.of_type = source.id(from.types.size(), "type");
      made.word = source.id(from.constants.size(), "constant");
      break;
    case attribute_tag::divisible:
      made.word = source.varint();
      source.require(std::has_single_bit(made.word) && made.word <= std::uint64_t{1} << 62,
                     "a divisor is no power of two");
      read_optional_pair(source, made);
      break;
    case attribute_tag::bounded:
      read_optional_pair(source, made);
      source.require(!made.first || !made.second || *made.first <= *made.second, "bounds exclude each other");
      break;
    case attribute_tag::same_elements:
      made.groups = source.list<std::int64_t>(8, "groups");
      break;
    case attribute_tag::array:
    case attribute_tag::dictionary:
    case attribute_tag::hints:
      read_nested(source, from, made, depth);
      break;
  }
  return made;
}

}  // namespace tilewright::compiler::tileir
