// SPDX-License-Identifier: Apache-2.0
#include "samples/common/truth.h"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/torch.h>

#include <cstdio>
#include <vector>

#include "amp_core/amp.h"

namespace samples {
namespace {

/// Replaces the data of a model's parameters and buffers during its lifetime.
class [[nodiscard]] BorrowedData {
 public:
  BorrowedData(torch::nn::Module& model, const std::vector<at::Tensor>& weights, at::ScalarType type) {
    const auto parameters = model.parameters();
    TORCH_CHECK(parameters.size() == weights.size(), "The optimizer must have the model's parameters, in their order.");
    for (std::size_t i = 0; i < parameters.size(); ++i) replace(parameters[i], weights[i].detach().to(type));
    for (const at::Tensor& buffer : model.buffers()) {
      replace(buffer, buffer.is_floating_point() ? buffer.to(type, false, /*copy=*/true) : buffer.clone());
    }
  }
  ~BorrowedData() {
    for (auto& [tensor, data] : owned_) tensor.set_data(data);
  }
  BorrowedData(const BorrowedData&) = delete;
  BorrowedData& operator=(const BorrowedData&) = delete;

 private:
  void replace(const at::Tensor& tensor, const at::Tensor& data) {
    owned_.emplace_back(tensor, tensor.tensor_data());
    tensor.set_data(data);
  }

  std::vector<std::pair<at::Tensor, at::Tensor>> owned_;
};

}  // namespace

void print_truth(const Arguments& arguments, std::int64_t step, torch::nn::Module& model,
                 const torch::optim::Optimizer& optimizer, const std::function<at::Tensor(at::ScalarType)>& loss_in) {
  if (step != arguments.truth_step) return;
  const torch::NoGradGuard no_grad;
  const amp::DisableCasts no_casts;
  auto random = at::detail::getDefaultCPUGenerator();
  const at::Tensor random_state = random.get_state();
  const auto loss = [&](at::ScalarType type) {
    const BorrowedData borrowed(model, amp::master_params(optimizer), type);
    random.set_state(random_state);
    return loss_in(type).item<double>();
  };
  const double loss64 = loss(at::kDouble);
  const double loss32 = loss(at::kFloat);
  random.set_state(random_state);
  std::printf("truth step %ld  loss64 %.17g  loss32 %.17g\n", static_cast<long>(step), loss64, loss32);
  std::fflush(stdout);
}

}  // namespace samples
