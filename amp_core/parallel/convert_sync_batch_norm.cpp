// SPDX-License-Identifier: Apache-2.0
#include "amp_core/parallel/convert_sync_batch_norm.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <torch/nn/modules/batchnorm.h>

#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "amp_core/base/module_name.h"
#include "amp_core/levels/error.h"
#include "amp_core/parallel/process_group.h"
#include "amp_core/parallel/sync_batch_norm.h"
#include "amp_core/parallel/synchronized_norm.h"
#include "amp_core/torch_hooks/boxed_arguments.h"
#include "amp_core/torch_hooks/replaced_kernel.h"

namespace amp::parallel {
namespace {

using Group = c10::intrusive_ptr<c10d::ProcessGroup>;

/// A batch norm layer, and the tensor by which calls of the layer are recognized.
struct MarkedLayer {
  torch::nn::Module* layer;
  at::Tensor mark;  ///< running mean, else weight; undefined if the layer has neither
};

/// Converted layers by the address of their mark. A weak reference to the mark keeps the address from being reused.
class ConvertedLayers {
 public:
  void add(const MarkedLayer& marked, const Group& group) {
    const std::lock_guard lock(mutex_);
    std::erase_if(layers_, [](const auto& entry) { return entry.second.mark.expired(); });
    layers_.insert_or_assign(marked.mark.unsafeGetTensorImpl(), Converted{WeakTensor(marked.mark.getIntrusivePtr()),
                                                                          marked.layer->weak_from_this(), group});
  }

  /// Returns the group of the layer with this mark; empty if no layer has the mark, or the layer is not in training
  /// mode.
  std::optional<Group> group_of(const at::Tensor& mark) const {
    const std::lock_guard lock(mutex_);
    const auto found = layers_.find(mark.unsafeGetTensorImpl());
    if (found == layers_.end()) return std::nullopt;
    const auto layer = found->second.layer.lock();  // null if no shared_ptr owns the layer
    if (layer != nullptr && !layer->is_training()) return std::nullopt;
    return found->second.group;
  }

 private:
  using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  struct Converted {
    WeakTensor mark;
    std::weak_ptr<torch::nn::Module> layer;
    Group group;
  };

  mutable std::mutex mutex_;
  std::unordered_map<const c10::TensorImpl*, Converted> layers_;
};

/// Returns all converted layers. Never destroyed: ops may run while the process exits.
ConvertedLayers& converted_layers() {
  static auto* const instance = new ConvertedLayers();
  return *instance;
}

/// Indices of the arguments of aten::batch_norm.
enum Argument : std::size_t {
  kInput,
  kWeight,
  kBias,
  kRunningMean,
  kRunningVariance,
  kTraining,
  kMomentum,
  kEps,
  kCudnnEnabled,
  kArguments
};

at::Tensor tensor_or_none(const c10::IValue& value) { return value.isTensor() ? value.toTensor() : at::Tensor(); }

/// Returns the settings of a call of aten::batch_norm whose statistics the ranks share; empty for other calls.
std::optional<NormSettings> settings_of_call(std::span<const c10::IValue> arguments) {
  if (!arguments[kTraining].toBool()) return std::nullopt;
  const at::Tensor weight = tensor_or_none(arguments[kWeight]);
  const at::Tensor running_mean = tensor_or_none(arguments[kRunningMean]);
  auto group = converted_layers().group_of(running_mean.defined() ? running_mean : weight);
  if (!group) return std::nullopt;
  if (!*group) group = default_group();
  if ((*group)->getSize() < 2) return std::nullopt;
  return NormSettings{
      .affine = {weight, tensor_or_none(arguments[kBias])},
      .running = {running_mean, tensor_or_none(arguments[kRunningVariance]), arguments[kMomentum].toDouble()},
      .eps = arguments[kEps].toDouble(),
      .group = *group};
}

/// Runs calls of converted layers with the statistics of all ranks in the layer's group, and all other calls unchanged.
class ConvertedNormKernel final : public c10::OperatorKernel {
 public:
  explicit ConvertedNormKernel(ReplacedKernel replaced) : replaced_(std::move(replaced)) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    const auto arguments = last_values(*stack, kArguments);
    const auto settings = settings_of_call(arguments);
    if (!settings) return replaced_.call(op, keys, stack);
    at::Tensor output = synchronized_norm(arguments[kInput].toTensor(), {}, *settings);
    torch::jit::drop(*stack, kArguments);
    stack->emplace_back(std::move(output));
  }

 private:
  ReplacedKernel replaced_;
};

/// Replaces the composite op batch_norm, which every layer's forward calls. LibTorch runs the kernel of a composite op
/// above autograd, on all devices.
void install_kernel_of_converted_layers() {
  static std::once_flag once;
  std::call_once(once, [] {
    override_composite_kernel<ConvertedNormKernel>(
        c10::Dispatcher::singleton().findSchemaOrThrow("aten::batch_norm", ""));
  });
}

template <class Layer>
std::optional<MarkedLayer> marked_as(torch::nn::Module& module) {
  auto* const layer = module.as<Layer>();
  if (layer == nullptr) return std::nullopt;
  return MarkedLayer{layer, layer->running_mean.defined() ? layer->running_mean : layer->weight};
}

/// Returns a batch norm layer of LibTorch with its mark; empty for other modules.
std::optional<MarkedLayer> marked(torch::nn::Module& module) {
  if (auto layer = marked_as<torch::nn::BatchNorm1dImpl>(module)) return layer;
  if (auto layer = marked_as<torch::nn::BatchNorm2dImpl>(module)) return layer;
  return marked_as<torch::nn::BatchNorm3dImpl>(module);
}

void refuse_unmarked(const MarkedLayer& marked, const std::string& path) {
  if (marked.mark.defined()) return;
  throw Error("convert_sync_batchnorm got the batch norm layer " +
              (path.empty() ? short_class_name(marked.layer->name()) : path) +
              ", which has neither running statistics nor affine parameters, so its calls cannot be distinguished from "
              "calls of other layers. Use amp::parallel::SyncBatchNorm instead.");
}

std::vector<MarkedLayer> layers_to_convert(torch::nn::Module& model) {
  std::vector<MarkedLayer> layers;
  model.apply([&](const std::string& path, torch::nn::Module& module) {
    const auto layer = marked(module);
    if (!layer) return;
    refuse_unmarked(*layer, path);
    layers.push_back(*layer);
  });
  return layers;
}

/// Tells whether the group can never have another rank to share statistics with.
bool is_alone(const Group& group) { return group ? group->getSize() == 1 : is_initialized() && world_size() == 1; }

}  // namespace

void convert_sync_batchnorm(const ModelRef& model, const Group& group) {
  const std::vector<MarkedLayer> layers = layers_to_convert(model.get());
  if (!layers.empty() && !is_alone(group)) {
    install_kernel_of_converted_layers();
    for (const MarkedLayer& layer : layers) converted_layers().add(layer, group);
  }
  model.get().apply([&](torch::nn::Module& module) {
    if (auto* const layer = module.as<SyncBatchNormImpl>()) layer->options.process_group(group);
  });
}

Group create_syncbn_process_group(int group_size) {
  const Group world = default_group();
  const int ranks = world->getSize();
  if (group_size == 0 || group_size == ranks) return {};
  if (group_size < 0 || ranks % group_size != 0) {
    throw Error("create_syncbn_process_group got a group size of " + std::to_string(group_size) +
                ", which does not divide the number of ranks, " + std::to_string(ranks) + ".");
  }
  std::vector<int> members(static_cast<std::size_t>(group_size));
  std::iota(members.begin(), members.end(), world->getRank() / group_size * group_size);
  return new_group(members);
}

}  // namespace amp::parallel
