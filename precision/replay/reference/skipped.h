// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ampprof::reference {

/// Reason why ops of this name are never run again; No if they may be run again.
enum class Skip {
  No,
  NoValues,   ///< the results have no values yet, or the op changes only a property of a tensor
  Rebinds,    ///< the op replaces a tensor's storage
  Workspace,  ///< the op reads a buffer whose layout depends on the type in which its forward ran
  NoKernel,   ///< the op exists only for reduced precision
  Compiled,   ///< torch.compile() made the op, and only torch.compile() can call it
  Extension,  ///< the op is not LibTorch's own, so it may have side effects
};

/// Allows ops of other namespaces to run again, by full names or namespaces ("myops::"). Use from one thread, before
/// any op call is saved. Ops of LibTorch and torchvision are always allowed.
void allow_replays_of(std::vector<std::string> names);

/// Returns the reason for a name without overload: "aten::empty".
Skip skip_of(std::string_view name);

/// Returns a sentence for the user; "" for No and NoValues.
std::string_view reason_of(Skip skip);

/// Returns whether a recurrent network draws a dropout mask between its layers. On a GPU cuDNN draws it from an
/// internal state that cannot be read or restored, so a second run would change the program's later masks.
bool has_dropout_between_layers(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments);

/// Returns the share that a call drops ("dropout_p"); empty if the op has no such argument.
std::optional<double> dropout_share(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments);

/// Returns whether a random op only returns its draw and computes nothing from its inputs.
bool only_draws(std::string_view name);

/// Returns whether a random op's outputs are sums of many values, so that rounding changes them by more than an ulp or
/// two.
bool computes_beyond_its_draw(std::string_view name);

}  // namespace ampprof::reference
