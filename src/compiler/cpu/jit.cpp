// SPDX-License-Identifier: Apache-2.0
// Passes and code generation for this machine, and ORC to bring objects into the process.
//
// An object is an ELF file with a digest after its end, so that changed bytes are refused before anything reads them.
#include "compiler/cpu/jit.hpp"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "compiler/cpu/ir_module.hpp"
#include "compiler/cpu/print_code.hpp"
#include "compiler/cpu/rounding_code.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& got) {
  throw runtime_error({.what = what,
                       .where = {},
                       .expected = "code made by this version for this machine",
                       .got = got,
                       .fix = "remove the stored image and compile again"});
}

template <class T>
T take(llvm::Expected<T> result, const char* what) {
  if (!result) refuse(what, llvm::toString(result.takeError()));
  return std::move(*result);
}

// ---- This machine --------------------------------------------------------------------------------------------------
// Never destroyed: a thread may still compile when the program ends.
const llvm::orc::JITTargetMachineBuilder& host() {
  static const auto* const found = new llvm::orc::JITTargetMachineBuilder([] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto builder = take(llvm::orc::JITTargetMachineBuilder::detectHost(), "this machine's processor is not known");
    builder.setRelocationModel(llvm::Reloc::PIC_);
    builder.setCodeModel(llvm::CodeModel::Small);
    builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
    return builder;
  }());
  return *found;
}

// A target machine serves one compilation at a time, and takes long to make; so each thread keeps one.
llvm::TargetMachine& target_machine() {
  thread_local const std::unique_ptr<llvm::TargetMachine> machine = [] {
    llvm::orc::JITTargetMachineBuilder builder = host();
    return take(builder.createTargetMachine(), "LLVM cannot make code for this machine");
  }();
  return *machine;
}

int find_vector_bytes() {
  const std::vector<std::string>& features = host().getFeatures().getFeatures();
  const auto has = [&](const char* name) {
    return std::find(features.begin(), features.end(), std::string("+") + name) != features.end();
  };
  if (has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl")) return 64;
  return has("avx2") ? 32 : 16;
}

// ---- Passes --------------------------------------------------------------------------------------------------------
// Kernels come here vectorised and unrolled as they should be, so this only merges equal addresses, tidies up and
// hoists what loops repeat: 2 ms of the 16 that an attention kernel takes, which then runs 5 % faster. The rest is code
// generation: selection, scheduling, registers, and the addresses of inner loops.
llvm::FunctionPassManager make_passes() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::InstCombinePass(llvm::InstCombineOptions().setMaxIterations(1)));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
  return passes;
}

void optimize(llvm::Function& function, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  make_passes().run(function, functions);
}

void set_vector_width(llvm::Function& function) {
  const std::string bits = std::to_string(vector_bytes() * 8);
  function.addFnAttr("prefer-vector-width", bits);
  function.addFnAttr("min-legal-vector-width", bits);
}

// ---- Objects -------------------------------------------------------------------------------------------------------
using digest = std::array<std::byte, sizeof(XXH128_canonical_t)>;

digest digest_of(std::span<const std::byte> bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  digest result;
  std::memcpy(result.data(), &canonical, result.size());
  return result;
}

std::span<const std::byte> checked_object(std::span<const std::byte> object) {
  const std::string size = std::to_string(object.size()) + " bytes";
  if (object.size() < sizeof(digest)) refuse("stored code is cut off", size);
  const auto code = object.first(object.size() - sizeof(digest));
  const digest expected = digest_of(code);
  if (std::memcmp(expected.data(), code.data() + code.size(), expected.size()) != 0) {
    refuse("stored code is damaged", size + " with another digest");
  }
  return code;
}

llvm::StringRef text_of(std::span<const std::byte> bytes) {
  // SAFETY: any object may be read as characters, and a byte is as large as one.
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void check_contents(llvm::StringRef code, const std::string& name) {
  const auto file = take(llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(code, "image")),
                         "stored code is no object file");
  if (file->getArch() != host().getTargetTriple().getArch()) {
    refuse("stored code is for another processor", llvm::Triple::getArchTypeName(file->getArch()).str());
  }
  for (const llvm::object::SymbolRef& symbol : file->symbols()) {
    const std::string found = take(symbol.getName(), "stored code has a damaged symbol table").str();
    const std::uint32_t flags = take(symbol.getFlags(), "stored code has a damaged symbol table");
    if (found == name && (flags & llvm::object::SymbolRef::SF_Undefined) == 0U) return;
  }
  refuse("stored code lacks its function", "no '" + name + "'");
}

// ---- Linking -------------------------------------------------------------------------------------------------------
// One session for the process: each object is a library of its own in it, and sees the C library, and what code calls
// of the compiler, through `process`.
class linker {
 public:
  linker()
      : session_(take(llvm::orc::SelfExecutorProcessControl::Create(), "LLVM cannot link into this process")),
        objects_(session_),
        process_(session_.createBareJITDylib("process")) {
    // ELF has no prefix before a function's name.
    process_.addGenerator(take(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0'),
                               "the C library's functions are not found"));
    define_functions();
    session_.setErrorReporter([](llvm::Error failure) { llvm::consumeError(std::move(failure)); });  // we throw
  }
  ~linker() { llvm::consumeError(session_.endSession()); }
  linker(const linker&) = delete;
  linker& operator=(const linker&) = delete;

  llvm::orc::JITDylib& add(llvm::StringRef code) {
    llvm::orc::JITDylib& library = session_.createBareJITDylib("image " + std::to_string(++count_));
    library.addToLinkOrder(process_);
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(code, library.getName());
    if (llvm::Error failure = objects_.add(library, std::move(buffer))) {
      const std::string text = llvm::toString(std::move(failure));
      remove(library);
      refuse("stored code cannot be linked", text);
    }
    return library;
  }

  kernel_function find(llvm::orc::JITDylib& library, const std::string& name) {
    auto symbol = session_.lookup({&library}, session_.intern(name));
    return take(std::move(symbol), "stored code cannot be linked").getAddress().toPtr<kernel_function>();
  }

  void remove(llvm::orc::JITDylib& library) { llvm::consumeError(session_.removeJITDylib(library)); }

 private:
  // What code calls of the compiler itself.
  void define_functions() {
    llvm::orc::SymbolMap functions;
    const auto add = [&](const std::string& name, llvm::orc::ExecutorAddr address) {
      functions[session_.intern(name)] = {address, llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    };
    add(print_symbol, llvm::orc::ExecutorAddr::fromPtr(&print_from_code));
    for (const host_function& each : rounding_functions()) {
      add(each.name, llvm::orc::ExecutorAddr::fromPtr(each.address));
    }
    llvm::cantFail(process_.define(llvm::orc::absoluteSymbols(std::move(functions))));
  }

  llvm::orc::ExecutionSession session_;
  llvm::orc::ObjectLinkingLayer objects_;
  llvm::orc::JITDylib& process_;
  std::atomic<std::uint64_t> count_ = 0;
};

// Every image owns a share, so that the session outlives images that a program keeps until it ends.
std::shared_ptr<linker> shared_linker() {
  static const std::shared_ptr<linker> one = std::make_shared<linker>();
  return one;
}

}  // namespace

std::vector<std::byte> compile_object(ir::module_builder&& made) {
  ir::module_builder::implementation& from = made.raw();
  llvm::TargetMachine& machine = target_machine();
  require_internal(from.module->getDataLayout() == machine.createDataLayout(), "a module is for another machine");
  set_vector_width(*from.function);
  optimize(*from.function, machine);

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  const bool failed = machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile);
  require_internal(!failed, "LLVM cannot write objects for this machine");
  passes.run(*from.module);

  const auto code = std::as_bytes(std::span(bytes.data(), bytes.size()));
  std::vector<std::byte> object(code.begin(), code.end());
  const digest check = digest_of(code);
  object.insert(object.end(), check.begin(), check.end());
  return object;
}

loaded_kernel load_object(std::span<const std::byte> object, const std::string& name) {
  const llvm::StringRef code = text_of(checked_object(object));
  check_contents(code, name);
  const std::shared_ptr<linker> session = shared_linker();
  llvm::orc::JITDylib& library = session->add(code);
  const std::shared_ptr<void> lifetime(&library, [session](llvm::orc::JITDylib* added) { session->remove(*added); });
  return {session->find(library, name), lifetime};
}

int vector_bytes() {
  static const int bytes = find_vector_bytes();
  return bytes;
}

std::string jit_fingerprint() {
  return "llvm " LLVM_VERSION_STRING " " + host().getTargetTriple().str() + " " + host().getCPU() + " " +
         host().getFeatures().getString();
}

}  // namespace tilewright::compiler
