// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "precision/probe/case.h"

namespace ampprof::probe {

/// Reads a convolution's shapes and attributes from what the op received. `op` is a plain name. Empty for other ops, and
/// where the signature does not tell all sizes or tells impossible ones: a report is untrusted.
std::optional<ConvolutionCase> convolution_case(std::string_view op, const Signature& signature);

}  // namespace ampprof::probe
