// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/confirming_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <fstream>

#include "precision/advice/evidence.h"
#include "reports/queries/runs.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace confirming_run_test {

constexpr int kTimeout = 20'000;  // in ms

TEST(ConfirmingCommand, RunsTheProgramAsTheReportHasItWithThePolicy) {
  queries::RunRow run;
  advice::Evidence evidence;
  run.program = "./train --data 'my set'";
  evidence.impacts.resize(1);
  EXPECT_TRUE(
      confirmingCommand(run, evidence, "/tmp/a b.amp", "new.ampprof")
          .endsWith("run --levels O1 --policy '/tmp/a b.amp' --impact -o new.ampprof -- ./train --data 'my set'"))
      << confirmingCommand(run, evidence, "/tmp/a b.amp", "new.ampprof").toStdString();
}

TEST(ConfirmingCommand, IsAtTheLevelWherePoliciesCount) {
  queries::RunRow run;
  advice::Evidence evidence;
  run.level = "O1";
  EXPECT_TRUE(confirmingCommand(run, evidence, "p.amp", "n.ampprof").contains("run --levels O1 --policy"));
  evidence.plain.resize(1);
  EXPECT_TRUE(confirmingCommand(run, evidence, "p.amp", "n.ampprof").contains("run --levels O0,O1 --policy"));
  run.level = "O2";
  EXPECT_TRUE(confirmingCommand(run, evidence, "p.amp", "n.ampprof").contains("run --levels O0,O1 --policy"));
  run.what_if = "fp16";  // an FP32 run with predictions for FP16: a policy needs O1
  run.level = "O0";
  EXPECT_EQ(confirmingLevel(run), "O1");
}

TEST(ConfirmingCommand, NamesNoLevelWhereTheProgramBringsItsTypes) {
  queries::RunRow run;
  advice::Evidence evidence;
  run.reduced_type = DType::Half;
  EXPECT_TRUE(confirmingCommand(run, evidence, "p.amp", "n.ampprof").contains("run --policy p.amp -o"));
  EXPECT_EQ(confirmingLevel(run), "");
}

TEST(RecordingCommand, RecordsAsBeforeWithFurtherFlags) {
  queries::RunRow run;
  run.program = "./train --data 'my set'";
  run.flags = "--levels=O0,O2 --every=9 --output=old.ampprof --force";
  const auto command = [&](const char* flags) { return recordingCommand(run, flags, "new.ampprof").toStdString(); };
  EXPECT_THAT(command("--impact"),
              testing::EndsWith("run --levels=O0,O2 --every=9 --impact -o new.ampprof -- ./train --data 'my set'"));
  EXPECT_THAT(command("--what-if mxfp8"),
              testing::EndsWith("run --every=9 --what-if mxfp8 -o new.ampprof -- ./train --data 'my set'"));
  EXPECT_THAT(command("--levels O1"),
              testing::EndsWith("run --every=9 --levels O1 -o new.ampprof -- ./train --data 'my set'"));
}

TEST(ConfirmedReport, IsANameThatNoFileHas) {
  const test_support::TemporaryFolder folder;
  const auto path = [&](const char* name) { return QString::fromStdString((folder / name).string()); };
  EXPECT_EQ(confirmedReport(path("digits.ampprof")), path("digits-confirmed.ampprof"));
  std::ofstream(folder / "digits-confirmed.ampprof") << "";
  EXPECT_EQ(confirmedReport(path("digits.ampprof")), path("digits-confirmed-2.ampprof"));
}

TEST(ConfirmingRun, PassesLinesOnAndSaysThatItSucceeded) {
  const test_support::TemporaryFolder folder;
  ConfirmingRun run;
  QSignalSpy said(&run, &ConfirmingRun::said);
  QSignalSpy succeeded(&run, &ConfirmingRun::succeeded);
  run.start("sh -c 'pwd; echo two >&2; printf three'", QString::fromStdString(folder.path().string()));
  ASSERT_TRUE(succeeded.wait(kTimeout));
  ASSERT_EQ(said.size(), 3);
  EXPECT_EQ(said[0][0].toString().toStdString(), folder.path().string());
  EXPECT_EQ(said[1][0].toString(), "two");
  EXPECT_EQ(said[2][0].toString(), "three");
}

struct Ending {
  const char* name;
  const char* command;
  const char* sentence;
};

void PrintTo(const Ending& ending, std::ostream* out) { *out << ending.command; }

class BadEnding : public testing::TestWithParam<Ending> {};

TEST_P(BadEnding, IsReportedInASentence) {
  ConfirmingRun run;
  QSignalSpy failed(&run, &ConfirmingRun::failed);
  run.start(GetParam().command, "/");
  ASSERT_TRUE(failed.wait(kTimeout));
  EXPECT_TRUE(failed[0][0].toString().contains(GetParam().sentence)) << failed[0][0].toString().toStdString();
}

INSTANTIATE_TEST_SUITE_P(Endings, BadEnding,
                         testing::Values(Ending{"exit_code", "sh -c 'exit 3'", "exit code 3"},
                                         Ending{"signal", "sh -c 'kill -9 $$'", "killed by a signal"},
                                         Ending{"no_program", "./no-such-program", "exit code 127"}),
                         [](const auto& info) { return info.param.name; });

TEST(ConfirmingRun, CanBeCancelled) {
  ConfirmingRun run;
  QSignalSpy failed(&run, &ConfirmingRun::failed);
  run.start("sleep 60", "/");
  EXPECT_TRUE(run.isRunning());
  run.cancel();
  ASSERT_TRUE(failed.wait(kTimeout));
  EXPECT_TRUE(failed[0][0].toString().contains("cancelled"));
  EXPECT_FALSE(run.isRunning());
}

}  // namespace confirming_run_test
}  // namespace ampprof::gui
