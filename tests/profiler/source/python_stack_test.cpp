// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/python_stack.h"

#include <gtest/gtest.h>

#include "tests/profiler/source/python_program.h"

namespace ampprof::profiler {
namespace python_stack_test {

using PythonStack = PythonProgram;

constexpr const char* kBegin = R"(
from helper.ask import ask
def number():
    return ask('stack_here')
def learn():
    ask('line_here')
learn()
)";

TEST_F(PythonStack, HasAnotherNumberInEachExpression) {
  write("train.py", std::string(kBegin) + "a, b = number(), number()\nprint(a != b, a != '0')\n");
  EXPECT_EQ(printed_by("train.py"), "True True\n") << "the layout of frames of this Python is not known";
}

TEST_F(PythonStack, HasTheSameNumberInEachTurnOfALoop) {
  write("train.py", std::string(kBegin) + "print(len({number() for i in range(9)}))\n");
  EXPECT_EQ(printed_by("train.py"), "1\n");
}

TEST_F(PythonStack, TellsCallersApart) {
  write("train.py", std::string(kBegin) + "def a(): return number()\nprint(a() != a())\n");
  EXPECT_EQ(printed_by("train.py"), "True\n");
}

TEST_F(PythonStack, GoesThroughGeneratorsAndCallbacksOfC) {
  write("train.py", std::string(kBegin) +
                        "def each():\n    yield number()\n    yield number()\n"
                        "a, b = each()\nc, d = sorted([1, 2], key=lambda x: int(number()))\n"
                        "print(a != b, c + d)\n");
  EXPECT_EQ(printed_by("train.py"), "True 3\n");
}

TEST_F(PythonStack, IsOfItsOwnThread) {
  write("train.py", std::string(kBegin) +
                        "import threading\nfound = []\ndef work(): found.append(number())\n"
                        "for i in range(2):\n    t = threading.Thread(target=work)\n    t.start()\n    t.join()\n"
                        "work()\nprint(found[0] == found[1], found[0] != found[2])\n");
  EXPECT_EQ(printed_by("train.py"), "True True\n");
}

TEST_F(PythonStack, HasNoNumberWhereItIsDeep) {
  write("train.py", std::string(kBegin) + "def deep(n): return deep(n - 1) if n else number()\nprint(deep(600))\n");
  EXPECT_EQ(printed_by("train.py"), "0\n");
}

TEST(PythonStackAlone, HasNoNumber) { EXPECT_EQ(python_stack_number(), 0u); }

}  // namespace python_stack_test
}  // namespace ampprof::profiler
