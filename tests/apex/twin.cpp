// SPDX-License-Identifier: Apache-2.0
// apex_twin IN OUT: trains like tests/apex/twin_test.py, with amp_core from C++. IN holds the initial weights and the
// batches. OUT receives the losses and final weights for each level and optimizer.

#include <torch/nn.h>
#include <torch/optim.h>
#include <torch/serialize.h>
#include <torch/types.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "amp_core/amp.h"
#include "amp_core/optimizers.h"

namespace {

using Dict = c10::impl::GenericDict;

torch::nn::Sequential make_model(const Dict& in) {
  torch::nn::Sequential model(torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 8, 3).bias(false)),
                              torch::nn::BatchNorm2d(8), torch::nn::ReLU(), torch::nn::Flatten(),
                              torch::nn::Linear(8 * 6 * 6, 10));
  const torch::NoGradGuard no_grad;
  for (const auto& item : model->named_parameters()) item.value().copy_(in.at(item.key()).toTensor());
  return model;
}

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const std::string& name,
                                                        const std::vector<at::Tensor>& parameters) {
  if (name == "sgd") {
    return std::make_unique<torch::optim::SGD>(parameters, torch::optim::SGDOptions(0.05).weight_decay(1e-3));
  }
  if (name == "adam") return std::make_unique<amp::FusedAdam>(parameters, amp::FusedAdamOptions(1e-3));
  return std::make_unique<amp::FusedLAMB>(parameters, amp::FusedLAMBOptions(1e-2));
}

void train(const std::string& level, const std::string& name, const Dict& in, Dict& out) {
  torch::nn::Sequential model = make_model(in);
  const auto optimizer = make_optimizer(name, model->parameters());
  amp::initialize(model, *optimizer, {.opt_level = level, .verbosity = 0});
  const at::Tensor images = in.at("images").toTensor();
  const at::Tensor targets = in.at("targets").toTensor();
  std::vector<at::Tensor> losses;
  for (std::int64_t i = 0; i < images.size(0); ++i) {
    optimizer->zero_grad();
    const at::Tensor loss = torch::cross_entropy_loss(amp::forward(model, images[i]), targets[i]);
    amp::scale_loss(loss, *optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
    amp::step(*optimizer);
    losses.push_back(loss.detach());
  }
  const std::string prefix = level + "." + name + ".";
  out.insert(prefix + "losses", torch::stack(losses));
  for (const auto& item : amp::model_state_dict(model)) out.insert(prefix + item.key(), item.value());
  amp::shutdown();
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::cerr << "apex_twin: say which file to read, and which to write\n";
    return 2;
  }
  std::ifstream file(words[1], std::ios::binary);
  const Dict in = torch::pickle_load({std::istreambuf_iterator<char>(file), {}}).toGenericDict();
  Dict out(c10::StringType::get(), c10::TensorType::get());
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    for (const char* name : {"sgd", "adam", "lamb"}) train(level, name, in, out);
  }
  const std::vector<char> bytes = torch::pickle_save(out);
  std::ofstream(words[2], std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}
