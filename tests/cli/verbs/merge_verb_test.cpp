// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "reports/merge/merge.h"
#include "tests/cli/program.h"
#include "tests/cli/synthetic_report.h"
#include "tests/reports/sample_report.h"
#include "views/all_views.h"

namespace ampprof::cli {
namespace merge_verb_test {

namespace fs = std::filesystem;
using testing_reports::bytes_of;
using testing_reports::write_bytes;

class MergeVerb : public BuiltProgram {
 protected:
  MergeVerb() {
    testing_reports::write_sample_report(work("a.ampprof"));
    write_synthetic_report(work("b.ampprof"));
  }
};

// Removes the lines with run numbers, which merging changes, from JSON.
std::string without_run(const std::string& json) {
  std::string text;
  std::istringstream lines(json);
  for (std::string line; std::getline(lines, line);)
    text += line.find("\"run\":") == std::string::npos ? line + '\n' : "";
  return text;
}

TEST_F(MergeVerb, KeepsEveryViewOfEveryRun) {
  const Outcome outcome = ampprof("merge a.ampprof b.ampprof -o all.ampprof");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "ampprof: wrote 4 runs of 2 reports to all.ampprof. To read it: ampprof show all.ampprof\n");
  const std::vector<merge::MergedRun> runs{
      {"a.ampprof", 1, 1}, {"b.ampprof", 1, 2}, {"b.ampprof", 2, 3}, {"b.ampprof", 3, 4}};
  for (const merge::MergedRun& run : runs) {
    for (const views::NamedView& view : views::all_views()) {
      const std::string rest = std::string(view.name) + " --format json --run ";
      const std::string before =
          ampprof("show " + run.source.string() + " " + rest + std::to_string(run.source_run)).out;
      const std::string after = ampprof("show all.ampprof " + rest + std::to_string(run.run)).out;
      EXPECT_NE(after, "");
      EXPECT_EQ(without_run(after), without_run(before)) << view.name << " of run " << run.run;
    }
  }
}

TEST_F(MergeVerb, NotesARunThatTwoFilesHold) {
  ASSERT_EQ(ampprof("merge a.ampprof -o copy.ampprof").exit_code, 0);
  const Outcome outcome = ampprof("merge b.ampprof a.ampprof copy.ampprof -o all.ampprof");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.err.find("run 1 of copy.ampprof is the same as run 4 of the new report; it is kept once."),
            std::string::npos)
      << outcome.err;
}

TEST_F(MergeVerb, ReplacesOnlyByForce) {
  write_bytes(work("all.ampprof"), "precious");
  EXPECT_EQ(ampprof("merge a.ampprof -o all.ampprof").exit_code, 2);
  EXPECT_EQ(bytes_of(work("all.ampprof")), "precious");
  EXPECT_EQ(ampprof("merge a.ampprof -o all.ampprof --force").exit_code, 0);
}

TEST_F(MergeVerb, LeavesOutWhoAndWhere) {
  ASSERT_EQ(ampprof("merge a.ampprof -o anon.ampprof --anonymize=names").exit_code, 0);
  const std::string bytes = bytes_of(work("anon.ampprof"));
  EXPECT_NE(bytes_of(work("a.ampprof")).find("--epochs"), std::string::npos);
  EXPECT_EQ(bytes.find("--epochs"), std::string::npos);
  EXPECT_EQ(bytes.find("fc.weight"), std::string::npos);
}

TEST_F(MergeVerb, TakesAFileSizeLimitForAFullDisk) {
  const Outcome outcome = shell("ulimit -f 8; '" AMPPROF_PROGRAM "' merge a.ampprof b.ampprof -o all.ampprof");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("all.ampprof"), std::string::npos) << outcome.err;
  EXPECT_EQ(std::distance(fs::directory_iterator(work("")), {}), 2) << "a temporary file is left";
}

struct WrongMerge {
  const char* name;
  const char* arguments;
  int exit_code;
  const char* says;
};

void PrintTo(const WrongMerge& wrong, std::ostream* out) { *out << wrong.arguments; }

class WrongMerges : public MergeVerb, public testing::WithParamInterface<WrongMerge> {};

TEST_P(WrongMerges, GetASentenceAndLeaveNothing) {
  write_bytes(work("text.ampprof"), "no report");
  const Outcome outcome = ampprof(GetParam().arguments);
  EXPECT_EQ(outcome.exit_code, GetParam().exit_code);
  EXPECT_NE(outcome.err.find(GetParam().says), std::string::npos) << outcome.err;
  EXPECT_EQ(std::distance(fs::directory_iterator(work("")), {}), 3) << "a file is left";
}

INSTANTIATE_TEST_SUITE_P(
    MergeVerb, WrongMerges,
    testing::Values(WrongMerge{"same_file", "merge a.ampprof ./a.ampprof -o x.ampprof", 2, "are the same file"},
                    WrongMerge{"onto_a_source", "merge a.ampprof b.ampprof -o a.ampprof --force", 2, "cannot be the output"},
                    WrongMerge{"no_output", "merge a.ampprof", 2, "--output"},
                    WrongMerge{"no_report", "merge -o x.ampprof", 2, "REPORT"},
                    WrongMerge{"no_folder", "merge a.ampprof -o none/x.ampprof", 2, "does not exist"},
                    WrongMerge{"not_a_report", "merge a.ampprof text.ampprof -o x.ampprof", 4, "text.ampprof"},
                    WrongMerge{"anonymous_what", "merge a.ampprof -o x.ampprof --anonymize=name", 2,
                               "Did you mean 'names'?"}),
    [](const auto& info) { return info.param.name; });

}  // namespace merge_verb_test
}  // namespace ampprof::cli
