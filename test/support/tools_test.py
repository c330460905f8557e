#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checks of the tree can fail: each test gives a tool one fault and wants it named."""
import collections
import importlib.machinery
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
TABLE = """
| layer | may include | outside headers |
|---|---|---|
| base | - | std |
| ast | base | std |
| lang | ast, base | `<cstdint>` |
| compiler | ast, base | std, LLVM in `src/compiler/cpu` |
"""


class TreeTest(unittest.TestCase):
    """A temporary tree that a tool is run on."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_tool(self, name, *arguments):
        command = [sys.executable, TOOLS / name, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


class CheckLayers(TreeTest):
    def setUp(self):
        super().setUp()
        self.write("docs/architecture.md", TABLE)
        self.write("include/tilewright/base/error.hpp", "#include <string>\n")
        self.write("include/tilewright/base/dtype.hpp", "#include <cstdint>\n")
        self.write("include/tilewright/ast/node.hpp", '#include "tilewright/base/dtype.hpp"\n')

    def expect_fault(self, text):
        code, output = self.run_tool("check_layers", "--root", self.root)
        self.assertEqual(code, 1, output)
        self.assertIn(text, output)

    def test_accepts_a_tree_that_keeps_to_the_table(self):
        self.write("include/tilewright/lang/tile.hpp", '#include "tilewright/ast/node.hpp"\n')
        self.write("src/compiler/cpu/emit.cpp", '#include <llvm/IR/IRBuilder.h>\n#include "tilewright/ast/node.hpp"\n')
        code, output = self.run_tool("check_layers", "--root", self.root)
        self.assertEqual(code, 0, output)

    def test_refuses_an_upward_include(self):
        self.write("include/tilewright/base/bad.hpp", '#include "tilewright/ast/node.hpp"\n')
        self.expect_fault("layer base may not include layer ast")

    def test_refuses_lang_in_compiler(self):
        self.write("include/tilewright/lang/tile.hpp", "\n")
        self.write("src/compiler/bind.cpp", '#include "tilewright/lang/tile.hpp"\n')
        self.expect_fault("layer compiler may not include layer lang")

    def test_refuses_an_upward_include_through_a_relative_path(self):
        self.write("include/tilewright/base/bad.hpp", '#include "../ast/node.hpp"\n')
        self.expect_fault("layer base may not include layer ast")

    def test_refuses_a_slow_header_that_every_program_would_include(self):
        self.write("include/tilewright/runtime/runtime.hpp", '#include "tilewright/runtime/op.hpp"\n')
        self.write("include/tilewright/runtime/op.hpp", "#include <memory>\n")
        self.expect_fault("what every program includes must not reach <memory>, but does through include/tilewright/")

    def test_refuses_llvm_outside_its_folder(self):
        self.write("src/compiler/bind.cpp", "#include <llvm/IR/IRBuilder.h>\n")
        self.expect_fault("LLVM (<llvm/IR/IRBuilder.h>) belongs in src/compiler/cpu")

    def test_refuses_llvm_and_cuda_in_public_headers(self):
        self.write("include/tilewright/compiler/a.hpp", "#include <llvm/IR/IRBuilder.h>\n")
        self.expect_fault("is public, but includes <llvm/IR/IRBuilder.h> of LLVM")
        self.write("include/tilewright/compiler/a.hpp", "#include <cuda.h>\n")
        self.expect_fault("is public, but includes <cuda.h> of CUDA")

    def test_refuses_a_private_file_in_a_public_header(self):
        self.write("src/compiler/bind.hpp", "\n")
        self.write("include/tilewright/compiler/a.hpp", '#include "compiler/bind.hpp"\n')
        self.expect_fault('includes the private "compiler/bind.hpp"')

    def test_refuses_a_heavy_header_in_lang(self):
        self.write("include/tilewright/lang/tile.hpp", "#include <string>\n")
        self.expect_fault("layer lang may not include <string>")

    def test_refuses_a_heavy_header_that_lang_reaches_through_a_lower_layer(self):
        self.write("include/tilewright/lang/tile.hpp", '#include "tilewright/base/error.hpp"\n')
        self.expect_fault("must not reach <string>")

    def test_refuses_a_page_without_the_table(self):
        self.write("docs/architecture.md", "nothing\n")
        self.expect_fault("no layer table")


@unittest.skipUnless(shutil.which("g++"), "no g++")
class ExpectCompileError(TreeTest):
    def verdict(self, text):
        path = self.write("case.cpp", text)
        return self.run_tool("expect_compile_error", "--compiler", "g++", path)

    def expect_refusal(self, text, why):
        code, output = self.verdict(text)
        self.assertEqual(code, 1, output)
        self.assertIn(why, output)
        self.assertIn("0 passed, 1 failed", output)

    def test_passes_when_the_stated_message_appears_and_the_twin_compiles(self):
        code, output = self.verdict("// expect-error: wrong kind\n#ifndef TILEWRIGHT_FIXED\n#error wrong kind\n#endif\n")
        self.assertEqual(code, 0, output)
        self.assertIn("1 passed, 0 failed", output)

    def test_fails_on_code_that_compiles(self):
        self.expect_refusal("// expect-error: anything\nint x;\n", "must be refused")

    def test_fails_on_another_message(self):
        self.expect_refusal(
            "// expect-error: wrong kind\n#ifndef TILEWRIGHT_FIXED\n#error a typing slip\n#endif\n", "no message matches")

    def test_fails_when_the_twin_does_not_compile(self):
        self.expect_refusal("// expect-error: wrong kind\n#error wrong kind\n", "corrected twin")

    def test_fails_on_a_file_without_an_expectation(self):
        self.expect_refusal("#error wrong kind\n", "has no")

    def test_does_not_match_the_echo_of_the_source_line(self):
        self.expect_refusal(
            "// expect-error: needle\n#ifndef TILEWRIGHT_FIXED\nint x = unknown;  // needle\n#endif\n", "no message matches")

    def test_compiles_fully_when_a_file_asks_for_optimisation(self):
        text = (
            "// expect-error: reached\n// flags: -O2\n"
            '[[gnu::error("reached")]] void never();\n'
            "void f(bool b) {\n#ifndef TILEWRIGHT_FIXED\n  if (b) never();\n#endif\n  (void)b;\n}\n")
        code, output = self.verdict(text)
        self.assertEqual(code, 0, output)


class Demo(TreeTest):
    def test_refuses_what_it_does_not_know_before_it_does_anything(self):
        for wrong in (["--promt", "x"], ["-n"], ["more"]):
            done = subprocess.run([TOOLS / "demo", *wrong], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("usage: ./dev demo", done.stderr)
            self.assertEqual(done.stdout, "")


@unittest.skipUnless(shutil.which("g++"), "no g++")
class ConstexprSteps(TreeTest):
    def count(self, rounds, most):
        path = self.write("loop.hpp", f"constexpr int f() {{ int n = 0; while (n < {rounds}) ++n; return n; }}\n"
                                      "constexpr int steps = f();\n")
        return self.run_tool("constexpr_steps", "--compiler", "g++", "--most", most, path)

    def test_counts_the_steps_of_a_constant(self):
        few, many = (int(self.count(rounds, 100000)[1].split()[1]) for rounds in (100, 200))
        self.assertGreater(few, 100)
        self.assertGreater(many, few + 100)

    def test_fails_over_the_budget(self):
        code, output = self.count(100, 50)
        self.assertEqual(code, 1, output)
        self.assertIn("FAILED: more than 50", output)


class SumResults(TreeTest):
    def test_counts_cases_and_failed_builds(self):
        self.write("steps.txt", "one 0 5\ntwo 1 7\n")
        self.write(
            "one.xml",
            '<testsuite><testcase name="a" status="run"/><testcase name="b" status="notrun"/>'
            '<testcase name="c" status="fail"><system-out>x\n3 passed, 2 failed, 1 skipped\n</system-out></testcase>'
            "</testsuite>")
        code, output = self.run_tool("sum_results", self.root)
        self.assertEqual(code, 1, output)
        self.assertEqual(output.splitlines()[-1], "4 passed, 3 failed, 2 skipped")
        self.assertIn("== failed in one: c\n  x\n", output)

    def test_a_test_that_fails_after_its_count_is_a_failure(self):
        self.write("steps.txt", "one 8 5\n")
        self.write(
            "one.xml",
            '<testsuite><testcase name="a" status="fail"><system-out>2 passed, 0 failed, 0 skipped\ncrash\n</system-out>'
            '</testcase><testcase name="b" status="fail"><system-out>y\n</system-out></testcase></testsuite>')
        output = self.run_tool("sum_results", self.root)[1]
        self.assertIn("== failed in one: a\n  2 passed, 0 failed, 0 skipped\n  crash\n", output)
        self.assertEqual(output.splitlines()[-1], "2 passed, 2 failed, 0 skipped")


class CheckDiagnostics(TreeTest):
    def setUp(self):
        super().setUp()
        self.write("include/tilewright/runtime/op.hpp", 'static_assert(ok<T>,\n  "f must "\n  "not capture");\n')
        self.write("src/runtime/op.cpp", 'void f(const char* what) {\n'
                                         '  throw usage_error({.what = std::string(what) + ": twice", .where = {}});\n}\n')

    def check(self, *rows):
        self.write("docs/diagnostics.md", "".join(f"| {row} |\n" for row in rows))
        return self.run_tool("check_diagnostics", "--root", self.root)

    def test_accepts_a_page_with_each_message(self):
        code, output = self.check("`f must not capture` | a capture | none", "`...: twice` | used again | once")
        self.assertEqual(code, 0, output)

    def test_names_what_the_page_lacks(self):
        code, output = self.check("`...: twice` | used again | once")
        self.assertEqual(code, 1, output)
        self.assertIn("f must not capture", output)

    def test_names_what_no_source_says(self):
        code, output = self.check("`f must not capture` | a | b", "`...: twice` | a | b", "`gone` | a | b")
        self.assertEqual(code, 1, output)
        self.assertIn("no source says: gone", output)

    def test_wants_a_fix(self):
        code, output = self.check("`f must not capture` | a | b", "`...: twice` | a |")
        self.assertEqual(code, 1, output)


class Misuse(TreeTest):
    """Programs of their own, which include nothing."""

    def setUp(self):
        super().setUp()
        self.write("bad/refused.cpp", "// layer: types: a call\n// expect: too few arguments\n"
                                      "void f(int);\nint main() { f(); }\n")

    def judge(self, *arguments):
        report = self.root / "report.json"
        code, output = self.run_tool("misuse", "--corpus", self.root, "--no-run", "--toolchain", "g++-12-O0",
                                     "--json", report, *arguments)
        return code, output, json.loads(report.read_text()) if report.exists() else None

    def test_counts_a_refusal_for_the_stated_reason(self):
        _, output, report = self.judge()
        self.assertEqual(report["summary"]["toolchains"]["g++-12-O0"]["caught"], 1, output)

    def test_counts_no_refusal_for_another_reason(self):
        self.write("bad/refused.cpp", "// layer: types: a call\n// expect: given away\nint main() { f(); }\n")
        _, output, report = self.judge()
        self.assertEqual(report["summary"]["toolchains"]["g++-12-O0"]["caught"], 0, output)
        self.assertTrue(report["rows"][0]["message"].startswith("other:"), output)

    def test_counts_nothing_that_is_pending(self):
        self.write("bad/refused.cpp", "// layer: types: a call\n// expect: was not declared\n"
                                      "// needs: tilewright/runtime/not_written.hpp\nint main() { f(); }\n")
        _, output, report = self.judge()
        self.assertEqual((report["rows"], list(report["pending"])), ([], ["refused"]), output)

    def test_fails_where_less_is_caught_than_stored(self):
        stored = self.write("expected.txt", "refused g++-12-O0=rejected\n")
        self.assertEqual(self.judge("--expect", stored)[0], 0)
        self.write("bad/refused.cpp", "// layer: types: a call\n// expect: too few\nint main() {}\n")
        self.assertEqual(self.judge("--expect", stored)[0], 1)

    def test_fails_at_a_false_alarm(self):
        self.write("good/right.cpp", "int main() { right(); }\n")
        stored = self.write("expected.txt", "refused g++-12-O0=rejected\n")
        code, output, _ = self.judge("--expect", stored)
        self.assertEqual(code, 1, output)
        self.assertIn("FAILED  right", output)

    def test_blames_the_case_that_is_rehearsed(self):
        """GCC says of a template where it was first used, here by another case."""
        sys.path.insert(0, str(TOOLS))
        self.addCleanup(sys.path.remove, str(TOOLS))
        loader = importlib.machinery.SourceFileLoader("misuse_tool", str(TOOLS / "misuse"))
        tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("misuse_tool", loader))
        sys.modules["misuse_tool"] = tool  # for its dataclasses
        self.addCleanup(sys.modules.pop, "misuse_tool")
        loader.exec_module(tool)
        compiler = tool.Compiler(tool.Toolchain("g++-12"), self.root, [])
        case = collections.namedtuple("Case", "name")
        together = tool.Together(compiler, [case("one"), case("two")], "blame")
        together.lines = ["one", "one", "two", "two"]
        output = ("all.cpp:4:1: error: non-constant condition for static assertion\n"
                  "all.cpp:4:1:   in 'constexpr' expansion of 'two::misuse(tilewright::Device())'\n"
                  "all.cpp:2:1:   in 'constexpr' expansion of 'tilewright::launch(3)'\n"
                  "launch.hpp:9:9: error: call to non-'constexpr' function 'void refuse_value()'\n")
        self.assertIn("refuse_value", together.blame(output)["two"][-1])


if __name__ == "__main__":
    unittest.main()
