// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/process_notes.h"

#include <gtest/gtest.h>

namespace ampprof::cli {
namespace process_notes_test {

TEST(ProcessNotes, AreReadLineByLine) {
  const ProcessNotes notes = notes_from("4711 0",
                                        "loaded \n"
                                        "loaded \n"
                                        "trained 10\n"
                                        "trained 2\n"
                                        "failed no room left: /tmp\n"
                                        "something new\n"
                                        "cut");
  EXPECT_TRUE(notes.is_claimed);
  EXPECT_TRUE(notes.loaded);
  EXPECT_EQ(notes.recorded_rank, "0");
  EXPECT_EQ(notes.trained, (std::vector<std::string>{"10", "2"}));
  EXPECT_EQ(notes.failure, "no room left: /tmp");
  EXPECT_EQ(notes.other_torch, "");
}

TEST(ProcessNotes, OfARunThatToldNothingAreEmpty) {
  const ProcessNotes notes = read_notes("/nowhere/claim");
  EXPECT_FALSE(notes.is_claimed);
  EXPECT_FALSE(notes.loaded);
  EXPECT_TRUE(missing_from(notes).empty());
}

TEST(ProcessNotes, OtherProcessesThatTrainAreOneThingThatIsMissing) {
  const auto missing = missing_from(notes_from("4711 0", "trained 10\ntrained 2\ntrained 2\n"));
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].what, "processes that trained");
  EXPECT_EQ(missing[0].count, 3);
  EXPECT_EQ(missing[0].cause, "Only one process of the program is recorded, here rank 0; ranks 2 and 10 trained too.");
  EXPECT_NE(missing[0].remedy.find("torchrun, mpirun or srun"), std::string::npos);
  EXPECT_EQ(missing_from(notes_from("4711 ", "trained \n"))[0].cause, "Only one process of the program is recorded.")
      << "workers of multiprocessing have no rank";
}

TEST(ProcessNotes, TellARankThatBeganAgainFromAProcessWithoutOne) {
  const auto missing = missing_from(notes_from("4711 ", "trained 1\ntrained \ntrained 0\n"), {"0", "1"});
  ASSERT_EQ(missing.size(), 2u);
  EXPECT_EQ(missing[0].cause, "Only one process of the program is recorded.");
  EXPECT_EQ(missing[0].count, 1);
  EXPECT_EQ(
      missing[1].cause,
      "Only the first process of a rank that trains is recorded; ranks 0 and 1 also trained in another process, for "
      "example after a restart by the launcher.");
  EXPECT_EQ(missing[1].count, 2);
}

struct Reason {
  const char* name;
  const char* notes;
  bool saw_process;
  const char* part;  ///< part of Missing::cause
};

void PrintTo(const Reason& reason, std::ostream* out) { *out << reason.name; }

class NothingRecorded : public ::testing::TestWithParam<Reason> {};

TEST_P(NothingRecorded, HasItsReason) {
  Program program;
  program.executable = "/bin/sh";
  const Missing missing = why_nothing_was_recorded(notes_from("", GetParam().notes), program,
                                                   Installation::of("/nowhere/bin/ampprof"), GetParam().saw_process);
  EXPECT_NE(missing.cause.find(GetParam().part), std::string::npos) << missing.cause;
  EXPECT_NE(missing.remedy, "");
}

INSTANTIATE_TEST_SUITE_P(
    Run, NothingRecorded,
    ::testing::Values(Reason{"no_torch", "", false, "No process of the program loaded LibTorch"},
                      Reason{"another_torch", "version 2.13.0 /opt/lib/libtorch_cpu.so\n", false,
                             "/opt/lib/libtorch_cpu.so, which is LibTorch 2.13.0"},
                      Reason{"old_torch", "version  /opt/lib/libtorch_cpu.so\n", false, "older than LibTorch 2.9"},
                      Reason{"recorder_fails", "loaded \nfailed no space\n", false, "could not start: no space"},
                      Reason{"no_op", "loaded \n", false, "called no op"},
                      Reason{"others_trained", "loaded \ntrained 1\n", false, "ended before it wrote anything"},
                      Reason{"no_step", "loaded \n", true, "none of the requested steps"}),
    [](const auto& info) { return info.param.name; });

TEST(NoNamedRankRecorded, HasItsReason) {
  const auto cause = [](const char* notes, bool saw_process) {
    Program program;
    program.executable = "/bin/sh";
    return why_nothing_was_recorded(notes_from("", notes), program, Installation::of("/nowhere/bin/ampprof"),
                                    saw_process, /*names_ranks=*/true)
        .cause;
  };
  EXPECT_NE(cause("", false).find("--record-ranks"), std::string::npos);
  EXPECT_NE(cause("loaded \n", false).find("--record-ranks"), std::string::npos) << "the launcher itself loads it";
  EXPECT_NE(cause("loaded \nfailed the report of rank 3 could not be created: /r\n", false).find("rank 3"),
            std::string::npos);
  EXPECT_NE(cause("loaded \n", true).find("none of the requested steps"), std::string::npos);
}

}  // namespace process_notes_test
}  // namespace ampprof::cli
