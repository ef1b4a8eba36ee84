// SPDX-License-Identifier: Apache-2.0
// A C++ program that records parts of itself. usage: records_itself REPORT...: trains once for each report. "-" trains
// without a recording, "!" ends a recording by an exception, "x" ends it by exit().
#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

#include "profiler/ampprof.h"
#include "profiler/record.h"

namespace {

void train() {
  torch::manual_seed(1);
  torch::nn::Sequential net(torch::nn::Linear(8, 16), torch::nn::ReLU(), torch::nn::Linear(16, 4));
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    const auto output = net->forward(torch::randn({8, 8})).to(torch::kHalf);
    torch::nn::functional::cross_entropy(output.to(torch::kFloat), torch::randint(4, {8})).backward();
    optimizer.step();
    ampprof::step();
  }
}

void record(const std::string& report) {
  std::optional<ampprof::Recording> recording;
  if (report == "!") {
    const ampprof::Recording ended({"--output=exception.ampprof"});
    train();
    throw std::runtime_error("the program's own");
  }
  if (report == "x") {
    const ampprof::Recording lasting({"--output=exit.ampprof"});
    train();
    std::exit(0);
  }
  if (report != "-") recording.emplace(std::vector<std::string>{"--output=" + report, "--impact"});
  train();
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    try {
      record(argv[i]);
    } catch (const std::exception& error) {
      std::cout << error.what() << '\n';
    }
  }
}
