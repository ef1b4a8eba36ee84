// SPDX-License-Identifier: Apache-2.0
// Draws handwritten digits: a generator against a discriminator, two optimizers, three losses with a scaler each.
#include <torch/torch.h>

#include <iostream>

#include "amp_core/amp.h"
#include "amp_core/parallel.h"
#include "samples/common/digits.h"
#include "samples/common/session.h"

namespace {

constexpr std::int64_t kNoise = 64;
constexpr std::int64_t kWidth = 16;
enum Loss { kReal, kFake, kGenerator, kLosses };

torch::nn::ConvTranspose2d up(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
  const auto padding = stride == 1 ? 0 : 1;
  return torch::nn::ConvTranspose2d(
      torch::nn::ConvTranspose2dOptions(in, out, kernel).stride(stride).padding(padding).bias(false));
}

torch::nn::Conv2d down(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
  const auto padding = stride == 1 ? 0 : 1;
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, kernel).stride(stride).padding(padding).bias(false));
}

struct GeneratorImpl : torch::nn::Module {
  at::Tensor forward(at::Tensor x) {
    x = torch::relu(bn1->forward(up1->forward(x)));
    x = torch::relu(bn2->forward(up2->forward(x)));
    return torch::tanh(up3->forward(x));
  }

  torch::nn::ConvTranspose2d up1 = register_module("up1", up(kNoise, 2 * kWidth, 7, 1));
  torch::nn::BatchNorm2d bn1 = register_module("bn1", torch::nn::BatchNorm2d(2 * kWidth));
  torch::nn::ConvTranspose2d up2 = register_module("up2", up(2 * kWidth, kWidth, 4, 2));
  torch::nn::BatchNorm2d bn2 = register_module("bn2", torch::nn::BatchNorm2d(kWidth));
  torch::nn::ConvTranspose2d up3 = register_module("up3", up(kWidth, 1, 4, 2));
};
TORCH_MODULE(Generator);

struct DiscriminatorImpl : torch::nn::Module {
  at::Tensor forward(at::Tensor x) {
    x = torch::leaky_relu(down1->forward(x), 0.2);
    x = torch::leaky_relu(bn2->forward(down2->forward(x)), 0.2);
    return down3->forward(x).flatten();
  }

  torch::nn::Conv2d down1 = register_module("down1", down(1, kWidth, 4, 2));
  torch::nn::Conv2d down2 = register_module("down2", down(kWidth, 2 * kWidth, 4, 2));
  torch::nn::BatchNorm2d bn2 = register_module("bn2", torch::nn::BatchNorm2d(2 * kWidth));
  torch::nn::Conv2d down3 = register_module("down3", down(2 * kWidth, 1, 7, 1));
};
TORCH_MODULE(Discriminator);

template <class Net>
void initialize_weights(Net& net) {
  const torch::NoGradGuard no_grad;
  for (auto& item : net->named_parameters()) {
    if (item.value().dim() == 4) torch::nn::init::normal_(item.value(), 0.0, 0.02);
  }
}

at::Tensor loss_of(const at::Tensor& judged, double truth) {
  return torch::binary_cross_entropy_with_logits(judged, torch::full_like(judged, truth));
}

void train(const samples::Arguments& arguments) {
  amp::parallel::init();
  const at::Device device = samples::set_up(arguments, {amp::parallel::rank(), amp::parallel::local_rank()});
  const auto digits = samples::load_digits(arguments.seed);
  const auto last_step = arguments.steps_for(digits.train.size());
  if (arguments.count_steps) {
    std::cout << last_step << std::endl;
    return;
  }
  Discriminator discriminator;
  Generator generator;
  initialize_weights(discriminator);
  initialize_weights(generator);
  discriminator->to(device);
  generator->to(device);
  const auto adam = torch::optim::AdamOptions(2e-4).betas({0.5, 0.999});
  torch::optim::Adam discriminator_optimizer(discriminator->parameters(), adam);
  torch::optim::Adam generator_optimizer(generator->parameters(), adam);
  if (!arguments.no_amp) {
    amp::Options options = samples::amp_options(arguments);
    options.num_losses = kLosses;
    amp::initialize({discriminator, generator}, {discriminator_optimizer, generator_optimizer}, options);
  }
  amp::parallel::DistributedDataParallel<Discriminator> judge(discriminator);
  amp::parallel::DistributedDataParallel<Generator> draw(generator);
  const auto backward = [&](const at::Tensor& loss, torch::optim::Optimizer& optimizer, Loss id) {
    if (arguments.no_amp) return loss.backward();
    amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); }, {.loss_id = id});
  };
  const auto update = [&](torch::optim::Optimizer& optimizer) {
    arguments.no_amp ? static_cast<void>(optimizer.step()) : static_cast<void>(amp::step(optimizer));
  };

  samples::Batches batches(digits.train.to(device), arguments.batch_size);
  for (std::int64_t step = 1; step <= last_step; ++step) {
    const auto real = samples::poisoned(batches.next().images * 2 - 1, step, arguments);
    const auto noise = torch::randn({arguments.batch_size, kNoise, 1, 1}).to(device);

    // The discriminator: real digits are real, the generator's are fake.
    discriminator_optimizer.zero_grad();
    const auto real_loss = loss_of(amp::forward(judge, real), 1.0);
    backward(real_loss, discriminator_optimizer, kReal);
    const auto fake = amp::forward(draw, noise);
    const auto fake_loss = loss_of(amp::forward(judge, fake.detach()), 0.0);
    backward(fake_loss, discriminator_optimizer, kFake);
    update(discriminator_optimizer);

    // The generator: its digits should pass for real.
    generator_optimizer.zero_grad();
    const auto generator_loss = loss_of(amp::forward(judge, fake), 1.0);
    backward(generator_loss, generator_optimizer, kGenerator);
    update(generator_optimizer);

    samples::print_loss(step, last_step, "discriminator", real_loss + fake_loss);
    samples::print_loss(step, last_step, "generator    ", generator_loss);
  }
  samples::save(arguments, {discriminator.get(), generator.get()});
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments =
      samples::parse(argc, argv, "Draws digits: two networks, two optimizers, three losses", {.steps = 60});
  return samples::run([&] { train(arguments); });
}
