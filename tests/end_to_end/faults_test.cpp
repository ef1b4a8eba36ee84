// SPDX-License-Identifier: Apache-2.0
// Tests that ampprof's own exceptions never reach the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "profiler/torch_hooks/guarded.h"
#include "reports/queries/missing.h"
#include "reports/queries/report.h"
#include "tests/end_to_end/command.h"

namespace ampprof::profiler {

void PrintTo(const NamedPlace& place, std::ostream* out) { *out << place.name; }

}  // namespace ampprof::profiler

namespace ampprof::testing {
namespace faults_test {

using profiler::FaultPlace;
using profiler::NamedPlace;

class Faults : public ::testing::TestWithParam<NamedPlace> {
 protected:
  /// Returns a program that reaches the code in which ampprof throws. Named parameters and compiled graphs need Python,
  /// casts need torch.autocast.
  std::string watched() const {
    if (GetParam().place == FaultPlace::ParameterHook) return python() + " " + script("train.py");
    if (GetParam().place == FaultPlace::CompiledRegion) return python() + " " + script("compiled.py") + " --dropout";
    if (GetParam().place == FaultPlace::AutocastCast) return python() + " " + script("wide_net.py") + " bf16";
    return program("everything");
  }
  bool needs_python() const { return !watched().starts_with(program("everything")); }
};

/// Returns a line that records a program while ampprof throws at the place `fault`, or nowhere if it is "".
std::string line_of(const std::string& fault, const std::string& watched) {
  return "echo 'relu fp32 in second' > p.amp; AMPPROF_FAULT='" + fault + "' " + ampprof() +
         " run -o r.ampprof --impact --inherited --levels O1 --policy p.amp -- " + watched;
}

TEST_P(Faults, OfAmpprofDoNotReachTheProgram) {
  if (needs_python() && python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const CommandResult& well = run_once(line_of("", watched()));
  ASSERT_EQ(well.exit_code, 0) << well.err;
  const TemporaryFolder folder;
  const auto faulty = run_command(line_of(std::string(GetParam().name), watched()), folder.path());
  EXPECT_EQ(faulty.exit_code, 0) << faulty.err;
  EXPECT_EQ(faulty.out, well.out);
  const auto missing = queries::missing(queries::Report(folder.path() / "r.ampprof"));
  EXPECT_TRUE(std::ranges::any_of(missing, [&](const queries::MissingRow& row) {
    return row.missing.cause.ends_with(": AMPPROF_FAULT asks for it");
  })) << "the place was never passed, or its exception was not counted";
}

INSTANTIATE_TEST_SUITE_P(AtEachPlace, Faults, ::testing::ValuesIn(profiler::kPlaces), [](const auto& info) {
  std::string name(info.param.name);
  std::ranges::replace(name, ' ', '_');
  return name;
});

}  // namespace faults_test
}  // namespace ampprof::testing
