// SPDX-License-Identifier: Apache-2.0
// Spells English words with an LSTM. The sizes of batch, vocabulary, embedding and hidden state are not multiples of 8.
#include <torch/torch.h>

#include <iostream>

#include "amp_core/amp.h"
#include "samples/common/session.h"
#include "samples/common/words.h"

namespace {

constexpr std::int64_t kLength = 32;
constexpr std::int64_t kEmbedding = 30;
constexpr std::int64_t kHidden = 100;

struct SpellerImpl : torch::nn::Module {
  /// Maps symbols [batch, length] to the logits of each next symbol, [batch, length, 27].
  at::Tensor forward(const at::Tensor& symbols) {
    return head->forward(std::get<0>(lstm->forward(embedding->forward(symbols))));
  }

  torch::nn::Embedding embedding = register_module("embedding", torch::nn::Embedding(samples::kSymbols, kEmbedding));
  torch::nn::LSTM lstm = register_module(
      "lstm", torch::nn::LSTM(torch::nn::LSTMOptions(kEmbedding, kHidden).num_layers(2).batch_first(true)));
  torch::nn::Linear head = register_module("head", torch::nn::Linear(kHidden, samples::kSymbols));
};
TORCH_MODULE(Speller);

at::Tensor loss_of(const at::Tensor& logits, const at::Tensor& targets) {
  return torch::nn::functional::cross_entropy(logits.flatten(0, 1), targets.flatten());
}

void train(const samples::Arguments& arguments) {
  const at::Device device = samples::set_up(arguments);
  if (arguments.count_steps) {
    std::cout << arguments.steps << std::endl;
    return;
  }
  const auto words = samples::load_words(arguments.seed);
  Speller speller;
  speller->to(device);
  const auto adam = torch::optim::AdamOptions(5e-3).eps(1e-4);  // the usual 1e-8 is zero in FP16, at O3
  torch::optim::Adam optimizer(speller->parameters(), adam);
  const samples::HeldWeights held(arguments, *speller, optimizer);
  if (!arguments.no_amp) amp::initialize(speller, optimizer, samples::amp_options(arguments));

  for (std::int64_t step = 1; step <= arguments.steps; ++step) {
    held.begin(step);
    const auto batch = samples::random_windows(words.train, arguments.batch_size, kLength).to(device);
    optimizer.zero_grad();
    const auto loss = loss_of(amp::forward(speller, batch.inputs), batch.targets);
    if (arguments.no_amp) {
      loss.backward();
      optimizer.step();
    } else {
      amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
      amp::step(optimizer);
    }
    samples::print_loss(step, arguments.steps, "loss", loss);
  }

  const torch::NoGradGuard no_grad;
  speller->eval();
  const auto test = samples::first_windows(words.test, 200, kLength).to(device);
  samples::print_bits_per_symbol(loss_of(amp::forward(speller, test.inputs), test.targets));
  samples::save(arguments, {speller.get()});
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments =
      samples::parse(argc, argv, "Spells English words with an LSTM", {.batch_size = 50, .steps = 100});
  return samples::run([&] { train(arguments); });
}
