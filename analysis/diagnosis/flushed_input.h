// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::analysis {

struct Symptoms;

/// Returns the op that most likely made an input of `op` and flushed part of it to 0. Candidates are the two ops that
/// compute right before `op`, in its phase and module: a report does not record which op consumes which output. Null if
/// neither qualifies.
const queries::OpRow* flushed_input_of(const queries::OpRow& op, const Symptoms& symptoms);

}  // namespace ampprof::analysis
