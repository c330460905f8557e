// SPDX-License-Identifier: Apache-2.0
// The texts of our printer and of the vendor's disassembler, made comparable: one list of operations each, with values
// numbered in the order in which they come to be, and every attribute in one spelling, the vendor's.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tilewright/base/float16.hpp"

namespace tilewright::test {

struct shown_operation {
  std::string mnemonic;
  std::vector<int> operands;
  std::vector<std::string> results;  // types
  std::vector<std::string> words;    // attributes, sorted
  bool operator==(const shown_operation&) const = default;
};
inline void PrintTo(const shown_operation& shown, std::ostream* out) {
  *out << shown.mnemonic;
  for (const int operand : shown.operands) *out << " %" << operand;
  for (const std::string& word : shown.words) *out << " " << word;
  for (const std::string& type : shown.results) *out << " : " << type;
}

// ---- Pieces of text ------------------------------------------------------------------------------------------------
inline std::vector<std::string> words_of(std::string text, const char* separators = " ,[](){}=") {
  for (char& letter : text) {
    if (std::string_view(separators).find(letter) != std::string_view::npos) letter = ' ';
  }
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// "tile<4xf32>, token" at the commas outside of brackets.
inline std::vector<std::string> types_of(const std::string& text) {
  std::vector<std::string> types(1);
  int depth = 0;
  for (const char letter : text) {
    if (letter == '<' || letter == '[') ++depth;
    if (letter == '>' || letter == ']') --depth;
    if (letter == ',' && depth == 0)
      types.emplace_back();
    else if (depth > 0 || std::string_view(" (){").find(letter) == std::string_view::npos)
      types.back() += letter;
  }
  std::erase(types, "");
  return types;
}

// Cuts `text` from `from` to the bracket that closes the one at or after it; what was cut.
inline std::string cut_bracket(std::string& text, std::size_t from, char open, char close) {
  const std::size_t begin = text.find(open, from);
  std::size_t at = begin;
  for (int depth = 0; at < text.size(); ++at) {
    if (text[at] == open) ++depth;
    if (text[at] == close && --depth == 0) break;
  }
  const std::string inside = text.substr(begin + 1, at - begin - 1);
  text.erase(from, at + 1 - from);
  return inside;
}

// A number as the disassembler writes it, as the digits of its bits.
inline std::string bits_of_number(const std::string& text, const std::string& element) {
  std::uint64_t bits = 0;
  if (text == "true" || text == "false") {
    bits = text == "true" ? 0xff : 0;
  } else if (text.starts_with("0x") || element[0] == 'i') {
    bits = text[0] == '-' ? static_cast<std::uint64_t>(std::strtoll(text.c_str(), nullptr, 0))
                          : std::strtoull(text.c_str(), nullptr, 0);
  } else {
    const double value = std::strtod(text.c_str(), nullptr);
    if (element == "f64") bits = std::bit_cast<std::uint64_t>(value);
    if (element == "f32") bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (element == "tf32") bits = tf32(static_cast<float>(value)).bits >> 13;
    if (element == "f16") bits = f16(static_cast<float>(value)).bits;
    if (element == "bf16") bits = bf16(static_cast<float>(value)).bits;
    if (element == "f8E4M3FN") bits = f8e4m3(static_cast<float>(value)).bits;
    if (element == "f8E5M2") bits = f8e5m2(static_cast<float>(value)).bits;
  }
  const int width = element == "i1" ? 8 : std::atoi(element.c_str() + element.find_first_of("0123456789"));
  if (width < 64) bits &= (std::uint64_t{1} << width) - 1;
  std::ostringstream out;
  out << "0x" << std::hex << bits;
  return out.str();
}

// The bytes of our constants, lowest first, likewise.
inline std::string bits_of_bytes(const std::string& digits) {
  std::string turned;
  for (std::size_t at = digits.size(); at >= 2; at -= 2) turned += digits.substr(at - 2, 2);
  std::ostringstream out;
  out << "0x" << std::hex << std::strtoull(turned.c_str(), nullptr, 16);
  return out.str();
}

// ---- One text ------------------------------------------------------------------------------------------------------
class shown_text {
 public:
  enum class writer { ours, theirs };
  shown_text(const std::string& text, writer from) : from_(from) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t begin = line.find_first_not_of(' ');
      if (begin != std::string::npos) take(line.substr(begin));
    }
  }
  const std::vector<shown_operation>& operations() const { return operations_; }

 private:
  struct open_region {
    std::vector<std::string> results;  // that come to be when it is closed
  };

  void take(std::string line) {
    if (line.starts_with("//")) return;
    if (line.starts_with("kernel @") || line.starts_with("entry @")) return take_kernel(line);
    if (line.starts_with("(%")) return define_arguments(line);
    if (line.starts_with("}")) return close(line);
    take_operation(std::move(line));
  }

  void take_kernel(std::string line) {
    shown_operation made{"kernel", {}, {}, hints(line)};
    define_arguments(line.substr(line.find('(')));
    regions_.push_back({});
    operations_.push_back(std::move(made));
  }

  void define(const std::string& name) { values_[name] = next_++; }
  void define_arguments(const std::string& text) {
    for (const std::string& word : words_of(text, " ,(){:")) {
      if (word[0] == '%') define(word);
    }
  }

  void close(const std::string& line) {
    if (line.find("else") != std::string::npos) return;
    for (const std::string& name : regions_.back().results) define(name);
    regions_.pop_back();
  }

  // "%a, %b = " or "%for:3 = ": the names by which the results are called.
  static std::vector<std::string> take_results(std::string& line) {
    if (line[0] != '%') return {};
    const std::size_t end = line.find(" = ");
    std::vector<std::string> names = words_of(line.substr(0, end), " ,");
    line.erase(0, end + 3);
    const std::size_t colon = names[0].find(':');
    if (colon == std::string::npos) return names;
    const std::string name = names[0].substr(0, colon);
    const int count = std::atoi(names[0].c_str() + colon + 1);
    names.clear();
    for (int n = 0; n < count; ++n) names.push_back(name + "#" + std::to_string(n));
    return names;
  }

  void take_operation(std::string line) {
    const std::vector<std::string> results = take_results(line);
    shown_operation made;
    made.mnemonic = line.substr(0, line.find_first_of(" ("));
    line.erase(0, made.mnemonic.size());
    const bool has_region = line.ends_with("{") || made.mnemonic == "reduce" || made.mnemonic == "scan";
    made.words = hints(line);
    from_ == writer::ours ? take_ours(line, made) : take_theirs(line, made);
    if (made.results.size() == 1) made.results.resize(std::max<std::size_t>(1, results.size()), made.results[0]);
    if (results.empty()) made.results.clear();
    std::sort(made.words.begin(), made.words.end());
    operations_.push_back(std::move(made));
    if (has_region) return regions_.push_back({results});
    for (const std::string& name : results) define(name);
  }

  // ---- Hints: "hints {default = {latency = 6 : i32}}", "optimization_hints=<default = {latency = 6}>"
  std::vector<std::string> hints(std::string& line) const {
    const bool is_ours = from_ == writer::ours;
    const std::size_t at = line.find(is_ours ? " hints {" : " optimization_hints");
    if (at == std::string::npos) return {};
    std::string inside = is_ours ? cut_bracket(line, at, '{', '}') : cut_bracket(line, at, '<', '>');
    for (std::size_t type; (type = inside.find(" : i32")) != std::string::npos;) inside.erase(type, 6);
    for (std::size_t equal; (equal = inside.find(" = ")) != std::string::npos;) inside.replace(equal, 3, "=");
    std::vector<std::string> found;
    for (const std::string& word : words_of(inside, " ,{}")) found.push_back("hint:" + word);
    return found;
  }

  void take_operands(const std::string& text, shown_operation& made, const std::set<std::string>& dropped) {
    for (std::string word : words_of(text)) {
      if (word[0] != '%') {
        if (!dropped.contains(word)) made.words.push_back(word);
        continue;
      }
      const auto found = values_.find(word);
      made.operands.push_back(found == values_.end() ? -1 : found->second);
    }
  }

  // "0xff800000 : f32", "0 : i8", "false"; without a type an f64 or i64.
  static std::string identity_words(const std::string& text) {
    std::string all, item;
    for (std::istringstream items(text); std::getline(items, item, ',');) all += identity_word(item) + " ";
    return all;
  }
  static std::string identity_word(const std::string& text) {
    const std::vector<std::string> words = words_of(text, " :");
    if (words.at(0) == "true" || words[0] == "false") return words[0] == "true" ? "identity:0x1" : "identity:0x0";
    const char* usual = words[0].find('.') == std::string::npos ? "i64" : "f64";
    return "identity:" + bits_of_number(words[0], words.size() > 1 ? words[1] : usual);
  }

  // ---- Ours: mnemonic, attributes, operands, " : ", types of the results, arguments of the region
  void take_ours(std::string& line, shown_operation& made) {
    std::string arguments;
    if (const std::size_t at = line.find(" (%"); at != std::string::npos) {
      arguments = line.substr(at);
      line.erase(at);
    }
    if (made.mnemonic == "reduce" || made.mnemonic == "scan") {
      made.words.push_back(identity_words(cut_bracket(line, line.find('['), '[', ']')));
    }
    if (const std::size_t at = line.find(" : "); at != std::string::npos) {
      made.results = types_of(line.substr(at + 3));
      line.erase(at);
    }
    take_operands(line, made, {"{"});
    rename_words(made);
    if (!arguments.empty()) define_arguments(arguments);
  }

  // What the vendor leaves out as usual.
  static std::string usual_rounding(const std::string& op) {
    if (op == "divi") return "zero";
    if (op == "exp" || op == "tanh") return "full";
    return op == "ftoi" ? "nearest_int_to_zero" : "nearest_even";
  }

  static std::vector<std::string> flag_words(const std::string& op, const std::string& bits) {
    if (op == "ftoi") return {"saturating"};
    if (op == "for") return {"unsigned"};
    if (op == "mmaf") return {"fast_acc"};
    if (op != "maxf" && op != "minf") return {"flush_to_zero"};
    std::vector<std::string> words;
    if (bits != "0x2") words.emplace_back("propagate_nan");
    if (bits != "0x1") words.emplace_back("flush_to_zero");
    return words;
  }

  // One of our words for an attribute in the vendor's spelling.
  static std::string renamed(const std::string& op, const std::string& word, std::size_t& numbers) {
    static const std::set<std::string> roundings = {"nearest_even", "zero", "negative_inf",        "positive_inf",
                                                    "approx",       "full", "nearest_int_to_zero", "nearest_away"};
    if (roundings.contains(word)) return "rounding<" + word + ">";
    if (word == "less_or_equal" || word == "greater_or_equal") {
      return word.substr(0, word.find('_')) + "_than_or_equal";
    }
    if (op == "constant") return bits_of_bytes(word);
    const bool has_axis = op == "reduce" || op == "scan" || op == "cat";
    if (has_axis && !word.starts_with("identity:")) return (numbers++ == 0 ? "dim:" : "reverse:") + word;
    return word;
  }

  static void rename_words(shown_operation& made) {
    const std::string& op = made.mnemonic;
    const bool is_access = op == "load_view_tko" || op == "store_view_tko";
    std::vector<std::string> words;
    std::size_t numbers = 0;
    for (const std::string& word : made.words) {
      if (word == usual_rounding(op) || word == "none" || word == "flags") continue;
      if (is_access && word == "0") continue;  // not in bounds, on an axis
      if (word.starts_with("0x")) {
        for (const std::string& flag : flag_words(op, word)) words.push_back(flag);
      } else {
        words.push_back(renamed(op, word, numbers));
      }
    }
    made.words = std::move(words);
  }

  // ---- Theirs
  void take_theirs(std::string& line, shown_operation& made) {
    const std::string& op = made.mnemonic;
    if (op == "for" || op == "loop") return take_their_loop(line, made);
    if (op == "reduce" || op == "scan") take_their_fold(line, made);
    if (op == "constant") {
      const std::vector<std::string> number = words_of(cut_bracket(line, line.find('<'), '<', '>'), " :");
      made.words.push_back(bits_of_number(number.at(1), number.at(0)));
    }
    std::string types;
    if (const std::size_t at = line.find(" : "); at != std::string::npos) {
      types = line.substr(at + 3);
      line.erase(at);
    } else if (const std::size_t arrow = line.find("-> "); arrow != std::string::npos) {
      types = line.substr(arrow);
      line.erase(arrow);
    }
    const std::size_t arrow = types.find("-> ");
    made.results = types_of(arrow == std::string::npos ? types : types.substr(arrow + 3));
    if (arrow == std::string::npos && made.results.size() > 1) made.results = {made.results.back()};
    if (op == "make_tensor_view") {
      for (const std::string& word : words_of(line)) {
        if (word[0] == '%') made.operands.push_back(values_.contains(word) ? values_[word] : -1);
      }
      return;  // static extents are in the type
    }
    if (op == "cat") line.replace(line.find("dim"), 3, "dim:");
    take_operands(line, made, {"token", "{"});
    join_axis(made);
  }

  static void join_axis(shown_operation& made) {
    if (made.mnemonic != "cat") return;
    const auto at = std::find(made.words.begin(), made.words.end(), "dim:");
    if (at == made.words.end() || at + 1 == made.words.end()) return;
    *at += *(at + 1);
    made.words.erase(at + 1);
  }

  // "%i in (%a to %b, step %c) : type iter_values(%x = %y) -> (types) {", or "iter_values(%x = %y) : types -> types {"
  void take_their_loop(const std::string& line, shown_operation& made) {
    std::vector<std::string> arguments;
    const std::string bounds = made.mnemonic == "loop" ? "" : line.substr(0, line.find(" : "));
    for (const std::string& word : words_of(bounds)) {
      if (word[0] == '%' && arguments.empty())
        arguments.push_back(word);
      else if (word[0] == '%')
        made.operands.push_back(values_.contains(word) ? values_[word] : -1);
      else if (word != "in" && word != "to" && word != "step")
        made.words.push_back(word);
    }
    if (std::size_t at = line.find("iter_values"); at != std::string::npos) {
      std::string rest = line;
      const std::vector<std::string> pairs = words_of(cut_bracket(rest, at, '(', ')'));
      for (std::size_t n = 0; n + 1 < pairs.size(); n += 2) {
        arguments.push_back(pairs[n]);
        made.operands.push_back(values_.contains(pairs[n + 1]) ? values_[pairs[n + 1]] : -1);
      }
      made.results = types_of(line.substr(line.find("-> ") + 3));
    }
    for (const std::string& name : arguments) define(name);
  }

  // "%x dim=1 identities=[0xFF800000 : f32] : type -> type"
  static void take_their_fold(std::string& line, shown_operation& made) {
    const std::size_t at = line.find(" identities=");
    made.words.push_back(identity_words(cut_bracket(line, at, '[', ']')));
    for (const char* name : {"dim=", "reverse="}) {
      if (const std::size_t found = line.find(name); found != std::string::npos) {
        line[found + std::string_view(name).size() - 1] = ':';
      }
    }
  }

  writer from_;
  int next_ = 0;
  std::map<std::string, int> values_;
  std::vector<open_region> regions_;
  std::vector<shown_operation> operations_;
};

inline std::vector<shown_operation> shown_by(shown_text::writer writer, const std::string& text) {
  std::vector<shown_operation> shown = shown_text(text, writer).operations();
  // The disassembler leaves out the end of a block that hands nothing on.
  std::erase_if(shown, [](const shown_operation& each) {
    return (each.mnemonic == "continue" || each.mnemonic == "yield") && each.operands.empty();
  });
  return shown;
}

// Every operation, operand, attribute and type of the results is shown alike.
inline void expect_shown_alike(const std::string& ours, const std::string& theirs) {
  const std::vector<shown_operation> mine = shown_by(shown_text::writer::ours, ours);
  const std::vector<shown_operation> others = shown_by(shown_text::writer::theirs, theirs);
  for (std::size_t n = 0; n < std::min(mine.size(), others.size()); ++n) {
    ASSERT_EQ(mine[n], others[n]) << "operation " << n << " of\n" << ours << theirs;
  }
  EXPECT_EQ(mine.size(), others.size()) << ours << theirs;
}

}  // namespace tilewright::test
