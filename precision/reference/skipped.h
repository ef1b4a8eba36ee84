// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ampprof {

/// Ops that are never run again, by name.
enum class Skip {
  No,
  NoValues,   ///< what they return has no values yet, or only a property of a tensor changes
  Rebinds,    ///< they replace a tensor's memory
  Workspace,  ///< they read a buffer that their forward laid out for its own type
  NoKernel,   ///< they exist for reduced precision only
};

/// `name` without overload: "aten::empty".
Skip skip_of(std::string_view name);

/// A sentence for people; "" for No and NoValues.
std::string_view reason_of(Skip skip);

/// Random ops whose outputs are sums of many values, so that rounding moves them further than an ulp or two.
bool computes_beyond_its_draw(std::string_view name);

}  // namespace ampprof
