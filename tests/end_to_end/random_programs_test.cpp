// SPDX-License-Identifier: Apache-2.0
// Records random programs. Their steps, losses and calls are known in advance.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/queries/calls.h"
#include "reports/queries/losses.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace random_programs_test {

using Json = nlohmann::json;

void expect_steps(const queries::Report& report, const Json& facts) {
  const queries::RunRow run = queries::runs(report).at(0);
  EXPECT_EQ(run.steps, facts.at("steps").get<std::int64_t>());
  EXPECT_EQ(run.skipped_steps, facts.at("skipped").get<std::int64_t>());
}

void expect_updates(const queries::Report& report, const Json& facts) {
  std::vector<std::vector<std::int64_t>> found;
  for (const OptimizerTotal& each : queries::runs(report).at(0).optimizers) {
    found.push_back({each.updates, each.skipped});
    EXPECT_NE(each.parameter, "");
  }
  std::ranges::sort(found);
  EXPECT_EQ(found, facts.at("updates").get<decltype(found)>());
}

void expect_losses(const queries::Report& report, const Json& facts) {
  std::vector<float> found;
  for (const queries::LossRow& row : queries::losses(report)) found.push_back(static_cast<float>(row.loss.value));
  std::vector<float> printed;
  for (const auto& loss : facts.at("losses")) printed.push_back(std::stof(loss.get<std::string>()));
  EXPECT_EQ(found, printed);
}

/// Compares the calls of each layer. One line calls a layer, so the layer has one call site per segment of a step.
void expect_calls(const queries::Report& report, const Json& facts) {
  std::map<std::string, std::int64_t> calls;
  std::map<std::pair<std::string, std::int32_t>, int> call_sites;
  for (const queries::OpRow& row : queries::ops(report)) {
    constexpr std::string_view kNet = "net.";  // prefix of paths if a teacher is called before the net
    const std::string path = row.module.substr(row.module.starts_with(kNet) ? kNet.size() : 0);
    if (row.op != "linear" || row.phase != Phase::Forward || !path.starts_with("body")) continue;
    calls[path] += row.calls;
    EXPECT_EQ(++call_sites[std::pair(path, row.position)], 1) << row.call_site;
  }
  EXPECT_EQ(calls, facts.at("linears").get<decltype(calls)>());
}

/// Compares the steps of calls. Validation and saving are in no step. Batches and a teacher's forward are in the step
/// that uses them.
void expect_places(const queries::Report& report, const Json& facts) {
  std::map<std::string, std::vector<std::optional<std::int64_t>>> expected, found;
  for (const auto& [op, step] : facts.at("places").get<std::vector<std::pair<std::string, Json>>>()) {
    expected[op].push_back(step.is_null() ? std::nullopt : std::optional(step.get<std::int64_t>()));
  }
  std::map<std::int64_t, std::pair<std::string, std::int64_t>> calls;  // ordered by time
  queries::each_call(report, queries::runs(report).at(0).run, [&](const queries::TimedCall& call) {
    if (expected.contains(call.op)) calls[call.start_ns] = {call.op, call.step};
  });
  for (const auto& [start, call] : calls) found[call.first].emplace_back(call.second);
  for (auto& [op, steps] : expected) {
    ASSERT_EQ(found[op].size(), steps.size()) << op;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!steps[i]) continue;
      EXPECT_EQ(found[op][i], steps[i]) << op << " " << i;
    }
  }
}

TEST(RandomProgramsTest, HaveTheirStepsLossesAndCalls) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const TemporaryFolder folder;
  const int count = test_support::runs_repetitions() ? 300 : 30;
  const auto result = run_command("PYTHONPATH=" + python_modules() + " " + python() + " " +
                                      script("random_programs.py") + " 1 " + std::to_string(count),
                                  folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (int seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE("random_programs.py " + std::to_string(seed) + " 1");
    std::ifstream file(folder.path() / (std::to_string(seed) + ".json"));
    const Json facts = Json::parse(file);
    const queries::Report report(folder.path() / (std::to_string(seed) + ".ampprof"));
    expect_steps(report, facts);
    expect_updates(report, facts);
    expect_losses(report, facts);
    expect_calls(report, facts);
    expect_places(report, facts);
  }
}

}  // namespace random_programs_test
}  // namespace ampprof::testing
