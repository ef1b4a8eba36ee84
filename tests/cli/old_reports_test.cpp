// SPDX-License-Identifier: Apache-2.0
// Reads reports of other versions of ampprof with every verb, and compares every view with golden/old_<report>.txt.
#include "tests/reports/old_reports.h"

#include <fstream>

#include "tests/cli/program.h"
#include "tests/golden.h"
#include "views/all_views.h"
#include "views/table/view.h"

namespace ampprof::cli {
namespace old_reports_test {

namespace fs = std::filesystem;

class OldReport : public BuiltProgram, public testing::WithParamInterface<std::string> {
 protected:
  OldReport() { fs::copy_file(fs::path(AMPPROF_OLD_REPORTS) / (GetParam() + ".ampprof"), work("r.ampprof")); }
};

TEST_P(OldReport, SaysInEveryViewWhatItSaid) {
  std::string text;
  const auto add = [&](const std::string& arguments) {
    const Outcome outcome = ampprof(arguments, "COLUMNS=120");
    text += "$ ampprof " + arguments + '\n' + outcome.out + outcome.err;
    EXPECT_EQ(outcome.exit_code, 0) << arguments;
  };
  add("show r.ampprof");
  for (const views::NamedView& view : views::all_views()) add("show r.ampprof " + std::string(view.name));
  add("show r.ampprof runs --format json");
  test_support::expect_golden("old_" + GetParam() + ".txt", text);
}

struct Command {
  const char* command;
  bool is_json = false;
};

constexpr Command kCommands[]{
    {"show r.ampprof ops --format json", true},
    {"show r.ampprof ops --steps 1:2 --format json", true},
    {"advise r.ampprof --format json", true},
    {"diff r.ampprof r.ampprof --format json", true},
    {"check r.ampprof --gate 'steps >= 0' --format json", true},
    {"sql r.ampprof 'SELECT ampprof_version, codec FROM run JOIN call_chunk ON run.id = call_chunk.run' --format json",
     true},
    {"export r.ampprof --to json -o all.json && cat all.json", true},
    {"export r.ampprof --to perfetto -o trace.json && cat trace.json", true},
    {"export r.ampprof --to html -o page.html && cat page.html"},
    {"export r.ampprof --to csv -o tables && ls tables"},
    {"export r.ampprof --to tensorboard -o logs && ls logs"},
    {"merge r.ampprof -o copy.ampprof && '" AMPPROF_PROGRAM "' show copy.ampprof ops --format json", true},
    {"merge r.ampprof -o nameless.ampprof --anonymize && '" AMPPROF_PROGRAM "' show nameless.ampprof"},
};

TEST_P(OldReport, IsReadByEveryVerb) {
  for (const Command& command : kCommands) {
    const Outcome outcome = ampprof(command.command);
    EXPECT_EQ(outcome.exit_code, 0) << command.command << '\n' << outcome.err;
    EXPECT_FALSE(outcome.out.empty()) << command.command;
    EXPECT_TRUE(!command.is_json || views::Json::accept(outcome.out)) << command.command;
  }
}

TEST_P(OldReport, OfTheNextVersionIsRefusedWithASentence) {
  std::fstream(work("r.ampprof"), std::ios::binary | std::ios::in | std::ios::out).seekp(63).put(99);
  for (const char* command : {"show r.ampprof", "sql r.ampprof 'SELECT 1'", "merge r.ampprof -o copy.ampprof"}) {
    const Outcome outcome = ampprof(command);
    EXPECT_EQ(outcome.exit_code, 4) << command;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("was written by a newer ampprof"), std::string::npos) << outcome.err;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const fs::path& report : testing_reports::old_reports()) names.push_back(report.stem().string());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Reports, OldReport, testing::ValuesIn(names()), [](const auto& info) { return info.param; });

}  // namespace old_reports_test
}  // namespace ampprof::cli
