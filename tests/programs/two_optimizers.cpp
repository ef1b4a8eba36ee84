// SPDX-License-Identifier: Apache-2.0
// feature: two optimizers for the two halves of one loss
// steps: 3
// loss: :
// modes: recorded, deep, what-if, recipe
#include <torch/torch.h>

#include <iostream>

#include "tests/programs/program_state.h"

struct Autoencoder : torch::nn::Module {
  torch::nn::Linear encoder{register_module("encoder", torch::nn::Linear(10, 4))};
  torch::nn::Linear decoder{register_module("decoder", torch::nn::Linear(4, 10))};
};

int main() {
  torch::set_num_threads(1);
  torch::manual_seed(2);
  Autoencoder model;
  torch::optim::AdamW encoder_optimizer(model.encoder->parameters(), torch::optim::AdamWOptions(1e-3));
  torch::optim::RMSprop decoder_optimizer(model.decoder->parameters(), torch::optim::RMSpropOptions(1e-2));
  for (int epoch = 1; epoch <= 3; ++epoch) {
    const auto input = torch::rand({5, 10});
    const auto output = model.decoder(torch::gelu(model.encoder(input))).sigmoid();
    const auto loss = torch::binary_cross_entropy(output, input);
    encoder_optimizer.zero_grad();
    decoder_optimizer.zero_grad();
    loss.backward();
    encoder_optimizer.step();
    decoder_optimizer.step();
    std::cout << "Epoch " << epoch << ": " << loss.item<float>() << std::endl;
  }
  program_state::save(program_state::of(model));
}
