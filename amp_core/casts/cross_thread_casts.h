// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "amp_core/casts/cast_table.h"

namespace amp {

/// A thread whose forward another thread computes again. `generation` changes with any thread's casts.
struct CastLender {
  std::uint64_t thread = 0;  ///< at::RecordFunction::currentThreadId()
  std::uint64_t generation = 0;

  bool operator==(const CastLender&) const = default;
};

/// Makes the calling thread's table known to the process: backward of CUDA tensors runs on threads of autograd's own,
/// which inherit the autocast keys of the thread that called backward(), but not its thread_local variables. Null: the
/// thread casts no more.
void lend_casts(std::shared_ptr<const CastTable> table);

/// Lends on a table that the calling thread has borrowed itself: nodes that it records while it computes forward
/// again may run on a third thread.
void pass_on_casts(std::shared_ptr<const CastTable> table);

/// Costs one load.
bool anyone_lends_casts();
std::uint64_t generation_of_cross_thread_casts();

/// Null where the thread casts nothing.
std::shared_ptr<const CastTable> casts_lent_by(std::uint64_t thread);

}  // namespace amp
