// SPDX-License-Identifier: Apache-2.0
// Tests that each call site names the line in the program's own code, and that the losses are those that the program
// prints.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "reports/queries/losses.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace source_test {

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Returns an operator's name as programs write it, without namespace and overload.
std::string plain_name(const std::string& op) { return op.substr(0, op.find('.')); }

class Source : public ::testing::Test {
 protected:
  /// Records a program and compares the line of each forward call with the line's "at:" comment.
  void check(const std::string& command, const std::filesystem::path& file, const std::string& options = "") {
    result_ = run_command(ampprof() + " run --force -o r.ampprof " + options + " -- " + command, folder_.path());
    ASSERT_EQ(result_.exit_code, 0) << result_.err;
    const std::vector<std::string> lines = lines_of(file);
    int looked_at = 0;
    for (const queries::OpRow& op : queries::ops(report())) {
      if (op.phase != Phase::Forward || op.op.find("::") != std::string::npos || is_setup(op)) continue;
      ++looked_at;
      const std::size_t colon = op.source.rfind(':');
      ASSERT_NE(colon, std::string::npos) << op.call_site << ": " << op.source;
      EXPECT_EQ(std::filesystem::path(op.source.substr(0, colon)).filename(), file.filename()) << op.call_site;
      const std::string& line = lines.at(std::stoul(op.source.substr(colon + 1)) - 1);
      const std::string marked = line.find("at:") == std::string::npos ? "" : line.substr(line.find("at:") + 3) + " ";
      EXPECT_NE(marked.find(" " + plain_name(op.op) + " "), std::string::npos) << op.call_site << " at " << op.source;
    }
    EXPECT_GT(looked_at, 12);
  }

  queries::Report report() const { return queries::Report(folder_.path() / "r.ampprof"); }
  const CommandResult& result() const { return result_; }

 private:
  /// Returns whether an op creates or fills parameters before the first step.
  static bool is_setup(const queries::OpRow& op) { return op.op == "empty.memory_format" || op.op == "detach"; }

  TemporaryFolder folder_;
  CommandResult result_;
};

std::string printed(double loss) {
  std::ostringstream text;
  text.precision(6);
  text << std::fixed << loss << "\n";
  return text.str();
}

TEST_F(Source, OfPythonIsTheLineOfTheProgram) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  check(python() + " " + script("lines.py"), script("lines.py"));
  EXPECT_EQ(printed(queries::losses(report()).back().loss.value), result().out);
}

TEST_F(Source, OfPythonIsReadWhereAStepBegins) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  check(python() + " " + script("lines.py"), script("lines.py"), "--steps 2:2");
}

TEST_F(Source, OfCppIsTheLineOfTheProgramAndOfBackwardThatOfItsForwardOp) {
  check(program("lines"), script("lines.cpp"));
  EXPECT_EQ(printed(queries::losses(report()).back().loss.value), result().out);
  std::string forward;
  std::string backward;
  for (const queries::OpRow& op : queries::ops(report())) {
    if (op.op == "tanh") forward = op.source;
    if (op.op == "tanh_backward") backward = op.source;
  }
  EXPECT_NE(forward, "");
  EXPECT_EQ(backward, forward);
}

TEST_F(Source, IsTheFunctionWhereThereIsNoDebugInformation) {
  const auto stripped = std::filesystem::temp_directory_path() / "ampprof-lines-stripped";
  ASSERT_EQ(run_command("strip --strip-debug -o " + stripped.string() + " " + program("lines"), ".").exit_code, 0);
  TemporaryFolder folder;
  const auto run = run_command(ampprof() + " run -o r.ampprof -- " + stripped.string(), folder.path());
  std::filesystem::remove(stripped);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const queries::Report report(folder.path() / "r.ampprof");
  bool found = false;
  for (const queries::OpRow& op : queries::ops(report)) {
    if (op.op == "mse_loss") found = op.source == "main";
  }
  EXPECT_TRUE(found);
  const auto missing = run_command(ampprof() + " show r.ampprof missing", folder.path());
  EXPECT_NE(missing.out.find("lines of code"), std::string::npos) << missing.out;
}

}  // namespace source_test
}  // namespace ampprof::testing
