// SPDX-License-Identifier: Apache-2.0
#include "profiler/stages/norm_statistics.h"

#include <ATen/ATen.h>

#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::profiler {
namespace {

bool may_overflow(const c10::IValue& value) {
  if (!value.isTensor()) return false;
  const at::Tensor& tensor = value.toTensor();
  return tensor.defined() && tensor.is_cpu() && tensor.scalar_type() == at::kHalf;
}

}  // namespace

std::vector<InputTensor> statistics_of(const Call& call) {
  const std::string& op = call.info.name;
  if (!op.ends_with("batch_norm") && !op.ends_with("instance_norm")) return {};
  std::vector<InputTensor> statistics;
  bool is_training = false;
  const auto& schema = call.op.schema().arguments();
  const auto values = call.arguments();
  for (std::size_t i = 0; i < schema.size() && i < values.size(); ++i) {
    const std::string& name = schema[i].name();
    if (name.starts_with("running_") && may_overflow(values[i])) {
      statistics.push_back({.tensor = WeakTensor(values[i].toTensor().getIntrusivePtr()), .name = name});
    }
    const bool tells = values[i].isBool() && (name.starts_with("train") || name == "use_input_stats");
    if (tells) is_training = values[i].toBool();
  }
  return is_training ? statistics : std::vector<InputTensor>{};
}

std::vector<std::pair<std::string, NonfiniteMemory::WeakStorage>> overflowed(const std::vector<InputTensor>& statistics,
                                                                             const NonfiniteMemory& known) {
  const tensors::ObserverDisabledGuard guard;
  std::vector<std::pair<std::string, NonfiniteMemory::WeakStorage>> found;
  for (const InputTensor& statistic : statistics) {
    const at::Tensor buffer(statistic.tensor.lock());
    if (!buffer.defined() || !buffer.has_storage()) continue;
    const auto storage = buffer.storage().getWeakStorageImpl();
    if (known.id_of(storage._unsafe_get_target()) || at::isfinite(buffer).all().item<bool>()) continue;
    found.emplace_back(statistic.name, storage);
  }
  return found;
}

}  // namespace ampprof::profiler
