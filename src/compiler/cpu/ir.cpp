// SPDX-License-Identifier: Apache-2.0
// The module, its constants, lanes, memory and structure; arithmetic is in ir_arithmetic.cpp.
#include "compiler/cpu/ir.hpp"

#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <numeric>

#include "compiler/cpu/ir_module.hpp"
#include "tilewright/base/dim.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler::ir {
namespace {

const llvm::Triple& host_triple() {
  static const llvm::Triple triple(llvm::sys::getProcessTriple());
  return triple;
}

std::unique_ptr<llvm::Module> make_module(const std::string& name, llvm::LLVMContext& context) {
  auto module = std::make_unique<llvm::Module>(name, context);
  module->setTargetTriple(host_triple());
  module->setDataLayout(host_triple().computeDataLayout());
  return module;
}

llvm::Function* make_function(const std::string& name, llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* number = llvm::Type::getInt64Ty(context);
  auto* signature = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                            {pointer, pointer, number, number, pointer, pointer}, false);
  auto* function = llvm::Function::Create(signature, llvm::Function::ExternalLinkage, name, module);
  function->setDoesNotThrow();
  const std::array names = {"parameters", "grid", "first", "last", "scratch", "faults"};
  for (unsigned i = 0; i < names.size(); ++i) {
    function->getArg(i)->setName(names[i]);
    function->addParamAttr(i, llvm::Attribute::NoUndef);
  }
  for (const unsigned i : {0U, 1U, 4U}) function->addParamAttr(i, llvm::Attribute::NoAlias);
  for (const unsigned i : {0U, 1U}) {
    function->addParamAttr(i, llvm::Attribute::ReadOnly);
    function->addParamAttr(i, llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
  }
  function->addParamAttr(1, llvm::Attribute::NonNull);
  function->addDereferenceableParamAttr(1, std::size_t{max_rank} * sizeof(std::int64_t));
  function->addParamAttr(4, llvm::Attribute::getWithAlignment(context, llvm::Align(64)));  // null when none is needed
  return function;
}

llvm::Align alignment_of(int bytes) { return llvm::Align(static_cast<std::uint64_t>(bytes)); }

}  // namespace

int bits_of(scalar_type scalar) {
  switch (scalar) {
    case scalar_type::i1:
      return 1;
    case scalar_type::i8:
      return 8;
    case scalar_type::i16:
    case scalar_type::f16:
      return 16;
    case scalar_type::i32:
    case scalar_type::f32:
      return 32;
    case scalar_type::i64:
    case scalar_type::f64:
    case scalar_type::pointer:
      break;
  }
  return 64;
}

// ---- The module ----------------------------------------------------------------------------------------------------
module_builder::implementation::implementation(const std::string& name)
    : context(std::make_unique<llvm::LLVMContext>()),
      module(make_module(name, *context)),
      builder(*context),
      function(make_function(name, *module)),
      empty_node(llvm::MDNode::get(*context, {})) {
  builder.SetInsertPoint(add_block("entry"));
}

llvm::Type* module_builder::implementation::to_llvm(type t) {
  llvm::Type* element = nullptr;
  if (t.scalar == scalar_type::pointer) {
    element = builder.getPtrTy();
  } else if (t.scalar == scalar_type::f16) {
    element = builder.getHalfTy();
  } else if (t.scalar == scalar_type::f32) {
    element = builder.getFloatTy();
  } else if (t.scalar == scalar_type::f64) {
    element = builder.getDoubleTy();
  } else {
    element = builder.getIntNTy(static_cast<unsigned>(bits_of(t.scalar)));
  }
  require_internal(t.lanes >= 1, "a type has no lanes");
  return t.lanes == 1 ? element : llvm::FixedVectorType::get(element, static_cast<unsigned>(t.lanes));
}

llvm::Value* module_builder::implementation::as_vector(value v) {
  if (unwrap(v)->getType()->isVectorTy()) return unwrap(v);
  return builder.CreateVectorSplat(1, unwrap(v));
}

llvm::Value* module_builder::implementation::as_value(llvm::Value* vector) {
  if (!vector->getType()->isVectorTy() || lanes_of(vector) != 1) return vector;
  return builder.CreateExtractElement(vector, std::uint64_t{0});
}

llvm::BasicBlock* module_builder::implementation::add_block(const char* label) {
  return llvm::BasicBlock::Create(*context, label, function);
}

llvm::Instruction* module_builder::implementation::mark_input(llvm::Instruction* access, memory kind) {
  if (kind == memory::input) access->setMetadata(llvm::LLVMContext::MD_invariant_load, empty_node);
  return access;
}

module_builder::module_builder(const std::string& name) : implementation_(std::make_unique<implementation>(name)) {}
module_builder::~module_builder() = default;
module_builder::module_builder(module_builder&&) noexcept = default;

value module_builder::parameters() { return value(raw().function->getArg(0)); }
value module_builder::grid() { return value(raw().function->getArg(1)); }
value module_builder::first() { return value(raw().function->getArg(2)); }
value module_builder::last() { return value(raw().function->getArg(3)); }
value module_builder::scratch() { return value(raw().function->getArg(4)); }
value module_builder::faults() { return value(raw().function->getArg(5)); }

type module_builder::type_of(value v) const {
  const llvm::Type* element = unwrap(v)->getType()->getScalarType();
  type t{scalar_type::pointer, lanes_of(unwrap(v))};
  if (element->isHalfTy()) t.scalar = scalar_type::f16;
  if (element->isFloatTy()) t.scalar = scalar_type::f32;
  if (element->isDoubleTy()) t.scalar = scalar_type::f64;
  for (const auto number : {scalar_type::i1, scalar_type::i8, scalar_type::i16, scalar_type::i32, scalar_type::i64}) {
    if (element->isIntegerTy(static_cast<unsigned>(bits_of(number)))) t.scalar = number;
  }
  return t;
}

void module_builder::finish() { raw().builder.CreateRetVoid(); }

std::string module_builder::text() const {
  std::string result;
  llvm::raw_string_ostream stream(result);
  implementation_->module->print(stream, nullptr);
  return result;
}

std::string module_builder::verify() const {
  std::string result;
  llvm::raw_string_ostream stream(result);
  llvm::verifyModule(*implementation_->module, &stream);
  return result;
}

// ---- Constants -----------------------------------------------------------------------------------------------------
value module_builder::integer(type t, std::int64_t number) {
  require_internal(!is_float(t.scalar), "an integer constant of a float type");
  const type numbers = t.scalar == scalar_type::pointer ? t.of(scalar_type::i64) : t;
  auto* constant = llvm::ConstantInt::get(raw().to_llvm(numbers), static_cast<std::uint64_t>(number), true, true);
  return t == numbers ? value(constant) : bit_cast(value(constant), t);
}

value module_builder::floating(type t, double number) {
  require_internal(is_float(t.scalar), "a float constant of an integer type");
  return value(llvm::ConstantFP::get(raw().to_llvm(t), number));
}

value module_builder::undefined(type t) { return value(llvm::PoisonValue::get(raw().to_llvm(t))); }

value module_builder::constant_lanes(type t, std::span<const std::int64_t> numbers) {
  require_internal(static_cast<std::size_t>(t.lanes) == numbers.size(), "not one number for each lane");
  if (t.lanes == 1) return integer(t, numbers[0]);
  std::vector<llvm::Constant*> lanes;
  llvm::Type* element = raw().to_llvm({t.scalar, 1});
  for (const std::int64_t number : numbers) {
    lanes.push_back(llvm::ConstantInt::get(element, static_cast<std::uint64_t>(number), true, true));
  }
  return value(llvm::ConstantVector::get(lanes));
}

value module_builder::lane_numbers(type t) {
  std::vector<std::int64_t> numbers;
  for (int i = 0; i < t.lanes; ++i) numbers.push_back(i);
  return constant_lanes(t, numbers);
}

value module_builder::lane_mask(int lanes, int set) {
  std::vector<std::int64_t> numbers;
  for (int i = 0; i < lanes; ++i) numbers.push_back(i < set ? 1 : 0);
  return constant_lanes({scalar_type::i1, lanes}, numbers);
}

bool module_builder::constant_value(value v, std::int64_t& number) const {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(unwrap(v));
  if (constant != nullptr && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
  const auto* found = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant);
  if (found != nullptr) number = found->getSExtValue();
  return found != nullptr;
}

// ---- Lanes ---------------------------------------------------------------------------------------------------------
value module_builder::broadcast(value scalar, int lanes) {
  if (lanes == 1) return scalar;
  return value(raw().builder.CreateVectorSplat(static_cast<unsigned>(lanes), unwrap(scalar)));
}

value module_builder::lane(value vector, int number) {
  if (type_of(vector).lanes == 1) return vector;
  return value(raw().builder.CreateExtractElement(unwrap(vector), static_cast<std::uint64_t>(number)));
}

value module_builder::lanes(value vector, int first, int count) {
  if (count == 1) return lane(vector, first);
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), first);
  return shuffle(vector, {}, order);
}

value module_builder::with_lane(value vector, value scalar, int number) {
  if (type_of(vector).lanes == 1) return scalar;
  return value(raw().builder.CreateInsertElement(unwrap(vector), unwrap(scalar), static_cast<std::uint64_t>(number)));
}

value module_builder::shuffle(value a, value b, std::span<const int> lanes) {
  llvm::Value* left = raw().as_vector(a);
  llvm::Value* right = b ? raw().as_vector(b) : llvm::PoisonValue::get(left->getType());
  const llvm::ArrayRef<int> numbers(lanes.data(), lanes.size());
  return value(raw().as_value(raw().builder.CreateShuffleVector(left, right, numbers)));
}

value module_builder::any_lane(value mask) {
  if (type_of(mask).lanes == 1) return mask;
  return value(raw().builder.CreateOrReduce(unwrap(mask)));
}

value module_builder::all_lanes(value mask) {
  if (type_of(mask).lanes == 1) return mask;
  return value(raw().builder.CreateAndReduce(unwrap(mask)));
}

// ---- Memory --------------------------------------------------------------------------------------------------------
value module_builder::offset(value address, value bytes) {
  return value(raw().builder.CreatePtrAdd(unwrap(address), unwrap(bytes)));
}

value module_builder::offset(value address, std::int64_t bytes) {
  return bytes == 0 ? address : offset(address, integer({scalar_type::i64, 1}, bytes));
}

value module_builder::load(type t, value address, int alignment, memory kind) {
  auto* loaded = raw().builder.CreateAlignedLoad(raw().to_llvm(t), unwrap(address), alignment_of(alignment));
  return value(raw().mark_input(loaded, kind));
}

void module_builder::store(value v, value address, int alignment, bool is_non_temporal) {
  auto* stored = raw().builder.CreateAlignedStore(unwrap(v), unwrap(address), alignment_of(alignment));
  if (!is_non_temporal) return;
  auto* one = llvm::ConstantAsMetadata::get(raw().builder.getInt32(1));
  stored->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(*raw().context, one));
}

value module_builder::masked_load(type t, value address, value mask, int alignment, memory kind) {
  if (t.lanes == 1) {
    return branch(
        mask, [&] { return values{load(t, address, alignment, kind)}; },
        [&] { return values{value(llvm::Constant::getNullValue(raw().to_llvm(t)))}; })[0];
  }
  llvm::Type* vector = raw().to_llvm(t);
  auto* loaded = raw().builder.CreateMaskedLoad(vector, unwrap(address), alignment_of(alignment), unwrap(mask),
                                                llvm::Constant::getNullValue(vector));
  return value(raw().mark_input(loaded, kind));
}

void module_builder::masked_store(value v, value address, value mask, int alignment) {
  if (type_of(v).lanes == 1) {
    branch(mask, [&] { store(v, address, alignment); });
    return;
  }
  raw().builder.CreateMaskedStore(unwrap(v), unwrap(address), alignment_of(alignment), unwrap(mask));
}

value module_builder::gather(type t, value address, value byte_offsets, value mask, memory kind) {
  const int alignment = bits_of(t.scalar) / 8;
  if (t.lanes == 1) {
    const value at = offset(address, byte_offsets);
    return mask ? masked_load(t, at, mask, alignment, kind) : load(t, at, alignment, kind);
  }
  llvm::Type* vector = raw().to_llvm(t);
  llvm::Value* pointers = raw().builder.CreatePtrAdd(unwrap(address), unwrap(byte_offsets));
  auto* loaded = raw().builder.CreateMaskedGather(vector, pointers, alignment_of(alignment), unwrap(mask),
                                                  mask ? llvm::Constant::getNullValue(vector) : nullptr);
  return value(raw().mark_input(loaded, kind));
}

void module_builder::scatter(value v, value address, value byte_offsets, value mask) {
  const type t = type_of(v);
  const int alignment = bits_of(t.scalar) / 8;
  if (t.lanes == 1) {
    const value at = offset(address, byte_offsets);
    mask ? masked_store(v, at, mask, alignment) : store(v, at, alignment);
    return;
  }
  llvm::Value* pointers = raw().builder.CreatePtrAdd(unwrap(address), unwrap(byte_offsets));
  raw().builder.CreateMaskedScatter(unwrap(v), pointers, alignment_of(alignment), unwrap(mask));
}

void module_builder::copy_bytes(value to, value from, std::int64_t bytes, int alignment) {
  raw().builder.CreateMemCpy(unwrap(to), alignment_of(alignment), unwrap(from), alignment_of(alignment),
                             static_cast<std::uint64_t>(bytes));
}

void module_builder::prefetch(value address) {
  auto& builder = raw().builder;
  // For reading, to be kept in every level of the cache.
  builder.CreateIntrinsic(llvm::Intrinsic::prefetch, {builder.getPtrTy()},
                          {unwrap(address), builder.getInt32(0), builder.getInt32(3), builder.getInt32(1)});
}

void module_builder::store_fence() {
  if (host_triple().isX86()) {
    // On this processor a release fence is no instruction, and it does not order non-temporal stores.
    raw().builder.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, llvm::ArrayRef<llvm::Value*>{});
  } else {
    raw().builder.CreateFence(llvm::AtomicOrdering::Release);
  }
}

void module_builder::call(const char* function, value a, value b) {
  llvm::Type* pointer = raw().builder.getPtrTy();
  auto* signature = llvm::FunctionType::get(raw().builder.getVoidTy(), {pointer, pointer}, false);
  llvm::FunctionCallee callee = raw().module->getOrInsertFunction(function, signature);
  llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  raw().builder.CreateCall(callee, {unwrap(a), unwrap(b)});
}

value module_builder::constants(const std::string& bytes) {
  auto* elements = llvm::ConstantDataArray::getString(*raw().context, bytes, false);
  auto* made = new llvm::GlobalVariable(*raw().module, elements->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                        elements, "constants");  // the module owns it
  made->setAlignment(llvm::Align(64));
  return value(made);
}

value module_builder::zeros(std::int64_t bytes) {
  auto* type = llvm::ArrayType::get(raw().builder.getInt8Ty(), static_cast<std::uint64_t>(bytes));
  auto* made = new llvm::GlobalVariable(*raw().module, type, true, llvm::GlobalValue::PrivateLinkage,
                                        llvm::Constant::getNullValue(type), "zeros");  // the module owns it
  made->setAlignment(llvm::Align(64));
  return value(made);
}

value module_builder::replace_once(value address, std::int64_t before, std::int64_t after) {
  auto& builder = raw().builder;
  const auto word = [&](std::int64_t number) { return unwrap(integer({scalar_type::i32, 1}, number)); };
  auto* pair = builder.CreateAtomicCmpXchg(unwrap(address), word(before), word(after), llvm::Align(4),
                                           llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
  return value(builder.CreateExtractValue(pair, 1));
}

void module_builder::publish(value address, std::int64_t word) {
  auto* stored =
      raw().builder.CreateAlignedStore(unwrap(integer({scalar_type::i32, 1}, word)), unwrap(address), llvm::Align(4));
  stored->setAtomic(llvm::AtomicOrdering::Release);
}

void module_builder::combine(atomic how, value address, value v, int alignment) {
  using instruction = llvm::AtomicRMWInst;
  constexpr instruction::BinOp operations[] = {instruction::Add,      instruction::Min,     instruction::Max,
                                               instruction::UMin,     instruction::UMax,    instruction::And,
                                               instruction::Or,       instruction::Xor,     instruction::FAdd,
                                               instruction::FMinimum, instruction::FMaximum};
  raw().builder.CreateAtomicRMW(operations[static_cast<int>(how)], unwrap(address), unwrap(v), alignment_of(alignment),
                                llvm::AtomicOrdering::Monotonic);
}

// ---- Structure -----------------------------------------------------------------------------------------------------
// A loop is made with its test at the end, as a pass would rotate it; the test before it is often a constant.
module_builder::values module_builder::loop(value from, value to, value step, values carried,
                                            const std::function<values(value, const values&)>& body) {
  const value enters = compare_integers(compare::less, from, to);
  std::int64_t known = 0;
  const bool is_known = constant_value(enters, known);
  if (is_known && known == 0) return carried;
  std::int64_t again = 1;
  const value after_first = compare_integers(compare::less, add(from, step), to);
  if (is_known && constant_value(after_first, again) && again == 0) return body(from, carried);
  if (is_known) return repeat(from, to, step, carried, body);
  return branch(
      enters, [&] { return repeat(from, to, step, carried, body); }, [&] { return carried; });
}

module_builder::values module_builder::repeat(value from, value to, value step, const values& carried,
                                              const std::function<values(value, const values&)>& body) {
  auto& builder = raw().builder;
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::BasicBlock* inside = raw().add_block("loop");
  builder.CreateBr(inside);
  builder.SetInsertPoint(inside);
  std::vector<llvm::PHINode*> variables;
  const auto add_variable = [&](value initial) {
    variables.push_back(builder.CreatePHI(unwrap(initial)->getType(), 2));
    variables.back()->addIncoming(unwrap(initial), before);
    return value(variables.back());
  };
  const value i = add_variable(from);
  values current;
  for (const value v : carried) current.push_back(add_variable(v));

  values results = body(i, current);
  require_internal(results.size() == carried.size(), "a loop's body changes the number of carried values");
  const value next = add_index(i, step);
  const value again = compare_integers(compare::less, next, to);
  llvm::BasicBlock* end = builder.GetInsertBlock();
  llvm::BasicBlock* after = raw().add_block("after_loop");
  builder.CreateCondBr(unwrap(again), inside, after);
  variables[0]->addIncoming(unwrap(next), end);
  for (std::size_t n = 0; n < results.size(); ++n) variables[n + 1]->addIncoming(unwrap(results[n]), end);
  builder.SetInsertPoint(after);
  return results;
}

module_builder::values module_builder::loop(value from, value to, std::int64_t step, values carried,
                                            const std::function<values(value, const values&)>& body) {
  return loop(from, to, integer({scalar_type::i64, 1}, step), std::move(carried), body);
}

void module_builder::loop(value from, value to, std::int64_t step, const std::function<void(value)>& body) {
  loop(from, to, step, {}, [&](value i, const values&) {
    body(i);
    return values{};
  });
}

module_builder::values module_builder::loop_while(const values& carried,
                                                  const std::function<value(const values&)>& condition,
                                                  const std::function<values(const values&)>& body) {
  auto& builder = raw().builder;
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::BasicBlock* head = raw().add_block("while");
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  std::vector<llvm::PHINode*> variables;
  values current;
  for (const value initial : carried) {
    variables.push_back(builder.CreatePHI(unwrap(initial)->getType(), 2));
    variables.back()->addIncoming(unwrap(initial), before);
    current.push_back(value(variables.back()));
  }
  const value holds = condition(current);
  llvm::BasicBlock* inside = raw().add_block("round");
  llvm::BasicBlock* after = raw().add_block("after_while");
  builder.CreateCondBr(unwrap(holds), inside, after);
  builder.SetInsertPoint(inside);
  const values next = body(current);
  require_internal(next.size() == carried.size(), "a loop's body changes the number of carried values");
  for (std::size_t n = 0; n < next.size(); ++n) variables[n]->addIncoming(unwrap(next[n]), builder.GetInsertBlock());
  builder.CreateBr(head);
  builder.SetInsertPoint(after);
  return current;
}

module_builder::values module_builder::branch(value condition, const std::function<values()>& then,
                                              const std::function<values()>& otherwise) {
  std::int64_t known = 0;
  if (constant_value(condition, known)) return known != 0 ? then() : otherwise();
  auto& builder = raw().builder;
  llvm::BasicBlock* first = raw().add_block("then");
  llvm::BasicBlock* second = raw().add_block("otherwise");
  llvm::BasicBlock* after = raw().add_block("after_branch");
  builder.CreateCondBr(unwrap(condition), first, second);
  const auto fill = [&](llvm::BasicBlock*& block, const std::function<values()>& make) {
    builder.SetInsertPoint(block);
    values made = make();
    block = builder.GetInsertBlock();  // where the side ends
    builder.CreateBr(after);
    return made;
  };
  const values ours = fill(first, then);
  const values theirs = fill(second, otherwise);
  require_internal(ours.size() == theirs.size(), "the sides of a branch give different numbers of values");
  builder.SetInsertPoint(after);
  values results;
  for (std::size_t n = 0; n < ours.size(); ++n) {
    llvm::PHINode* either = builder.CreatePHI(unwrap(ours[n])->getType(), 2);
    either->addIncoming(unwrap(ours[n]), first);
    either->addIncoming(unwrap(theirs[n]), second);
    results.push_back(value(either));
  }
  return results;
}

void module_builder::branch(value condition, const std::function<void()>& then) {
  const auto nothing = [] { return values{}; };
  branch(
      condition,
      [&] {
        then();
        return values{};
      },
      nothing);
}

void module_builder::branch_rarely(value condition, const std::function<void()>& then) {
  std::int64_t known = 0;
  if (constant_value(condition, known)) return known != 0 ? then() : void();
  auto& builder = raw().builder;
  llvm::BasicBlock* rare = raw().add_block("rare");
  llvm::BasicBlock* after = raw().add_block("after_rare");
  builder.CreateCondBr(unwrap(condition), rare, after, llvm::MDBuilder(*raw().context).createUnlikelyBranchWeights());
  builder.SetInsertPoint(rare);
  then();
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
}

}  // namespace tilewright::compiler::ir
