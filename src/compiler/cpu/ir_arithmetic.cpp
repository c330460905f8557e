// SPDX-License-Identifier: Apache-2.0
// Arithmetic and conversions of ir.hpp.
#include <cmath>

#include "compiler/cpu/ir.hpp"
#include "compiler/cpu/ir_module.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler::ir {
namespace {

llvm::CmpInst::Predicate integer_predicate(compare how) {
  switch (how) {
    case compare::equal:
      return llvm::CmpInst::ICMP_EQ;
    case compare::not_equal:
      return llvm::CmpInst::ICMP_NE;
    case compare::less:
      return llvm::CmpInst::ICMP_SLT;
    case compare::less_equal:
      return llvm::CmpInst::ICMP_SLE;
    case compare::greater:
      return llvm::CmpInst::ICMP_SGT;
    case compare::greater_equal:
      return llvm::CmpInst::ICMP_SGE;
    case compare::unsigned_less:
      return llvm::CmpInst::ICMP_ULT;
    case compare::unsigned_less_equal:
      return llvm::CmpInst::ICMP_ULE;
    case compare::unsigned_greater:
      return llvm::CmpInst::ICMP_UGT;
    case compare::unsigned_greater_equal:
      return llvm::CmpInst::ICMP_UGE;
    case compare::unordered:
      break;
  }
  require_internal(false, "a comparison of floats, of integers");
  return llvm::CmpInst::ICMP_EQ;
}

llvm::CmpInst::Predicate float_predicate(compare how) {
  switch (how) {
    case compare::equal:
      return llvm::CmpInst::FCMP_OEQ;
    case compare::not_equal:
      return llvm::CmpInst::FCMP_UNE;
    case compare::less:
      return llvm::CmpInst::FCMP_OLT;
    case compare::less_equal:
      return llvm::CmpInst::FCMP_OLE;
    case compare::greater:
      return llvm::CmpInst::FCMP_OGT;
    case compare::greater_equal:
      return llvm::CmpInst::FCMP_OGE;
    case compare::unordered:
      return llvm::CmpInst::FCMP_UNO;
    default:
      break;
  }
  require_internal(false, "an unsigned comparison of floats");
  return llvm::CmpInst::FCMP_FALSE;
}

// LLVM 22 looks through conversions of floats at a comparison with a selection after it, and makes another minimum or
// maximum of them, which takes another zero of +0 and -0. What it cannot see through costs no instruction.
llvm::Value* fenced(llvm::IRBuilderBase& builder, llvm::Value* v) {
  return llvm::isa<llvm::Constant>(v) ? v : builder.CreateArithmeticFence(v, v->getType());
}

// Lanes below the least number, and NaN, become the least; lanes above `most` become that.
value clamped(module_builder& code, value v, double least, double most) {
  const type t = code.type_of(v);
  return code.lesser_or_second(code.greater_or_second(v, code.floating(t, least)), code.floating(t, most));
}

// LLVM 22 makes scalar code of its own saturating conversions of vectors.
value saturating_lanes(module_builder& code, value v, scalar_type to, bool is_signed) {
  if (code.type_of(v).scalar == scalar_type::f16) v = code.float_extend(v, scalar_type::f32);
  const type t = code.type_of(v);
  const int bits = bits_of(to) - (is_signed ? 1 : 0);
  const bool holds_greatest = bits <= (t.scalar == scalar_type::f64 ? 53 : 24);
  const double past = std::ldexp(1.0, bits);
  const value inside = clamped(code, v, is_signed ? -past : 0, holds_greatest ? past - 1 : HUGE_VAL);

  auto& builder = code.raw().builder;
  const bool is_narrow = bits_of(to) < 32;
  const type whole = t.of(is_narrow ? scalar_type::i32 : to);
  llvm::Type* target = code.raw().to_llvm(whole);
  value result(is_signed || is_narrow ? builder.CreateFPToSI(unwrap(inside), target)
                                      : builder.CreateFPToUI(unwrap(inside), target));
  if (!holds_greatest) {  // lanes that are too great are poison now, which the selection drops
    const std::int64_t greatest = is_signed ? static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1) : -1;
    const value is_great = code.compare_floats(compare::greater_equal, v, code.floating(t, past));
    result = code.select(is_great, code.integer(whole, greatest), result);
  }
  if (is_signed) {
    result = code.select(code.compare_floats(compare::unordered, v, v), code.integer(whole, 0), result);
  }
  return is_narrow ? code.truncate(result, to) : result;
}

}  // namespace

// ---- Integers ------------------------------------------------------------------------------------------------------
value module_builder::add(value a, value b) { return value(raw().builder.CreateAdd(unwrap(a), unwrap(b))); }
value module_builder::subtract(value a, value b) { return value(raw().builder.CreateSub(unwrap(a), unwrap(b))); }
value module_builder::multiply(value a, value b) { return value(raw().builder.CreateMul(unwrap(a), unwrap(b))); }
value module_builder::signed_divide(value a, value b) { return value(raw().builder.CreateSDiv(unwrap(a), unwrap(b))); }
value module_builder::unsigned_divide(value a, value b) {
  return value(raw().builder.CreateUDiv(unwrap(a), unwrap(b)));
}
value module_builder::signed_remainder(value a, value b) {
  return value(raw().builder.CreateSRem(unwrap(a), unwrap(b)));
}
value module_builder::unsigned_remainder(value a, value b) {
  return value(raw().builder.CreateURem(unwrap(a), unwrap(b)));
}
value module_builder::bit_and(value a, value b) { return value(raw().builder.CreateAnd(unwrap(a), unwrap(b))); }
value module_builder::bit_or(value a, value b) { return value(raw().builder.CreateOr(unwrap(a), unwrap(b))); }
value module_builder::bit_xor(value a, value b) { return value(raw().builder.CreateXor(unwrap(a), unwrap(b))); }
value module_builder::bit_not(value a) { return value(raw().builder.CreateNot(unwrap(a))); }
value module_builder::shift_left(value a, value b) { return value(raw().builder.CreateShl(unwrap(a), unwrap(b))); }
value module_builder::shift_right_logical(value a, value b) {
  return value(raw().builder.CreateLShr(unwrap(a), unwrap(b)));
}
value module_builder::shift_right_arithmetic(value a, value b) {
  return value(raw().builder.CreateAShr(unwrap(a), unwrap(b)));
}
value module_builder::signed_minimum(value a, value b) {
  return value(raw().builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, unwrap(a), unwrap(b)));
}
value module_builder::signed_maximum(value a, value b) {
  return value(raw().builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, unwrap(a), unwrap(b)));
}
value module_builder::unsigned_minimum(value a, value b) {
  return value(raw().builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, unwrap(a), unwrap(b)));
}
value module_builder::unsigned_maximum(value a, value b) {
  return value(raw().builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, unwrap(a), unwrap(b)));
}
value module_builder::add_index(value a, value b) { return value(raw().builder.CreateNSWAdd(unwrap(a), unwrap(b))); }
value module_builder::multiply_index(value a, value b) {
  return value(raw().builder.CreateNSWMul(unwrap(a), unwrap(b)));
}
value module_builder::compare_integers(compare how, value a, value b) {
  return value(raw().builder.CreateICmp(integer_predicate(how), unwrap(a), unwrap(b)));
}

// ---- Floats --------------------------------------------------------------------------------------------------------
value module_builder::float_add(value a, value b) { return value(raw().builder.CreateFAdd(unwrap(a), unwrap(b))); }
value module_builder::float_subtract(value a, value b) { return value(raw().builder.CreateFSub(unwrap(a), unwrap(b))); }
value module_builder::float_multiply(value a, value b) { return value(raw().builder.CreateFMul(unwrap(a), unwrap(b))); }
value module_builder::float_divide(value a, value b) { return value(raw().builder.CreateFDiv(unwrap(a), unwrap(b))); }
value module_builder::float_negate(value a) { return value(raw().builder.CreateFNeg(unwrap(a))); }
value module_builder::float_absolute(value a) {
  return value(raw().builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, unwrap(a)));
}
value module_builder::fma(value a, value b, value c) {
  return value(raw().builder.CreateFMA(unwrap(a), unwrap(b), unwrap(c)));
}
value module_builder::square_root(value a) {
  return value(raw().builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, unwrap(a)));
}
value module_builder::round_to_even(value a) {
  return value(raw().builder.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, unwrap(a)));
}
value module_builder::floor(value a) {
  return value(raw().builder.CreateUnaryIntrinsic(llvm::Intrinsic::floor, unwrap(a)));
}
value module_builder::copy_sign(value magnitude, value sign) {
  return value(raw().builder.CreateCopySign(unwrap(magnitude), unwrap(sign)));
}
value module_builder::scale(value a, value exponent) {
  llvm::Value *number = unwrap(a), *power = unwrap(exponent);
  const std::initializer_list<llvm::Type*> types = {number->getType(), power->getType()};
  return value(raw().builder.CreateIntrinsic(llvm::Intrinsic::ldexp, types, {number, power}));
}
value module_builder::compare_floats(compare how, value a, value b) {
  return value(raw().builder.CreateFCmp(float_predicate(how), unwrap(a), unwrap(b)));
}
value module_builder::select(value condition, value a, value b) {
  return value(raw().builder.CreateSelect(unwrap(condition), unwrap(a), unwrap(b)));
}

value module_builder::call_libm(const char* function, std::span<const value> operands) {
  auto& builder = raw().builder;
  llvm::Type* number = builder.getDoubleTy();
  const std::vector<llvm::Type*> numbers(operands.size(), number);
  llvm::FunctionCallee callee =
      raw().module->getOrInsertFunction(function, llvm::FunctionType::get(number, numbers, false));
  auto* declared = llvm::cast<llvm::Function>(callee.getCallee());
  declared->setDoesNotThrow();
  declared->setWillReturn();
  declared->setDoesNotAccessMemory();
  declared->addFnAttr(llvm::Attribute::NoBuiltin);  // the library's result, not one that is folded or rewritten here
  const int lanes = type_of(operands[0]).lanes;
  value result = undefined({scalar_type::f64, lanes});
  for (int n = 0; n < lanes; ++n) {
    std::vector<llvm::Value*> elements;
    for (const value v : operands) elements.push_back(unwrap(lane(v, n)));
    result = with_lane(result, value(builder.CreateCall(callee, elements)), n);
  }
  return result;
}

// ---- Conversions ---------------------------------------------------------------------------------------------------
value module_builder::truncate(value v, scalar_type to) {
  return value(raw().builder.CreateTrunc(unwrap(v), raw().to_llvm(type_of(v).of(to))));
}
value module_builder::zero_extend(value v, scalar_type to) {
  return value(raw().builder.CreateZExt(unwrap(v), raw().to_llvm(type_of(v).of(to))));
}
value module_builder::sign_extend(value v, scalar_type to) {
  return value(raw().builder.CreateSExt(unwrap(v), raw().to_llvm(type_of(v).of(to))));
}
value module_builder::float_extend(value v, scalar_type to) {
  return value(fenced(raw().builder, raw().builder.CreateFPExt(unwrap(v), raw().to_llvm(type_of(v).of(to)))));
}
value module_builder::float_truncate(value v, scalar_type to) {
  require_internal(to != scalar_type::f16 || type_of(v).scalar != scalar_type::f64,
                   "f64 goes to f16 by way of f32, rounded to odd");
  llvm::Value* result = raw().builder.CreateFPTrunc(unwrap(v), raw().to_llvm(type_of(v).of(to)));
  return value(to == scalar_type::f16 ? result : fenced(raw().builder, result));
}
value module_builder::signed_to_float(value v, scalar_type to) {
  return value(raw().builder.CreateSIToFP(unwrap(v), raw().to_llvm(type_of(v).of(to))));
}
value module_builder::unsigned_to_float(value v, scalar_type to) {
  return value(raw().builder.CreateUIToFP(unwrap(v), raw().to_llvm(type_of(v).of(to))));
}
value module_builder::float_to_signed_saturating(value v, scalar_type to) {
  llvm::Type* target = raw().to_llvm(type_of(v).of(to));
  if (type_of(v).lanes > 1) return saturating_lanes(*this, v, to, true);
  return value(raw().builder.CreateIntrinsic(target, llvm::Intrinsic::fptosi_sat, {unwrap(v)}));
}
value module_builder::float_to_unsigned_saturating(value v, scalar_type to) {
  llvm::Type* target = raw().to_llvm(type_of(v).of(to));
  if (type_of(v).lanes > 1) return saturating_lanes(*this, v, to, false);
  return value(raw().builder.CreateIntrinsic(target, llvm::Intrinsic::fptoui_sat, {unwrap(v)}));
}
value module_builder::bit_cast(value v, type to) {
  llvm::Type* target = raw().to_llvm(to);
  return value(raw().builder.CreateBitOrPointerCast(unwrap(v), target));
}

}  // namespace tilewright::compiler::ir
