// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/op_info.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <utility>

#include "precision/tensors/tensor_type.h"
#include "profiler/calls/stage.h"
#include "profiler/torch_hooks/collective_work.h"
#include "reports/records/matmul_op.h"

namespace ampprof::profiler {
namespace {

bool leaves_memory_unset(const std::string& name) {
  constexpr std::string_view kFamilies[] = {"empty", "new_empty", "resize", "set_"};
  return std::ranges::any_of(kFamilies, [&](std::string_view family) { return name.starts_with(family); });
}

// Only convolutions have groups. Pooling has a stride, too, but signatures do not need it.
std::vector<Attribute> attributes_of(const c10::FunctionSchema& schema) {
  constexpr std::string_view kAttributes[] = {"groups",  "transposed", "stride",
                                              "padding", "dilation",   "output_padding"};
  std::vector<Attribute> attributes;
  for (const std::string_view name : kAttributes) {
    const auto place = schema.argumentIndexWithName(name);
    if (place) attributes.push_back({std::string(name), *place});
  }
  const bool is_convolution = !attributes.empty() && attributes.front().name == "groups";
  return is_convolution ? attributes : std::vector<Attribute>{};
}

OpInfo read(const c10::FunctionSchema& schema, std::int32_t id) {
  OpInfo info;
  info.id = id;
  info.name = display_name(schema);
  for (const auto& result : schema.returns()) {
    info.returns_tensor = info.returns_tensor || tensors::is_tensor(result.type());
    info.may_be_view = info.may_be_view || (result.alias_info() != nullptr && !result.alias_info()->isWrite());
  }
  info.leaves_memory_unset = leaves_memory_unset(info.name);
  info.non_blocking = schema.argumentIndexWithName("non_blocking").value_or(-1);
  const auto& arguments = schema.arguments();
  info.arguments = arguments.size();
  info.results = schema.returns().size();
  if (!arguments.empty()) {
    const auto* alias = arguments[0].alias_info();
    info.writes_first = alias != nullptr && alias->isWrite();
  }
  info.attributes = attributes_of(schema);
  const std::string_view family = std::string_view(info.name).substr(0, info.name.find('.'));
  info.is_matmul = matmul_op(family) != nullptr || !info.attributes.empty();
  info.multiplies = family == "mul" || family == "mul_" || family == "_foreach_mul_";
  info.divides = family == "div" || family == "div_" || family == "_foreach_div_";
  info.reads_value = info.name == "item" || info.name == "_local_scalar_dense";
  info.sets_zero = family == "zero_" || family == "_foreach_zero_";
  info.may_set_zero = family == "mul_" || family == "_foreach_mul_" || family == "fill_";
  const bool may_copy = family == "to" || family == "contiguous" || family == "type_as" || family == "reshape";
  info.only_views = info.may_be_view && !info.writes_first && !may_copy;
  info.runs_backward = info.name == "_backward" || info.name == "backward";
  info.is_compiled_region = is_compiled_region(info.name);
  info.is_collective = is_collective(info.name) && takes_group(schema);
  info.unscales = info.name == "_amp_foreach_non_finite_check_and_unscale_";
  info.updates_scale = info.name == "_amp_update_scale_";
  return info;
}

}  // namespace

std::string display_name(const c10::FunctionSchema& schema) {
  constexpr std::string_view kAten = "aten::";
  std::string name = schema.name();
  if (name.starts_with(kAten)) name.erase(0, kAten.size());
  if (!schema.overload_name().empty()) name += "." + schema.overload_name();
  return name;
}

const OpInfo& OpInfos::of(const c10::OperatorHandle& op, std::span<const std::unique_ptr<Stage>> stages) {
  const c10::FunctionSchema* schema = &op.schema();
  const auto found = infos_.find(schema);
  if (found != infos_.end()) return found->second;
  OpInfo info = read(*schema, static_cast<std::int32_t>(infos_.size()));
  for (const auto& stage : stages) {
    if (stage->wants(info)) info.stages.push_back(stage.get());
  }
  return infos_.emplace(schema, std::move(info)).first->second;
}

}  // namespace ampprof::profiler
