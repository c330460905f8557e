// SPDX-License-Identifier: Apache-2.0
// Expressions over Dims as text, such as `2*BM+ceil_div(BN,4)`. One parser reads them: with numbers it gives their
// value (at bind), with sums of products their canonical text, by which two expressions are compared.
#pragma once

namespace tilewright::diagnostics {

// Not constexpr and without a body: that constant evaluation reaches one is the message.
void error_dim_expression_has_over_31_characters_or_8_terms();
void error_dim_expression_has_a_number_that_is_too_large();
void error_dim_is_divided_by_a_number_under_1(long long divisor);
void error_number_is_no_multiple_of_its_divisor(long long number, long long divisor);

}  // namespace tilewright::diagnostics

namespace tilewright::dim_expressions {

inline constexpr int dim_name_capacity = 32;  // one character is the final zero

constexpr bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
constexpr bool is_name_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' || is_digit(letter);
}
constexpr int name_length(const char* text) {
  int length = 0;
  while (is_name_letter(text[length])) ++length;
  return is_digit(text[0]) ? 0 : length;
}
constexpr bool is_name(const char* text) { return text[name_length(text)] == 0 && text[0] != 0; }

// The next Dim that an expression names, or its final zero. What stands before a bracket is a function.
constexpr const char* next_dim(const char* text) {
  while (*text != 0) {
    const int length = name_length(text);
    if (length > 0 && text[length] != '(') break;
    text += length > 0 ? length : 1;
  }
  return text;
}

// By letters; of texts that begin alike the shorter one first.
constexpr int compare(const char* a, int a_size, const char* b, int b_size) {
  for (int i = 0; i < a_size && i < b_size; ++i) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return a_size - b_size;
}

// ---- Reading -------------------------------------------------------------------------------------------------------
// sum: [-] term {+ term | - term}    term: factor {* factor | / factor}
// factor: number | name | (sum) | ceil_div(sum,sum)
// Algebra: value; number, name, add, subtract, multiply, divide, ceil_div give values; refuse() is told of other text.
template <class Algebra>
class dim_reader {
 public:
  using value = typename Algebra::value;
  constexpr dim_reader(const char* text, Algebra& algebra) : next_(text), algebra_(algebra) {}

  constexpr value read() {
    const value all = sum();
    if (*next_ != 0) refuse();
    return all;
  }

 private:
  constexpr value sum() {
    const bool is_negative = take('-');
    value total = term();
    if (is_negative) total = algebra_.subtract(algebra_.number(0), total);
    while (true) {
      if (take('+')) {
        total = algebra_.add(total, term());
      } else if (take('-')) {
        total = algebra_.subtract(total, term());
      } else {
        return total;
      }
    }
  }

  constexpr value term() {
    value product = factor();
    while (true) {
      if (take('*')) {
        product = algebra_.multiply(product, factor());
      } else if (take('/')) {
        product = algebra_.divide(product, factor());
      } else {
        return product;
      }
    }
  }

  constexpr value factor() {
    if (is_digit(*next_)) return number();
    if (take('(')) {
      const value inner = sum();
      expect(')');
      return inner;
    }
    const char* const name = next_;
    const int length = name_length(name);
    if (length == 0) return refuse();
    next_ += length;
    if (!take('(')) return algebra_.name(name, length);
    if (compare(name, length, "ceil_div", 8) != 0) return refuse();
    const value dividend = sum();
    expect(',');
    const value divisor = sum();
    expect(')');
    return algebra_.ceil_div(dividend, divisor);
  }

  constexpr value number() {
    long long read = 0;
    for (; is_digit(*next_); ++next_) {
      const bool is_too_large = __builtin_mul_overflow(read, 10LL, &read) ||
                                __builtin_add_overflow(read, static_cast<long long>(*next_ - '0'), &read);
      if (is_too_large) return refuse();
    }
    return algebra_.number(read);
  }

  constexpr bool take(char wanted) {
    if (*next_ != wanted) return false;
    ++next_;
    return true;
  }
  constexpr void expect(char wanted) {
    if (!take(wanted)) refuse();
  }
  constexpr value refuse() {
    algebra_.refuse();
    next_ += __builtin_strlen(next_);
    return algebra_.number(1);
  }

  const char* next_;
  Algebra& algebra_;
};

// ---- Canonical form ------------------------------------------------------------------------------------------------
struct dim_text {
  static constexpr int capacity = 48;  // some more than a name has, for what is put together and cancels
  char letters[capacity] = {};
  int size = 0;

  constexpr void add(char letter) {
    if (size + 1 == capacity) diagnostics::error_dim_expression_has_over_31_characters_or_8_terms();
    letters[size++] = letter;
  }
  constexpr void add(const char* text, int length) {
    for (int i = 0; i < length; ++i) add(text[i]);
  }
  constexpr void add(const dim_text& other) { add(other.letters, other.size); }
  constexpr void add_number(long long number) {
    if (number >= 10) add_number(number / 10);
    add(static_cast<char>('0' + number % 10));
  }
};

// Products are texts: factors in order with `*` between them, "" for none. A factor is a name, ceil_div(...) or a
// division in brackets.
constexpr int factor_end(const dim_text& product, int from) {
  int depth = 0;
  for (; from < product.size; ++from) {
    const char letter = product.letters[from];
    if (letter == '*' && depth == 0) break;
    depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
  }
  return from;
}
struct factor_cursor {
  const dim_text& product;
  int from = 0;
  int end = factor_end(product, 0);

  constexpr bool is_at_end() const { return from >= product.size; }
  constexpr int compare_with(const factor_cursor& other) const {
    return compare(product.letters + from, end - from, other.product.letters + other.from, other.end - other.from);
  }
  constexpr void move_to(dim_text& result) {
    if (result.size > 0) result.add('*');
    result.add(product.letters + from, end - from);
    skip();
  }
  constexpr void skip() {
    from = end + 1;
    end = factor_end(product, from);
  }
};

constexpr dim_text product_of(const dim_text& a, const dim_text& b) {
  dim_text result;
  factor_cursor left{a}, right{b};
  while (!left.is_at_end() || !right.is_at_end()) {
    const bool is_left = right.is_at_end() || (!left.is_at_end() && left.compare_with(right) <= 0);
    (is_left ? left : right).move_to(result);
  }
  return result;
}
// Whether `divisor` is part of `product`; then `rest` is what remains of it.
constexpr bool take_factors(const dim_text& product, const dim_text& divisor, dim_text& rest) {
  factor_cursor left{product}, right{divisor};
  while (!left.is_at_end()) {
    if (!right.is_at_end() && left.compare_with(right) == 0) {
      left.skip();
      right.skip();
    } else {
      left.move_to(rest);
    }
  }
  return right.is_at_end();
}

struct dim_term {
  long long number = 0;
  dim_text product;

  constexpr bool is_one_division() const {
    return number == 1 && product.letters[0] == '(' && factor_end(product, 0) == product.size;
  }
  // Whether it can stand behind a `/` without brackets.
  constexpr bool is_one_factor() const {
    if (product.size == 0) return number >= 0;
    return number == 1 && product.letters[0] != '(' && factor_end(product, 0) == product.size;
  }
};

// Terms in order of their products, none twice, none 0; a number comes last.
struct dim_sum {
  static constexpr int most_terms = 8;
  dim_term terms[most_terms] = {};
  int count = 0;

  constexpr bool is_number() const { return count == 0 || (count == 1 && terms[0].product.size == 0); }
  constexpr long long number() const { return count == 0 ? 0 : terms[0].number; }

  constexpr void add(long long number, const dim_text& product) {
    int place = 0;
    while (place < count && is_before(terms[place].product, product)) ++place;
    if (place < count &&
        compare(terms[place].product.letters, terms[place].product.size, product.letters, product.size) == 0) {
      number = sum_of(terms[place].number, number);
      remove(place);
    }
    if (number != 0) insert(place, number, product);
  }

  static constexpr long long sum_of(long long a, long long b) {
    if (__builtin_add_overflow(a, b, &a)) diagnostics::error_dim_expression_has_a_number_that_is_too_large();
    return a;
  }
  static constexpr long long product_of(long long a, long long b) {
    if (__builtin_mul_overflow(a, b, &a)) diagnostics::error_dim_expression_has_a_number_that_is_too_large();
    return a;
  }

 private:
  static constexpr bool is_before(const dim_text& a, const dim_text& b) {
    if (a.size == 0 || b.size == 0) return a.size != 0;
    return compare(a.letters, a.size, b.letters, b.size) < 0;
  }
  constexpr void remove(int place) {
    --count;
    for (int i = place; i < count; ++i) terms[i] = terms[i + 1];
  }
  constexpr void insert(int place, long long number, const dim_text& product) {
    if (count == most_terms) diagnostics::error_dim_expression_has_over_31_characters_or_8_terms();
    for (int i = count++; i > place; --i) terms[i] = terms[i - 1];
    terms[place] = {number, product};
  }
};

constexpr void write_term(dim_text& text, long long number, const dim_term& term) {
  if (term.product.size == 0) return text.add_number(number);
  if (number == 1 && dim_term{1, term.product}.is_one_division()) {
    return text.add(term.product.letters + 1, term.product.size - 2);
  }
  if (number != 1) {
    text.add_number(number);
    text.add('*');
  }
  text.add(term.product);
}
// What is added comes before what is subtracted: 8-BM.
constexpr dim_text to_text(const dim_sum& sum) {
  dim_text text;
  for (int i = 0; i < sum.count; ++i) {
    if (sum.terms[i].number < 0) continue;
    if (text.size > 0) text.add('+');
    write_term(text, sum.terms[i].number, sum.terms[i]);
  }
  for (int i = 0; i < sum.count; ++i) {
    if (sum.terms[i].number >= 0) continue;
    text.add('-');
    write_term(text, dim_sum::product_of(sum.terms[i].number, -1), sum.terms[i]);
  }
  if (text.size == 0) text.add('0');
  return text;
}

// The algebra of canonical forms. It simplifies only where that is right for every value: of 2 * (BM / 2) the division
// remains. Terms that cancel take their divisions with them, and what those would have refused.
struct dim_sums {
  using value = dim_sum;

  static constexpr dim_sum number(long long number) {
    dim_sum made;
    made.add(number, {});
    return made;
  }
  static constexpr dim_sum name(const char* text, int length) {
    dim_sum made;
    dim_text name;
    name.add(text, length);
    made.add(1, name);
    return made;
  }
  static constexpr dim_sum add(dim_sum a, const dim_sum& b) {
    for (int i = 0; i < b.count; ++i) a.add(b.terms[i].number, b.terms[i].product);
    return a;
  }
  static constexpr dim_sum subtract(const dim_sum& a, const dim_sum& b) { return add(a, multiply(number(-1), b)); }
  static constexpr dim_sum multiply(const dim_sum& a, const dim_sum& b) {
    dim_sum made;
    for (int i = 0; i < a.count; ++i) {
      for (int j = 0; j < b.count; ++j) {
        made.add(dim_sum::product_of(a.terms[i].number, b.terms[j].number),
                 product_of(a.terms[i].product, b.terms[j].product));
      }
    }
    return made;
  }
  static constexpr dim_sum divide(const dim_sum& a, const dim_sum& b) { return quotient(a, b, false); }
  static constexpr dim_sum ceil_div(const dim_sum& a, const dim_sum& b) { return quotient(a, b, true); }
  static void refuse();  // without a body, as above: the text of a Dim is always one of ours

 private:
  static constexpr long long common_divisor(long long a, long long b) {
    while (b != 0) {
      const long long rest = a % b;
      a = b;
      b = rest;
    }
    return a < 0 ? -a : a;
  }

  static constexpr dim_sum quotient(dim_sum a, dim_sum b, bool rounds_up) {
    if (b.is_number() && b.number() < 1) diagnostics::error_dim_is_divided_by_a_number_under_1(b.number());
    reduce(a, b);
    dim_sum exact;
    if (divides(a, b, exact)) return exact;
    if (a.is_number() && b.is_number()) {
      if (!rounds_up) diagnostics::error_number_is_no_multiple_of_its_divisor(a.number(), b.number());
      return number(a.number() / b.number() + (a.number() > 0 ? 1 : 0));  // there is a rest: `exact` failed
    }
    dim_text made = rounds_up ? rounded_up(a, b) : division(a, b);
    dim_sum result;
    result.add(1, made);
    return result;
  }

  // (2 * BM) / 4 is BM / 2.
  static constexpr void reduce(dim_sum& a, dim_sum& b) {
    long long common = 0;
    for (int i = 0; i < a.count; ++i) common = common_divisor(common, a.terms[i].number);
    for (int i = 0; i < b.count; ++i) common = common_divisor(common, b.terms[i].number);
    if (common <= 1) return;
    for (int i = 0; i < a.count; ++i) a.terms[i].number /= common;
    for (int i = 0; i < b.count; ++i) b.terms[i].number /= common;
  }

  // Whether one product divides each term.
  static constexpr bool divides(const dim_sum& a, const dim_sum& b, dim_sum& exact) {
    if (b.count != 1) return false;
    const dim_term& divisor = b.terms[0];
    for (int i = 0; i < a.count; ++i) {
      dim_text rest;
      const bool whole = a.terms[i].number % divisor.number == 0;
      if (!whole || !take_factors(a.terms[i].product, divisor.product, rest)) return false;
      exact.add(a.terms[i].number / divisor.number, rest);
    }
    return true;
  }

  static constexpr void write_in_brackets(dim_text& text, const dim_sum& sum, bool with_brackets) {
    if (with_brackets) text.add('(');
    text.add(to_text(sum));
    if (with_brackets) text.add(')');
  }
  static constexpr dim_text division(const dim_sum& a, const dim_sum& b) {
    dim_text made;
    made.add('(');
    write_in_brackets(made, a, a.count > 1 || a.number() < 0 || a.terms[0].is_one_division());
    made.add('/');
    write_in_brackets(made, b, b.count > 1 || !b.terms[0].is_one_factor());
    made.add(')');
    return made;
  }
  static constexpr dim_text rounded_up(const dim_sum& a, const dim_sum& b) {
    dim_text made;
    made.add("ceil_div(", 9);
    made.add(to_text(a));
    made.add(',');
    made.add(to_text(b));
    made.add(')');
    return made;
  }
};

}  // namespace tilewright::dim_expressions
