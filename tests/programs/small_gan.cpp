// SPDX-License-Identifier: Apache-2.0
// feature: a GAN in C++
// steps: 3
// loss: G
// modes: recorded, deep, what-if, recipe
#include <torch/torch.h>

#include <iostream>

#include "tests/programs/program_state.h"

int main() {
  torch::set_num_threads(1);
  torch::manual_seed(11);
  torch::nn::Sequential generator(torch::nn::Linear(2, 8), torch::nn::ReLU(), torch::nn::Linear(8, 4));
  torch::nn::Sequential discriminator(torch::nn::Linear(4, 8),
                                      torch::nn::LeakyReLU(torch::nn::LeakyReLUOptions().negative_slope(0.2)),
                                      torch::nn::Linear(8, 1), torch::nn::Sigmoid());
  torch::optim::Adam generator_optimizer(generator->parameters(), torch::optim::AdamOptions(1e-3).betas({0.5, 0.9}));
  torch::optim::Adam discriminator_optimizer(discriminator->parameters(), torch::optim::AdamOptions(2e-3));
  for (int64_t batch_index = 0; batch_index < 3; ++batch_index) {
    discriminator->zero_grad();
    const torch::Tensor real = torch::randn({6, 4}) + 1;
    const torch::Tensor real_loss = torch::binary_cross_entropy(discriminator->forward(real), torch::full({6, 1}, 0.9));
    real_loss.backward();
    const torch::Tensor fake = generator->forward(torch::randn({6, 2}));
    const torch::Tensor fake_loss =
        torch::binary_cross_entropy(discriminator->forward(fake.detach()), torch::zeros({6, 1}));
    fake_loss.backward();
    discriminator_optimizer.step();

    generator->zero_grad();
    const torch::Tensor loss = torch::binary_cross_entropy(discriminator->forward(fake), torch::ones({6, 1}));
    loss.backward();
    generator_optimizer.step();
    std::cout << "D " << (real_loss + fake_loss).item<float>() << " G " << loss.item<float>() << std::endl;
  }
  auto state = program_state::of(*generator, "generator");
  for (auto& item : program_state::of(*discriminator, "discriminator")) state.push_back(item);
  program_state::save(state);
}
