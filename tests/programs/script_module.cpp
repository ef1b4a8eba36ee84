// SPDX-License-Identifier: Apache-2.0
// feature: a TorchScript module is loaded and trained
// steps: 3
// loss: ^
#include <torch/script.h>
#include <torch/torch.h>

#include <iostream>
#include <sstream>

#include "tests/programs/program_state.h"

namespace {

// Replaces the file that a Python program would write.
std::stringstream exported_model() {
  torch::jit::Module model("model");
  model.register_parameter("weight", torch::randn({3, 5}, torch::requires_grad()), /*is_buffer=*/false);
  model.register_buffer("calls", torch::zeros({}));
  model.define(R"(
    def forward(self, x):
        self.calls.add_(1)
        y = torch.matmul(x, self.weight.t())
        if y.sum() > 0:
            y = torch.tanh(y)
        return y
  )");
  std::stringstream file;
  model.save(file);
  return file;
}

}  // namespace

int main() {
  torch::set_num_threads(1);
  torch::manual_seed(5);
  auto file = exported_model();
  torch::jit::Module model = torch::jit::load(file);
  model.train();
  std::vector<torch::Tensor> parameters;
  for (const auto& parameter : model.parameters()) parameters.push_back(parameter);
  torch::optim::SGD optimizer(parameters, torch::optim::SGDOptions(0.1));
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    auto loss = model.forward({torch::randn({4, 5})}).toTensor().abs().mean();
    loss.backward();
    optimizer.step();
    std::cout << loss.item<float>() << "\n";
  }
  program_state::save({{"weight", parameters[0]}, {"calls", model.attr("calls").toTensor()}});
}
