// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/preload/hooks.h"

/// The casts of O1 for a program that knows no amp_core. They are the process's; each thread has them from its start.
namespace ampprof::profiler {

/// Chooses them, with the rules of the file that AMP_POLICY names if it names one and the recipe of AMP_RECIPE. What O1
/// refuses in a program that asked for it runs in FP32 in one that did not; not `casts_functions`: functions run in
/// their own types, and in the recipe. Tells the stub where a policy cannot be used.
void inject_casts(const preload::Stub& stub, bool casts_functions);

/// Lets the rules of that file count where the program's own autocast is on. Tells the stub likewise.
void inject_rules(const preload::Stub& stub);

/// Does nothing where none were injected.
void enable_injected_casts_on_this_thread();

/// Switches the casts off for an optimizer's own arithmetic, not for its closure. The two nest, on one thread.
void optimizer_begins_without_casts(preload::OptimizerStepKind kind);
void optimizer_ends_without_casts();

}  // namespace ampprof::profiler
