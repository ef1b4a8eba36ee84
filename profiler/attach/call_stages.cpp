// SPDX-License-Identifier: Apache-2.0
#include "profiler/attach/call_stages.h"

#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/faults/guarded.h"
#include "profiler/recorder/missing_notes.h"

namespace ampprof::profiler {

void run_stages(StageStep step, Call& call) {
  for (Stage* stage : call.info.stages) {
    if (!call.with_values) return;
    // What one left undone, a later one or its own second half may rely on.
    call.with_values = guarded(FaultPlace::Stage, [&] {
      const tensors::ObserverDisabledGuard guard;
      (stage->*step)(call);
    });
  }
}

void look_at_results(Call& call) {
  for_each_tensor(call.results(), [&](const at::Tensor& tensor) {
    call.with_values = call.with_values && tensors::kind_of_wrapper(tensor).empty();
  });
}

void note_not_followed(MissingNotes& missing, const std::string& op, const std::string& reason) {
  missing.note("inherited error", op + ": " + reason,
               "its results are taken as they are: what they inherited is not in later figures");
}

}  // namespace ampprof::profiler
