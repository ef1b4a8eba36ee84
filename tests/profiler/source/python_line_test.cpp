// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/python_line.h"

#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/wait.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "reports/records/exponents.h"
#include "tests/temporary_folder.h"

namespace ampprof::profiler {
namespace python_line_test {

constexpr const char* kAsk = R"(
import ctypes, sys
def ask(function="line_here", load=ctypes.CDLL, torch=""):
    found = getattr(load(sys.argv[1]), function)
    found.restype = ctypes.c_char_p
    return found(torch.encode()).decode()
)";

/// A program of several files, which asks for its line.
class PythonLine : public testing::Test {
 protected:
  PythonLine() { write("site-packages/helper/ask.py", kAsk); }

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  /// What a file of the program prints, with the program's own folder taken off.
  std::string printed_by(const std::string& file) const {
    const std::string command = "PYTHONPATH=" + folder_.path().string() + "/site-packages:" + folder_.path().string() +
                                " PYTHONDONTWRITEBYTECODE=1 python3 " + (folder_.path() / file).string() + " " +
                                PYTHON_LINE_PROBE + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    std::string text;
    std::array<char, 4096> block;
    while (const std::size_t size = fread(block.data(), 1, block.size(), pipe)) text.append(block.data(), size);
    EXPECT_EQ(pclose(pipe), 0) << text;
    const std::string own = folder_.path().string() + "/";
    for (std::size_t at = text.find(own); at != std::string::npos; at = text.find(own)) text.erase(at, own.size());
    return text;
  }

  std::string folder() const { return folder_.path().string(); }

 private:
  test_support::TemporaryFolder folder_;
};

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

TEST(WithoutPython, ThereIsNoLine) { EXPECT_EQ(python_line(""), std::nullopt); }

}  // namespace python_line_test
}  // namespace ampprof::profiler
