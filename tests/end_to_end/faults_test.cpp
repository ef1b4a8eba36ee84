// SPDX-License-Identifier: Apache-2.0
// Whatever of ampprof's own throws on the program's way, the program does not notice.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <ostream>
#include <string>

#include "profiler/torch_hooks/guarded.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
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
  /// Only Python names parameters one by one, and compiles.
  std::string watched() const {
    if (GetParam().place == FaultPlace::ParameterHook) return python() + " " + script("train.py");
    if (GetParam().place == FaultPlace::CompiledRegion) return python() + " " + script("compiled.py") + " --dropout";
    return program("everything");
  }
  bool needs_python() const { return !watched().starts_with(program("everything")); }
  std::string options() const { return "--impact --inherited --levels O1 --policy p.amp"; }

  CommandResult record(const std::string& fault) const {
    std::ofstream(folder_.path() / "p.amp") << "relu fp32 in second\n";
    return run_command(
        "AMPPROF_FAULT='" + fault + "' " + ampprof() + " run --force -o r.ampprof " + options() + " -- " + watched(),
        folder_.path());
  }

  TemporaryFolder folder_;
};

TEST_P(Faults, OfOursDoNotReachTheProgram) {
  if (needs_python() && python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const auto well = record("");
  ASSERT_EQ(well.exit_code, 0) << well.err;
  const auto faulty = record(std::string(GetParam().name));
  EXPECT_EQ(faulty.exit_code, 0) << faulty.err;
  EXPECT_EQ(faulty.out, well.out);
  const auto missing = queries::missing(queries::Report(folder_.path() / "r.ampprof"));
  EXPECT_TRUE(std::ranges::any_of(missing, [&](const queries::MissingRow& row) {
    return row.missing.cause.ends_with(": AMPPROF_FAULT asks for it");
  })) << "the place was never passed, or nobody counted what it threw";
}

INSTANTIATE_TEST_SUITE_P(AtEachPlace, Faults, ::testing::ValuesIn(profiler::kPlaces), [](const auto& info) {
  std::string name(info.param.name);
  std::ranges::replace(name, ' ', '_');
  return name;
});

}  // namespace faults_test
}  // namespace ampprof::testing
