// SPDX-License-Identifier: Apache-2.0
// Spells English words: a character language model with causal self-attention. Its vocabulary of 27 symbols is not a
// multiple of 8, so the last layer does not fill Tensor Cores.
#include <torch/torch.h>

#include <cmath>
#include <iostream>
#include <limits>

#include "amp_core/amp.h"
#include "amp_core/parallel.h"
#include "samples/common/session.h"
#include "samples/common/truth.h"
#include "samples/common/words.h"

namespace {

constexpr std::int64_t kLength = 64;
constexpr std::int64_t kWidth = 64;
constexpr std::int64_t kHeads = 4;
constexpr std::int64_t kBlocks = 3;

struct AttentionImpl : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) {
    const auto batch = x.size(0), length = x.size(1);
    const auto heads = qkv->forward(x).view({batch, length, 3, kHeads, kWidth / kHeads}).permute({2, 0, 3, 1, 4});
    auto scores = torch::matmul(heads[0], heads[1].transpose(2, 3)) / std::sqrt(kWidth / kHeads);
    const auto future = torch::ones({length, length}, x.options().dtype(torch::kBool)).triu(1);
    scores = scores.masked_fill(future, -std::numeric_limits<double>::infinity());
    const auto read = torch::matmul(torch::softmax(scores, -1), heads[2]);
    return out->forward(read.transpose(1, 2).reshape({batch, length, kWidth}));
  }

  torch::nn::Linear qkv = register_module("qkv", torch::nn::Linear(kWidth, 3 * kWidth));
  torch::nn::Linear out = register_module("out", torch::nn::Linear(kWidth, kWidth));
};
TORCH_MODULE(Attention);

torch::nn::LayerNorm norm() { return torch::nn::LayerNorm(torch::nn::LayerNormOptions({kWidth})); }

struct BlockImpl : torch::nn::Module {
  at::Tensor forward(at::Tensor x) {
    x = x + attention->forward(norm1->forward(x));
    return x + down->forward(torch::gelu(up->forward(norm2->forward(x))));
  }

  torch::nn::LayerNorm norm1 = register_module("norm1", norm());
  Attention attention = register_module("attention", Attention());
  torch::nn::LayerNorm norm2 = register_module("norm2", norm());
  torch::nn::Linear up = register_module("up", torch::nn::Linear(kWidth, 4 * kWidth));
  torch::nn::Linear down = register_module("down", torch::nn::Linear(4 * kWidth, kWidth));
};
TORCH_MODULE(Block);

struct SpellerImpl : torch::nn::Module {
  SpellerImpl() {
    for (std::int64_t i = 0; i < kBlocks; ++i) blocks->push_back(Block());
    register_module("blocks", blocks);
  }

  /// Maps symbols [batch, length] to the logits of each next symbol, [batch, length, 27].
  at::Tensor forward(const at::Tensor& symbols) {
    const auto places = torch::arange(symbols.size(1), symbols.options());
    const auto x = symbol->forward(symbols) + place->forward(places);
    return head->forward(last_norm->forward(blocks->forward(x)));
  }

  torch::nn::Embedding symbol = register_module("symbol", torch::nn::Embedding(samples::kSymbols, kWidth));
  torch::nn::Embedding place = register_module("place", torch::nn::Embedding(kLength, kWidth));
  torch::nn::Sequential blocks;
  torch::nn::LayerNorm last_norm = register_module("last_norm", norm());
  torch::nn::Linear head = register_module("head", torch::nn::Linear(kWidth, samples::kSymbols));
};
TORCH_MODULE(Speller);

at::Tensor loss_of(const at::Tensor& logits, const at::Tensor& targets) {
  return torch::nn::functional::cross_entropy(logits.flatten(0, 1), targets.flatten());
}

void train(const samples::Arguments& arguments) {
  if (arguments.count_steps) {
    std::cout << arguments.steps << std::endl;
    return;
  }
  amp::parallel::init();
  const at::Device device = samples::set_up(arguments, {amp::parallel::rank(), amp::parallel::local_rank()});
  const auto words = samples::load_words(arguments.seed);
  Speller speller;
  speller->to(device);
  const auto adam = torch::optim::AdamOptions(2e-3).eps(1e-4);  // the usual 1e-8 is zero in FP16, at O3
  torch::optim::Adam optimizer(speller->parameters(), adam);
  const samples::HeldWeights held(arguments, *speller, optimizer);
  if (!arguments.no_amp) amp::initialize(speller, optimizer, samples::amp_options(arguments));
  amp::parallel::DistributedDataParallel<Speller> parallel(speller);

  for (std::int64_t step = 1; step <= arguments.steps; ++step) {
    held.begin(step);
    const auto batch = samples::random_windows(words.train, arguments.batch_size, kLength).to(device);
    samples::print_truth(arguments, step, *speller, optimizer,
                         [&](at::ScalarType) { return loss_of(speller->forward(batch.inputs), batch.targets); });
    optimizer.zero_grad();
    const auto loss = loss_of(amp::forward(parallel, batch.inputs), batch.targets);
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
      samples::parse(argc, argv, "Spells English words with self-attention", {.batch_size = 32, .steps = 100});
  return samples::run([&] { train(arguments); });
}
