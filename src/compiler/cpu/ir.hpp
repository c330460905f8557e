// SPDX-License-Identifier: Apache-2.0
// A thin builder over LLVM IR, so that LLVM's headers stay in ir.cpp and jit.cpp. One `module_builder` makes one module
// with one function, the image's `run`. Vectors have a fixed number of lanes; a type of 1 lane is a scalar.
// No floating-point operation has fast-math flags: what is written is what is computed.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tilewright::compiler::ir {

enum class scalar_type : std::uint8_t { i1, i8, i16, i32, i64, f16, f32, f64, pointer };

struct type {
  scalar_type scalar = scalar_type::i64;
  int lanes = 1;
  constexpr type of(scalar_type other) const { return {other, lanes}; }  // same lanes, another element
  bool operator==(const type&) const = default;
};
int bits_of(scalar_type scalar);  // i1 has 1, pointer 64
constexpr bool is_float(scalar_type scalar) { return scalar >= scalar_type::f16 && scalar <= scalar_type::f64; }

// An SSA value; valid as long as its builder. A default-made one is no value.
class value {
 public:
  value() = default;
  explicit value(void* raw) : raw_(raw) {}
  void* raw() const { return raw_; }
  explicit operator bool() const { return raw_ != nullptr; }

 private:
  void* raw_ = nullptr;
};

enum class compare : std::uint8_t {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,  // integers: signed; floats: ordered
  unsigned_less,
  unsigned_less_equal,
  unsigned_greater,
  unsigned_greater_equal,  // integers only
  unordered                // floats only: one is NaN
  // floats: not_equal is unordered (true with NaN), all others ordered (false with NaN)
};

// What changes a word of memory that threads share in one step. Floats: NaN wins, and -0 is below +0.
enum class atomic : std::uint8_t {
  add,
  signed_minimum,
  signed_maximum,
  unsigned_minimum,
  unsigned_maximum,
  bit_and,
  bit_or,
  bit_xor,
  float_add,
  float_minimum,
  float_maximum
};

// How an access to memory may be moved: input memory is never written while the kernel runs.
enum class memory : std::uint8_t { plain, input };

class module_builder {
 public:
  // Opens `void name(ptr parameters, ptr grid, i64 first, i64 last, ptr scratch, ptr faults)`; pointers do not alias
  // each other.
  explicit module_builder(const std::string& name);
  ~module_builder();
  module_builder(module_builder&&) noexcept;

  value parameters(), grid(), first(), last(), scratch(), faults();  // the function's arguments

  type type_of(value v) const;

  // ---- Constants: `t` may be a vector, then a splat ----
  value integer(type t, std::int64_t number);  // wraps to the width
  value floating(type t, double number);       // rounded to the element
  value undefined(type t);
  value lane_numbers(type t);           // 0, 1, 2, ...; integer element
  value lane_mask(int lanes, int set);  // <lanes x i1>, the first `set` are true
  value constant_lanes(type t, std::span<const std::int64_t> numbers);
  bool constant_value(value v, std::int64_t& number) const;  // whether v is a constant integer (or splat of one)

  // ---- Integers (wrap around) and floats; operands of equal type ----
  value add(value a, value b), subtract(value a, value b), multiply(value a, value b);
  value signed_divide(value a, value b), unsigned_divide(value a, value b);
  value signed_remainder(value a, value b), unsigned_remainder(value a, value b);
  value bit_and(value a, value b), bit_or(value a, value b), bit_xor(value a, value b), bit_not(value a);
  value shift_left(value a, value b), shift_right_logical(value a, value b), shift_right_arithmetic(value a, value b);
  value signed_minimum(value a, value b), signed_maximum(value a, value b);
  value unsigned_minimum(value a, value b), unsigned_maximum(value a, value b);
  // As add, subtract, multiply, which also promise that a signed result does not overflow: addresses and loop counts.
  value add_index(value a, value b), multiply_index(value a, value b);
  value float_add(value a, value b), float_subtract(value a, value b), float_multiply(value a, value b);
  value float_divide(value a, value b), float_negate(value a), float_absolute(value a);
  value fma(value a, value b, value c);
  value square_root(value a), round_to_even(value a), floor(value a);
  value copy_sign(value magnitude, value sign);
  // a * 2^exponent, rounded once; exponents are i32. Quick only with registers of 64 bytes.
  value scale(value a, value exponent);
  value compare_integers(compare how, value a, value b);  // <lanes x i1>
  value compare_floats(compare how, value a, value b);
  // a < b ? a : b and a > b ? a : b in one instruction; so b when they are equal or one is NaN. Of f32 and f64.
  value lesser_or_second(value a, value b), greater_or_second(value a, value b);
  value select(value condition, value a, value b);  // a condition of 1 lane chooses whole vectors

  // ---- Conversions: lanes stay ----
  value truncate(value v, scalar_type to), zero_extend(value v, scalar_type to), sign_extend(value v, scalar_type to);
  // To nearest even. No machine rounds f64 to f16: see semantics::round_to_odd.
  value float_extend(value v, scalar_type to), float_truncate(value v, scalar_type to);
  value signed_to_float(value v, scalar_type to), unsigned_to_float(value v, scalar_type to);
  value float_to_signed_saturating(value v, scalar_type to), float_to_unsigned_saturating(value v, scalar_type to);
  value bit_cast(value v, type to);  // the same number of bits; also i64 and pointer
  // Any f(double) or f(double, double) of the C library, lane by lane: "exp", "pow", ...; scalars or vectors of f64.
  value call_libm(const char* function, std::span<const value> operands);

  // ---- Lanes ----
  value broadcast(value scalar, int lanes);
  value lane(value vector, int number);
  value lanes(value vector, int first, int count);  // neighbours; one of them is a scalar
  value with_lane(value vector, value scalar, int number);
  // `lanes` numbers those of a, then of b (a's type; may be no value); -1 is any.
  value shuffle(value a, value b, std::span<const int> lanes);
  value any_lane(value mask);   // i1: whether one is set
  value all_lanes(value mask);  // i1: whether every one is set

  // ---- Memory: `address` a pointer, alignment in bytes ----
  value offset(value address, value bytes);  // bytes: i64
  value offset(value address, std::int64_t bytes);
  value load(type t, value address, int alignment, memory kind = memory::plain);
  void store(value v, value address, int alignment, bool is_non_temporal = false);
  // Lanes whose mask is not set are not touched: 0 after a load.
  value masked_load(type t, value address, value mask, int alignment, memory kind = memory::plain);
  void masked_store(value v, value address, value mask, int alignment);
  // Lane l is at address + byte_offsets[l], aligned to its size; offsets are <lanes x i64>, or i32, then signed (which
  // is faster). An empty mask is all lanes.
  value gather(type t, value address, value byte_offsets, value mask, memory kind = memory::plain);
  void scatter(value v, value address, value byte_offsets, value mask);
  void copy_bytes(value to, value from, std::int64_t bytes, int alignment);
  void prefetch(value address);
  void store_fence();                         // orders non-temporal stores
  value zeros(std::int64_t bytes);            // address of so many constant zeros, aligned to 64
  value constants(const std::string& bytes);  // and of these bytes
  // void function(ptr, ptr) of the compiler, which reads what both point to.
  void call(const char* function, value a, value b);
  // Words of 32 bits that threads share. `replace_once` is whether this thread made `after` of `before`.
  value replace_once(value address, std::int64_t before, std::int64_t after);
  void publish(value address, std::int64_t word);                   // after all stores in front of it
  void combine(atomic how, value address, value v, int alignment);  // v: a scalar of 32 or 64 bits

  // ---- Structure: code is made by calling back ----
  using values = std::vector<value>;
  // for (i = from; i < to; i += step) carried = body(i, carried); step > 0, and to + step does not overflow. i is i64.
  // A loop that is known to run once, or never, is none in the code.
  values loop(value from, value to, std::int64_t step, values carried,
              const std::function<values(value i, const values& carried)>& body);
  values loop(value from, value to, value step, values carried,
              const std::function<values(value i, const values& carried)>& body);
  // Without carried values.
  void loop(value from, value to, std::int64_t step, const std::function<void(value i)>& body);
  // while (condition(carried)) carried = body(carried); gives what the condition refused.
  values loop_while(const values& carried, const std::function<value(const values& carried)>& condition,
                    const std::function<values(const values& carried)>& body);
  values branch(value condition, const std::function<values()>& then, const std::function<values()>& otherwise);
  void branch(value condition, const std::function<void()>& then);
  void branch_rarely(value condition, const std::function<void()>& then);  // keeps `then` out of the way

  void finish();               // ends the function; nothing may be added after it
  std::string text() const;    // the IR, for people
  std::string verify() const;  // what LLVM's verifier has to say; empty when all is well

  struct implementation;
  implementation& raw() { return *implementation_; }

 private:
  values repeat(value from, value to, value step, const values& carried,
                const std::function<values(value i, const values& carried)>& body);  // at least once

  std::unique_ptr<implementation> implementation_;
};

}  // namespace tilewright::compiler::ir
