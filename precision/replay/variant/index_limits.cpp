// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/variant/index_limits.h"

#include <ATen/ATen.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "precision/replay/reference/arguments.h"

namespace ampprof::variant {
namespace {

struct Range {
  std::int64_t first, last;
};

using Arguments = c10::ArrayRef<c10::IValue>;

bool is_index(const at::Tensor& tensor) {
  return tensor.defined() && at::isIntegralType(tensor.scalar_type(), /*includeBool=*/false);
}

bool lies_in(const at::Tensor& indices, Range range) {
  if (indices.numel() == 0) return true;
  const auto [least, most] = at::aminmax(indices);
  return least.item<std::int64_t>() >= range.first && most.item<std::int64_t>() <= range.last;
}

/// Returns the valid indices of a dimension of this size, counted from either end.
Range either_end(std::int64_t size) { return {-size, size - 1}; }

/// Returns the valid indices of the table of an op with one index argument; empty if they are unknown.
std::optional<Range> range_of(const c10::OperatorHandle& op, Arguments own) {
  const std::string_view name = op.operator_name().name;
  const auto tensor = [&](const char* of) {
    const c10::IValue value = reference::argument_named(op.schema(), own, of);
    return value.isTensor() ? value.toTensor() : at::Tensor();
  };
  if (name == "aten::embedding") return Range{0, tensor("weight").size(0) - 1};
  if (name == "aten::embedding_dense_backward")
    return Range{0, reference::argument_named(op.schema(), own, "num_weights").toInt() - 1};
  const at::Tensor self = tensor("self");
  if (!self.defined()) return std::nullopt;
  if (name == "aten::take" || name == "aten::put" || name == "aten::put_") return either_end(self.numel());
  const c10::IValue dim = reference::argument_named(op.schema(), own, "dim");
  if (!dim.isInt() || !tensor("index").defined()) return std::nullopt;
  return Range{0, self.dim() == 0 ? 0 : self.size(dim.toInt()) - 1};
}

bool is_mask(const at::Tensor& index) { return index.scalar_type() == at::kBool || index.scalar_type() == at::kByte; }

/// Tests x[i, j]: one index tensor for each dimension, or a mask for several. A slice `:` is an undefined tensor.
bool fit_dimensions(const at::Tensor& table, const c10::IValue& indices) {
  std::int64_t dim = 0;
  for (const c10::IValue& value : indices.toListRef()) {
    const at::Tensor index = value.isTensor() ? value.toTensor() : at::Tensor();
    const bool is_place = index.defined() && !is_mask(index);
    if (is_place && (dim >= table.dim() || !lies_in(index, either_end(table.size(dim))))) return false;
    dim += index.defined() && !is_place ? index.dim() : 1;
  }
  return true;
}

/// Tells whether LibTorch uses an argument of this name as indices or lengths.
bool is_looked_up(const std::string& name) {
  static const std::unordered_set<std::string_view> kNames{"index",   "indices",    "target",        "targets",
                                                           "offsets", "lengths",    "input_lengths", "target_lengths",
                                                           "repeats", "offset2bag", "bag_size",      "cu_seqlens"};
  return kNames.contains(name);
}

bool lies_between(const at::Tensor& own, const at::Tensor& of_run) {
  if (of_run.numel() == 0) return own.numel() == 0;
  const auto [least, most] = at::aminmax(of_run);
  return lies_in(own, {least.item<std::int64_t>(), most.item<std::int64_t>()});
}

}  // namespace

bool indices_fit(const c10::OperatorHandle& op, Arguments arguments, Arguments own) {
  const auto& schema = op.schema().arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!is_looked_up(schema[i].name())) continue;
    if (arguments[i].isOptionalTensorList() || arguments[i].isTensorList()) {
      const c10::IValue table = reference::argument_named(op.schema(), own, "self");
      if (table.isTensor() && !fit_dimensions(table.toTensor(), own[i])) return false;
    } else if (arguments[i].isTensor() && is_index(own[i].toTensor())) {
      const at::Tensor& index = own[i].toTensor();
      const auto range = range_of(op, own);
      if (!(range ? lies_in(index, *range) : lies_between(index, arguments[i].toTensor()))) return false;
    }
  }
  return true;
}

}  // namespace ampprof::variant
