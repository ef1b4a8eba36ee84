// SPDX-License-Identifier: Apache-2.0
// feature: sparse gradients of an embedding, with SGD
// steps: 4
// loss: ^
#include <torch/torch.h>

#include <iostream>

#include "tests/programs/program_state.h"

int main() {
  torch::set_num_threads(1);
  torch::manual_seed(8);
  torch::nn::Embedding table(torch::nn::EmbeddingOptions(20, 6).sparse(true));
  torch::optim::SGD optimizer(table->parameters(), torch::optim::SGDOptions(0.1));
  for (int i = 0; i < 4; ++i) {
    const auto words = torch::randint(20, {5});
    optimizer.zero_grad();
    const auto vectors = table->forward(words);
    const auto loss = (vectors.matmul(vectors.t()) - torch::eye(5)).square().mean();
    loss.backward();
    std::cout << loss.item<float>() << " " << table->weight.grad().is_sparse() << "\n";
    optimizer.step();
  }
  program_state::save(program_state::of(*table));
}
