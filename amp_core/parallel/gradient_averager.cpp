// SPDX-License-Identifier: Apache-2.0
#include "amp_core/parallel/gradient_averager.h"

#include <torch/nn/module.h>
#include <torch/nn/modules/embedding.h>

#include <limits>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include "amp_core/levels/error.h"
#include "amp_core/parallel/averaging_hook.h"
#include "amp_core/parallel/collectives.h"
#include "amp_core/parallel/process_group.h"
#include "amp_core/torch_hooks/reducer.h"

namespace amp::parallel {
namespace {

constexpr std::int64_t kFirstBucketBytes = c10d::kDefaultFirstBucketBytes;  // small, so that the first allreduce begins
                                                                            // early

/// Returns the trained parameters, each once, in the model's order.
std::vector<at::Tensor> trained_parameters(const torch::nn::Module& model) {
  std::vector<at::Tensor> trained;
  std::unordered_set<const c10::TensorImpl*> seen;
  for (const at::Tensor& parameter : model.parameters()) {
    if (parameter.requires_grad() && seen.insert(parameter.unsafeGetTensorImpl()).second) trained.push_back(parameter);
  }
  if (trained.empty()) {
    throw Error(
        "amp::parallel::DistributedDataParallel got a model without a parameter that requires a gradient: there is "
        "nothing to average over the ranks.");
  }
  return trained;
}

std::unordered_set<const c10::TensorImpl*> set_of(const std::vector<at::Tensor>& tensors) {
  std::unordered_set<const c10::TensorImpl*> set;
  for (const at::Tensor& tensor : tensors) set.insert(tensor.unsafeGetTensorImpl());
  return set;
}

/// Returns for each parameter whether it is the weight of an embedding with sparse gradients.
std::vector<bool> makes_sparse_gradients(const torch::nn::Module& model, const std::vector<at::Tensor>& parameters) {
  std::unordered_set<const c10::TensorImpl*> sparse;
  model.apply([&](const torch::nn::Module& module) {
    const auto* embedding = module.as<torch::nn::EmbeddingImpl>();
    if (embedding != nullptr && embedding->options.sparse()) sparse.insert(embedding->weight.unsafeGetTensorImpl());
    const auto* bag = module.as<torch::nn::EmbeddingBagImpl>();
    if (bag != nullptr && bag->options.sparse()) sparse.insert(bag->weight.unsafeGetTensorImpl());
  });
  std::vector<bool> makes;
  for (const at::Tensor& parameter : parameters) makes.push_back(sparse.contains(parameter.unsafeGetTensorImpl()));
  return makes;
}

std::unordered_map<std::size_t, std::string> names_of(const torch::nn::Module& model,
                                                      const std::vector<at::Tensor>& parameters) {
  std::unordered_map<const c10::TensorImpl*, std::string> names;
  for (const auto& item : model.named_parameters()) names.emplace(item.value().unsafeGetTensorImpl(), item.key());
  std::unordered_map<std::size_t, std::string> by_index;
  for (std::size_t i = 0; i < parameters.size(); ++i) by_index[i] = names[parameters[i].unsafeGetTensorImpl()];
  return by_index;
}

/// Returns c10d's buckets: indices of gradients that are sent together. Buckets of the last layers come first, since
/// their gradients are ready first.
std::vector<std::vector<std::size_t>> buckets_of(const std::vector<at::Tensor>& parameters,
                                                 const std::vector<bool>& sparse,
                                                 const std::vector<std::size_t>& sizes) {
  auto [buckets, limits] = c10d::compute_bucket_assignment_by_size(parameters, sizes, sparse);
  std::reverse(buckets.begin(), buckets.end());
  return buckets;
}

std::unique_ptr<c10d::Reducer> make_reducer(const torch::nn::Module& model, const std::vector<at::Tensor>& parameters,
                                            const DistributedOptions& options) {
  const std::int64_t all = std::numeric_limits<std::int64_t>::max();
  const std::int64_t bytes =
      options.delay_allreduce ? all : options.message_size * static_cast<std::int64_t>(sizeof(float));
  const std::int64_t first = options.delay_allreduce ? all : std::min(kFirstBucketBytes, bytes);
  const std::vector<bool> sparse = makes_sparse_gradients(model, parameters);
  const std::vector<std::size_t> sizes{static_cast<std::size_t>(bytes)};
  auto reducer = make_c10d_reducer({.parameters = parameters,
                                    .buckets = buckets_of(parameters, sparse, sizes),
                                    .group = options.process_group,
                                    .makes_sparse_gradients = sparse,
                                    .names = names_of(model, parameters),
                                    .bucket_bytes = bytes,
                                    .first_bucket_bytes = first,
                                    .find_unused_parameters = options.find_unused_parameters});
  const Averaging averaging{options.allreduce_always_fp32, options.gradient_average, options.gradient_predivide_factor};
  reducer->register_comm_hook(std::make_unique<AveragingHook>(options.process_group, averaging));
  return reducer;
}

void check(const DistributedOptions& options) {
  if (!options.process_group && !is_initialized()) {
    throw Error(
        "amp::parallel::DistributedDataParallel got no process group. Pass one, or first call amp::parallel::init(), "
        "which makes the group of all ranks.");
  }
  if (!(options.gradient_predivide_factor > 0.0)) {
    throw Error("amp::parallel: gradient_predivide_factor is " + std::to_string(options.gradient_predivide_factor) +
                "; gradients are divided by it, so it must be above 0 and at most the number of ranks.");
  }
  if (options.message_size <= 0) {
    throw Error("amp::parallel: message_size is " + std::to_string(options.message_size) +
                "; it is the number of elements that are sent together, and must be at least 1.");
  }
}

/// Tells whether there is nothing to average: one rank, whose gradients stay unchanged.
bool leaves_gradients_alone(const DistributedOptions& options) {
  const int ranks = options.process_group ? options.process_group->getSize() : world_size();
  return ranks == 1 && (options.gradient_average || options.gradient_predivide_factor == 1.0);
}

}  // namespace

std::shared_ptr<GradientAverager> GradientAverager::make(const torch::nn::Module& model,
                                                         const DistributedOptions& options) {
  check(options);
  const std::shared_ptr<GradientAverager> made(new GradientAverager(model, options));
  add_replicas(made);
  return made;
}

GradientAverager::GradientAverager(const torch::nn::Module& model, const DistributedOptions& options)
    : options_(options),
      parameters_(trained_parameters(model)),
      buffers_(model.buffers()),
      trained_(set_of(parameters_)) {
  if (leaves_gradients_alone(options)) return;
  if (!options_.process_group) options_.process_group = default_group();
  with_lost_rank_error("DistributedDataParallel", [&] {
    c10d::verify_params_across_processes(options_.process_group, parameters_, std::nullopt);
    broadcast_from_first_rank(options_.process_group, model.parameters());
    broadcast_from_first_rank(options_.process_group, masters_of(parameters_));
    broadcast_from_first_rank(options_.process_group, buffers_);
    reducer_ = make_reducer(model, parameters_, options_);
  });
}

GradientAverager::~GradientAverager() = default;

void GradientAverager::before_forward() {
  if (!at::GradMode::is_enabled()) return;
  last_pass_keeps_ = is_asked_to_keep_;
  if (last_pass_keeps_ || !reducer_) return;
  with_lost_rank_error("forward", [&] {
    reducer_->rebuild_buckets();
    if (options_.broadcast_buffers) broadcast_from_first_rank(options_.process_group, buffers_);
    if (!options_.find_unused_parameters) reducer_->prepare_for_backward({});
  });
}

bool GradientAverager::trains(const at::Tensor& parameter) const {
  return trained_.contains(parameter.unsafeGetTensorImpl());
}

void GradientAverager::before_backward(const at::Tensor& loss) {
  if (!last_pass_keeps_ && reducer_) reducer_->prepare_for_backward({loss});
}

void GradientAverager::explain(const std::exception& error) const { explain_lost_ranks("scale_loss", error); }

at::Tensor GradientAverager::largest_of_ranks(const at::Tensor& numbers) const {
  if (!reducer_) return numbers;
  return with_lost_rank_error("scale_loss", [&] {
    return amp::parallel::largest_of_ranks(options_.process_group, numbers.to(parameters_.front().device()));
  });
}

}  // namespace amp::parallel
