// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::analysis {

struct Symptoms;

/// Returns the op that most likely made an input of `op` and flushed some of it to 0: one of the two that compute right
/// before it, in its phase and module. A report does not tell which op takes what another one made. Null where there is
/// none.
const queries::OpRow* flushed_input_of(const queries::OpRow& op, const Symptoms& symptoms);

}  // namespace ampprof::analysis
