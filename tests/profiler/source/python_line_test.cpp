// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/python_line.h"

#include <gtest/gtest.h>

#include "tests/profiler/source/python_program.h"

namespace ampprof::profiler {
namespace python_line_test {

using PythonLine = PythonProgram;

TEST_F(PythonLine, IsTheInnermostOneOfTheUsersFiles) {
  write("model.py", "from helper.ask import ask\n\n\ndef forward():\n    x = 1\n    return ask()\n");
  write("train.py", "import model\n\nprint(model.forward())\n");
  EXPECT_EQ(printed_by("train.py"), "model.py:6\n");
}

TEST_F(PythonLine, IsThePlaceOfWhatRunsInPython) {
  write("train.py", "from helper.ask import ask\n\nprint(ask('place_here'))\n");
  EXPECT_EQ(printed_by("train.py"), "train.py:3\n");
}

TEST_F(PythonLine, IsFoundWhetherTheLockIsHeldOrNot) {
  write("train.py",
        "import ctypes\nfrom helper.ask import ask\nprint(ask(load=ctypes.PyDLL))\nprint(ask(load=ctypes.CDLL))\n");
  EXPECT_EQ(printed_by("train.py"), "train.py:3\ntrain.py:4\n");
}

TEST_F(PythonLine, IsThePackagesInnermostWhereNoFileIsTheUsers) {
  write("site-packages/trainer/inner.py", "from helper.ask import ask\ndef fit():\n    return ask()\n");
  write("site-packages/trainer/main.py", "from trainer import inner\nprint(inner.fit())\n");
  EXPECT_EQ(printed_by("site-packages/trainer/main.py"), "site-packages/helper/ask.py:6\n");
}

TEST_F(PythonLine, IsNeverInTorch) {
  write("mytorch/nn.py", "from helper.ask import ask\ndef linear(torch):\n    return ask(torch=torch)\n");
  write("train.py",
        "import sys\nfrom mytorch import nn\nprint(nn.linear(sys.path[0] + '/mytorch'))\nprint(nn.linear(''))\n");
  EXPECT_EQ(printed_by("train.py"), "train.py:3\nmytorch/nn.py:3\n");
}

TEST_F(PythonLine, IsNoneOfAThreadThatPythonDoesNotKnow) {
  write("train.py", "from helper.ask import ask\nprint([ask('line_of_new_thread')])\n");
  EXPECT_EQ(printed_by("train.py"), "['']\n");
}

TEST_F(PythonLine, LeavesNoErrorWhereAFilesNameIsNoText) {
  write("train.py",
        "from helper.ask import ask\nexec(compile('print([ask()])\\nprint(1 + 1)', 'bad\\udc80.py', 'exec'))\n");
  EXPECT_EQ(printed_by("train.py"), "['train.py:2']\n2\n");
}

TEST_F(PythonLine, IsOfItsOwnThread) {
  write("train.py",
        "import threading\nfrom helper.ask import ask\n\ndef work():\n    print(ask())\n\n"
        "thread = threading.Thread(target=work)\nthread.start()\nthread.join()\n");
  EXPECT_EQ(printed_by("train.py"), "train.py:5\n");
}

TEST_F(PythonLine, HasAPathForEachOfItsExpressions) {
  write("train.py",
        "from helper.ask import ask\n"
        "def pair(): return ask('path_here'), ask('path_here')\n"
        "pairs = {pair() for i in range(50)}\nprint(len(pairs), len(set(*pairs)))\n");
  EXPECT_EQ(printed_by("train.py"), "1 2\n") << "an interpreter specializes the instructions of a loop";
}

TEST(WithoutPython, ThereIsNoLine) { EXPECT_FALSE(python_place("").has_value()); }

}  // namespace python_line_test
}  // namespace ampprof::profiler
