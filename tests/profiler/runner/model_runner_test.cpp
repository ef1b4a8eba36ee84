// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <torch/jit.h>
#include <torch/script.h>
#include <torch/types.h>

#include "cli/launch/program/torchscript_file.h"
#include "tests/reports/sample_report.h"

namespace ampprof::profiler {
namespace model_runner_test {

struct Outcome {
  int exit_code = -1;
  std::string text;  // stdout and stderr together
};

class ModelRunner : public testing::Test {
 protected:
  ModelRunner() {
    torch::jit::Module model("tiny");
    model.register_parameter("weight", torch::ones({3, 2}, torch::requires_grad()), false);
    model.define("def forward(self, x):\n  return torch.relu(x @ self.weight), [x.float()]\n");
    model.save(file("model.pt"));
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  Outcome run(const std::string& arguments) const {
    const std::string command = std::string(AMPPROF_RUNNER) + " " + arguments + " >" + file("out") + " 2>&1";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), testing_reports::bytes_of(file("out"))};
  }

  testing_reports::TemporaryFolder folder_;
};

TEST_F(ModelRunner, RunsWhatTheCommandLineAccepts) {
  EXPECT_EQ(cli::why_not_model(file("model.pt")), "");
  const Outcome outcome = run(file("model.pt") + " --input f32[4,3] --steps 2");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.text, "output Float [4, 2]\noutput Float [4, 3]\n");
}

TEST_F(ModelRunner, TrainsAndIsDeterministic) {
  const std::string arguments = file("model.pt") + " --input f32[4,3] --train --steps 3 --seed 5";
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.text.starts_with("loss ")) << outcome.text;
  EXPECT_EQ(run(arguments).text, outcome.text);
}

TEST_F(ModelRunner, NamesWhatItCannotRun) {
  testing_reports::write_bytes(file("text.pt"), "no archive");
  const Outcome unreadable = run(file("text.pt") + " --input f32[4,3]");
  EXPECT_EQ(unreadable.exit_code, 2);
  EXPECT_NE(unreadable.text.find("cannot be loaded as a TorchScript model"), std::string::npos) << unreadable.text;
  const Outcome wrong_shape = run(file("model.pt") + " --input f32[4,7]");
  EXPECT_EQ(wrong_shape.exit_code, 2);
  EXPECT_NE(wrong_shape.text.find("does not take these inputs"), std::string::npos) << wrong_shape.text;
  EXPECT_EQ(run(file("model.pt") + " --input f31[4]").exit_code, 2);
  EXPECT_EQ(run("").exit_code, 2);
}

}  // namespace model_runner_test
}  // namespace ampprof::profiler
