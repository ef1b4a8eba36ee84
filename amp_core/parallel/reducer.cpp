// SPDX-License-Identifier: Apache-2.0
#include "amp_core/parallel/reducer.h"

#include <ATen/Functions.h>
#include <torch/nn/module.h>
#include <torch/utils.h>

#include <unordered_set>

#include "amp_core/multi_tensor/flat_copy.h"
#include "amp_core/multi_tensor/tensor_groups.h"
#include "amp_core/parallel/collectives.h"
#include "amp_core/parallel/process_group.h"

namespace amp::parallel {

void flat_dist_call(const std::vector<at::Tensor>& tensors, const std::function<void(at::Tensor& flat)>& call) {
  const torch::NoGradGuard no_grad;
  for (const TensorGroup& group : group_by_device_and_type(tensors)) {
    FlatCopy flat = flat_copy(group.tensors, group.type());
    call(flat.buffer);
    at::_foreach_copy_(group.tensors, flat.tensors);
  }
}

/// Registers the model's copies on all ranks with scale_loss().
class Reducer::Copies : public Replicas {
 public:
  Copies(std::vector<at::Tensor> parameters, c10::intrusive_ptr<c10d::ProcessGroup> group)
      : parameters_(std::move(parameters)), group_(std::move(group)) {
    for (const at::Tensor& parameter : parameters_) trained_.insert(parameter.unsafeGetTensorImpl());
  }

  const std::vector<at::Tensor>& parameters() const { return parameters_; }
  const c10::intrusive_ptr<c10d::ProcessGroup>& process_group() const { return group_; }

  bool trains(const at::Tensor& parameter) const override { return trained_.contains(parameter.unsafeGetTensorImpl()); }
  void before_backward(const at::Tensor&) override {}
  void explain(const std::exception& error) const override { explain_lost_ranks("scale_loss", error); }
  bool keeps_gradients() const override { return false; }
  const void* group() const override { return group_.get(); }
  at::Tensor largest_of_ranks(const at::Tensor& numbers) const override {
    return with_lost_rank_error(
        "scale_loss", [&] { return parallel::largest_of_ranks(group_, numbers.to(parameters_.front().device())); });
  }

 private:
  std::vector<at::Tensor> parameters_;
  c10::intrusive_ptr<c10d::ProcessGroup> group_;
  std::unordered_set<const c10::TensorImpl*> trained_;
};

Reducer::Reducer(const ModelRef& model, c10::intrusive_ptr<c10d::ProcessGroup> group) {
  if (!group) group = default_group();
  const std::vector<at::Tensor> parameters = model.get().parameters();
  if (parameters.empty()) throw Error("amp::parallel::Reducer got a model without parameters.");
  copies_ = std::make_shared<Copies>(parameters, std::move(group));
  with_lost_rank_error("Reducer", [&] {
    broadcast_from_first_rank(copies_->process_group(), parameters);
    broadcast_from_first_rank(copies_->process_group(), masters_of(parameters));
  });
  add_replicas(copies_);
}

void Reducer::reduce() {
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& parameter : copies_->parameters()) {
    if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  }
  with_lost_rank_error("Reducer::reduce", [&] {
    flat_dist_call(gradients, [&](at::Tensor& flat) {
      sum_over_ranks(copies_->process_group(), flat);
      flat.div_(copies_->process_group()->getSize());
    });
  });
}

}  // namespace amp::parallel
