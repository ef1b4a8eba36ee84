// SPDX-License-Identifier: Apache-2.0
#include "profiler/preload/claim.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "amp_core/launch/launcher.h"
#include "reports/recording/rank_list.h"
#include "reports/recording/stub_variables.h"

namespace ampprof::preload {
namespace {

char g_libraries[4096];
char g_python[4096];
char g_claim[4096];
char g_notes[4096 + 8];

/// Values of this process's rank, which differ between ranks; all empty in a process without a rank.
struct OwnReport {
  std::string rank;
  std::string run;
  std::string path;
  std::string begins_as;
};

OwnReport& own_report() {
  static auto& only = *new OwnReport;
  return only;
}

bool g_is_left_out = false;  // this process's rank is not in --record-ranks

void copy(const char* value, char* to, std::size_t size) {
  to[0] = '\0';
  if (value != nullptr && std::strlen(value) < size) std::strcpy(to, value);
}

const char* text_or_empty(const char* text) { return text == nullptr ? "" : text; }

/// Reads the paths of claim and report for the rank of this process, if a launcher inside `ampprof run` assigned one.
void read_rank(Variable variable) {
  own_report() = {};
  g_is_left_out = false;
  const char* begins_as = variable(recording::kRankTemplateVariable);
  const auto rank = amp::parallel::place_of(std::getenv).rank;
  if (begins_as == nullptr || !rank) return;
  if (amp::parallel::rank_identity_text(std::getenv) == text_or_empty(variable(recording::kOwnPlaceVariable))) return;
  const char* list = variable(recording::kRanksVariable);
  const auto ranks = recording::rank_list_from(list == nullptr ? recording::kAllRanks : list);
  g_is_left_out = !ranks || !recording::contains(*ranks, *rank);
  if (g_is_left_out) return;
  const std::string number = std::to_string(*rank);
  copy(recording::file_of_rank(g_claim, number).c_str(), g_claim, sizeof g_claim);
  own_report() = {.rank = number,
                  .run = std::to_string(recording::kRunOfRank),
                  .path = recording::file_of_rank(text_or_empty(variable(recording::kRankReportVariable)), number),
                  .begins_as = begins_as};
}

/// Copies a file, but never overwrites one. Returns whether the copy is complete.
bool copy_file(const std::string& from, const std::string& to) {
  const int in = open(from.c_str(), O_RDONLY | O_CLOEXEC);
  const int out = in < 0 ? -1 : open(to.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  bool is_whole = out >= 0;
  char bytes[1 << 14];
  for (ssize_t got = 1; is_whole && got > 0;) {
    got = read(in, bytes, sizeof bytes);
    is_whole = got >= 0 && write(out, bytes, static_cast<std::size_t>(got)) == got;
  }
  if (in >= 0) close(in);
  return out >= 0 && close(out) == 0 && is_whole;
}

bool begin_own_report() {
  const OwnReport& own = own_report();
  if (own.rank.empty() || copy_file(own.begins_as, own.path)) return true;
  note("failed", ("the report of rank " + own.rank + " could not be created: " + own.path).c_str());
  return false;
}

/// Prints that this rank is not recorded, unless the claim already exists. The folder of the claim exists only on the
/// machine of `ampprof run`.
void warn_that_rank_is_not_recorded(int error) {
  if (error == EEXIST || own_report().rank.empty()) return;
  std::fprintf(stderr,
               "ampprof: rank %s on %s is not recorded: it cannot write %s (%s). Where ranks run on several machines, "
               "let the launcher start ampprof on each: srun ampprof run -o r%%r.ampprof -- PROGRAM\n",
               own_report().rank.c_str(), amp::parallel::host_name().c_str(), g_claim, std::strerror(error));
}

/// Returns the id of the process that has the claim; 0 if no process has it, -1 if the claim file has no id yet.
int owner() {
  const int there = open(g_claim, O_RDONLY | O_CLOEXEC);
  if (there < 0) return 0;
  char text[32] = {};
  const ssize_t got = read(there, text, sizeof text - 1);
  close(there);
  return got <= 0 ? -1 : std::atoi(text);
}

}  // namespace

void read_claim_variables(Variable variable) {
  copy(variable(recording::kLibrariesVariable), g_libraries, sizeof g_libraries);
  copy(variable(recording::kPythonVariable), g_python, sizeof g_python);
  copy(variable(recording::kClaimVariable), g_claim, sizeof g_claim);
  std::snprintf(g_notes, sizeof g_notes, "%s.notes", g_claim);
  read_rank(variable);
}

bool is_recording_asked_for() { return g_libraries[0] != '\0' && g_claim[0] != '\0' && !g_is_left_out; }

const char* variable_of_rank(const char* name) {
  if (own_report().rank.empty()) return nullptr;
  if (std::strcmp(name, recording::kReportVariable) == 0) return own_report().path.c_str();
  return std::strcmp(name, recording::kRunVariable) == 0 ? own_report().run.c_str() : nullptr;
}

const char* observer_libraries() { return g_libraries; }

const char* python_hooks() { return g_python; }

bool claim_recording() {
  const int made = open(g_claim, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (made < 0) {
    warn_that_rank_is_not_recorded(errno);
    return owner() == static_cast<int>(getpid());
  }
  char own[64];
  const int length = std::snprintf(own, sizeof own, "%d %s", static_cast<int>(getpid()), rank_of_this_process());
  const bool written = write(made, own, length) == length;
  close(made);
  return written && begin_own_report();
}

bool is_claimed_by_another() {
  const int has_it = owner();
  return has_it != 0 && has_it != static_cast<int>(getpid());
}

void note(const char* what, const char* text) {
  char line[1024];
  int length = std::snprintf(line, sizeof line, "%s %s\n", what, text);
  if (length >= static_cast<int>(sizeof line)) {
    length = sizeof line - 1;
    line[length - 1] = '\n';
  }
  const int file = open(g_notes, O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (write(file, line, length) != length) std::fprintf(stderr, "ampprof: a message to ampprof run was lost\n");
  close(file);
}

const char* rank_of_this_process() {
  const char* rank = amp::parallel::first_set(&amp::parallel::Launcher::rank, std::getenv);
  return rank != nullptr && std::strlen(rank) < 16 ? rank : "";
}

}  // namespace ampprof::preload
