// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Decides which processes of the program's tree are recorded, and carries notes of the others to `ampprof run`. There
/// are two files: the claim, which the recorded process creates with its process id, and the notes beside it. A note is
/// one line: a word, a space, a text.
namespace ampprof::preload {

/// Returns the value of a variable, which stays valid; null for an unset variable.
using Variable = const char* (*)(const char* name);

/// Copies the variables of the recording: from the environment, before the program can change it, or from a recording
/// that the program begins itself.
void read_claim_variables(Variable variable);
/// Returns whether `ampprof run` started this process, or the process has begun a recording itself. False for a rank
/// that is not recorded.
bool is_recording_asked_for();
/// Returns the value of a variable for this process alone; null if it is as in the environment. A rank has a report and
/// a run of its own.
const char* variable_of_rank(const char* name);
/// Returns the folder that has a subfolder with an observer for each LibTorch.
const char* observer_libraries();
/// Returns the path of ampprof_hooks.py.
const char* python_hooks();

/// Makes this process the recorded one; false if another one is. One process is recorded of those without a rank, and
/// one of each rank that a launcher inside of `ampprof run` gave. A rank's report is created here. A process keeps its
/// claim across exec.
bool claim_recording();
/// Returns whether claim_recording() would fail.
bool is_claimed_by_another();
/// Sends a note to `ampprof run`. One line; never throws.
void note(const char* what, const char* text);
/// Returns this process's RANK, as launchers set it; "" without one.
const char* rank_of_this_process();

}  // namespace ampprof::preload
