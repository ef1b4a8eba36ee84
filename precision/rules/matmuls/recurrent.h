// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "precision/rules/matmuls/matmul.h"

namespace ampprof::rules {

/// Reads a recurrent network (LSTM, GRU, tanh and ReLU RNN), its backward, or one of its cells. `op` is a plain name.
/// Empty for other ops and for impossible shapes.
std::optional<Matmul> matmul_of_recurrent(std::string_view op, const Signature& signature);

}  // namespace ampprof::rules
