// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "amp_core/levels/reduced_type.h"

namespace amp {

/// The type to which a model's parameters and inputs are cast: a reduced type or FP32. `Unchanged` disables the model
/// cast at any level: the program chooses the types, and half parameters are allowed.
class ModelType {
 public:
  static const ModelType Unchanged;
  static const ModelType Float32;

  constexpr ModelType(ReducedType type) : kind_(Kind::Reduced), reduced_(type) {}  // NOLINT(google-explicit-constructor)

  /// Returns the reduced type; empty for FP32 and Unchanged.
  constexpr std::optional<ReducedType> reduced() const {
    return kind_ == Kind::Reduced ? std::optional(reduced_) : std::nullopt;
  }

  constexpr bool operator==(const ModelType&) const = default;

 private:
  enum class Kind : std::uint8_t { Unchanged, Float32, Reduced };

  constexpr explicit ModelType(Kind kind) : kind_(kind) {}

  Kind kind_;
  ReducedType reduced_ = {};  ///< valid only for Kind::Reduced
};

inline constexpr ModelType ModelType::Unchanged{Kind::Unchanged};
inline constexpr ModelType ModelType::Float32{Kind::Float32};

}  // namespace amp
