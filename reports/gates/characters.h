// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::gates {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace ampprof::gates
