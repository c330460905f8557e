// SPDX-License-Identifier: Apache-2.0
// What ir.hpp hides: the LLVM objects behind a module_builder. Only the files that make or compile modules include it.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <array>
#include <memory>
#include <string>

#include "compiler/cpu/ir.hpp"

namespace tilewright::compiler::ir {

struct module_builder::implementation {
  explicit implementation(const std::string& name);

  llvm::Type* to_llvm(type t);
  llvm::Value* as_vector(value v);             // a scalar as a vector of one lane
  llvm::Value* as_value(llvm::Value* vector);  // and back
  llvm::BasicBlock* add_block(const char* label);
  llvm::Instruction* mark_input(llvm::Instruction* access, memory kind);

  // In this order: what comes later refers to what comes before.
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  // Folds constants only. A folder that looks through instructions would take a loop's variable, which gets its second
  // value when the body is done, for its first.
  llvm::IRBuilder<> builder;
  llvm::Function* function = nullptr;
  llvm::MDNode* empty_node = nullptr;
};

inline llvm::Value* unwrap(value v) { return static_cast<llvm::Value*>(v.raw()); }
inline int lanes_of(llvm::Value* v) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(v->getType());
  return vector == nullptr ? 1 : static_cast<int>(vector->getNumElements());
}

}  // namespace tilewright::compiler::ir
