// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace amp {

/// A type in which mixed precision computes. To add one: an enumerator and a row of kReducedTypes here, LibTorch's type
/// in `amp_core/base/scalar_types.h`.
enum class ReducedType : std::uint8_t { Float16, BFloat16 };

/// Describes a reduced type.
struct ReducedTypeInfo {
  std::string_view name;            ///< name in policy files
  std::string_view torch_name;      ///< name in the text that Apex prints
  bool needs_loss_scale = true;     ///< the type's range is narrower than FP32's, so small gradients become 0
  bool is_emulated_on_cpu = false;  ///< `emulation/` computes the type's matmuls, since LibTorch's are slow
};

/// In the order of ReducedType.
inline constexpr std::array kReducedTypes{
    ReducedTypeInfo{"fp16", "torch.float16", true, true},
    ReducedTypeInfo{"bf16", "torch.bfloat16", false, false},
};

/// Returns the description of a type.
constexpr const ReducedTypeInfo& info_of(ReducedType type) { return kReducedTypes[static_cast<std::size_t>(type)]; }

/// Returns the type of this name in policy files; empty for an unknown one.
constexpr std::optional<ReducedType> reduced_type_named(std::string_view name) {
  for (std::size_t i = 0; i < kReducedTypes.size(); ++i) {
    if (kReducedTypes[i].name == name) return static_cast<ReducedType>(i);
  }
  return std::nullopt;
}

/// Returns the names of all types, in order.
inline std::vector<std::string> reduced_type_names() {
  std::vector<std::string> names;
  for (const ReducedTypeInfo& type : kReducedTypes) names.emplace_back(type.name);
  return names;
}

}  // namespace amp
