// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Decides which processes of the program's process tree are recorded, and sends notes from all of them to `ampprof
/// run`. Uses two files: the claim, which the recorded process creates with its process id, and next to it the notes. A
/// note is one line: a word, a space, a text.
namespace ampprof::preload {

/// Returns the value of a variable; null if it is unset. The value stays valid.
using Variable = const char* (*)(const char* name);

/// Copies the recording variables before the program can change them: from the environment, or from the recording that
/// the program itself begins.
void read_claim_variables(Variable variable);
/// Returns whether `ampprof run` started this process, or the process itself has begun a recording. False for a rank
/// that is not recorded.
bool is_recording_asked_for();
/// Returns this rank's value of the variable `name`, for the variables with the report's path and the run's id; null
/// for other variables, and in a process without a rank.
const char* variable_of_rank(const char* name);
/// Returns the folder that contains, for each LibTorch version, a subfolder with its observer.
const char* observer_libraries();
/// Returns the path of ampprof_hooks.py.
const char* python_hooks();

/// Makes this process the recorded one. Returns false if another process has the claim. One process is recorded for
/// each rank that a launcher inside `ampprof run` assigns, and one among the processes without a rank. Creates the
/// report of a rank. A process keeps its claim across exec.
bool claim_recording();
/// Returns whether claim_recording() would fail.
bool is_claimed_by_another();
/// Sends a one-line note to `ampprof run`. Never throws.
void note(const char* what, const char* text);
/// Returns the rank that a launcher gave this process; "" if it has none.
const char* rank_of_this_process();

}  // namespace ampprof::preload
