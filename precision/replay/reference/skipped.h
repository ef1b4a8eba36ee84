// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ampprof::reference {

/// Ops that are never run again, by name.
enum class Skip {
  No,
  NoValues,   ///< what they return has no values yet, or only a property of a tensor changes
  Rebinds,    ///< they replace a tensor's memory
  Workspace,  ///< they read a buffer that their forward laid out for its own type
  NoKernel,   ///< they exist for reduced precision only
  Compiled,   ///< torch.compile() made them, and knows alone how to call them
  Extension,  ///< they are not LibTorch's own, so nobody knows what else they do
};

/// Ops of other namespaces that may be run again: full names, or namespaces ("myops::"). To be set before any call is
/// kept, by one thread; those of LibTorch and torchvision need no mention.
void allow_replays_of(std::vector<std::string> names);

/// `name` without overload: "aten::empty".
Skip skip_of(std::string_view name);

/// A sentence for people; "" for No and NoValues.
std::string_view reason_of(Skip skip);

/// Whether a recurrent network draws a dropout mask between its layers. On a GPU cuDNN draws it from a state of its
/// own, which no generator shows and nobody can put back: a second run would give the program other masks from then on.
bool has_dropout_between_layers(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments);

/// Returns the share that a call drops ("dropout_p"); empty where its op has no such argument.
std::optional<double> dropout_share(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments);

/// Whether a random op gives numbers that it drew, and nothing that it computed of what it was given.
bool only_draws(std::string_view name);

/// Random ops whose outputs are sums of many values, so that rounding moves them further than an ulp or two.
bool computes_beyond_its_draw(std::string_view name);

}  // namespace ampprof::reference
