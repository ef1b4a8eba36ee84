// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ampprof::products {

/// Arguments of an op by their names in its schema.
class Arguments {
 public:
  Arguments(const c10::FunctionSchema& schema, std::span<const c10::IValue> values)
      : schema_(schema), values_(values) {}

  /// Returns the argument with this name; null if there is none.
  const c10::IValue* find(std::string_view name) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (schema_.arguments()[i].name() == name) return &values_[i];
    }
    return nullptr;
  }

  /// Returns the tensor argument with this name; an undefined tensor if there is none.
  at::Tensor tensor(std::string_view name) const {
    const c10::IValue* value = find(name);
    return value != nullptr && value->isTensor() ? value->toTensor() : at::Tensor();
  }

  at::Tensor tensor_at(std::size_t place) const { return values_[place].toTensor(); }

  std::optional<at::Tensor> optional_tensor(std::string_view name) const {
    const at::Tensor found = tensor(name);
    return found.defined() ? std::optional(found) : std::nullopt;
  }

  double number(std::string_view name, double fallback) const {
    const c10::IValue* value = find(name);
    return value != nullptr && value->isScalar() ? value->toScalar().toDouble() : fallback;
  }

  bool is_on(std::string_view name) const {
    const c10::IValue* value = find(name);
    return value != nullptr && value->isBool() && value->toBool();
  }

  std::vector<std::int64_t> sizes(std::string_view name) const {
    const c10::IValue* value = find(name);
    return value != nullptr && value->isIntList() ? value->toIntVector() : std::vector<std::int64_t>();
  }

 private:
  const c10::FunctionSchema& schema_;
  std::span<const c10::IValue> values_;
};

}  // namespace ampprof::products
