// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which processes of the program's tree are recorded, and what the others tell `ampprof run`. Two files: the claim,
/// which the recorded process makes with its process id in it, and notes beside it, one line each: what, a space, a
/// text.
namespace ampprof::preload {

/// Returns the value of a variable, which lasts; null for one that is not set.
using Variable = const char* (*)(const char* name);

/// Copies what the variables say: those of the environment, before the program can change it, or those of a recording
/// that the program begins itself.
void read_claim_variables(Variable variable);
/// Returns whether this process was started by `ampprof run`, or has begun a recording itself. False for a rank that is
/// none of those that record.
bool is_recording_asked_for();
/// Returns what a variable is for this process alone; null where it is as in the environment. A rank has a report and a
/// run of its own.
const char* variable_of_rank(const char* name);
/// Returns the folder that has a folder with an observer for each LibTorch.
const char* observer_libraries();
/// Returns the path of ampprof_hooks.py.
const char* python_hooks();

/// Makes this process the recorded one; false where another is. Of the processes that no launcher inside of `ampprof
/// run` gave a rank one is recorded, and one of each rank, whose report is made here. A process keeps its claim across
/// exec.
bool claim_recording();
/// Returns whether claim_recording() would fail.
bool is_claimed_by_another();
/// Tells `ampprof run` something. One line; never throws.
void note(const char* what, const char* text);
/// Returns RANK of this process, as launchers set it; "" without.
const char* rank_of_this_process();

}  // namespace ampprof::preload
