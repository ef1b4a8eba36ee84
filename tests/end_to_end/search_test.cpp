// SPDX-License-Identifier: Apache-2.0
// ampprof search returns the function that spoils a model, and the same one where it is killed on its way.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/queries/queries.h"
#include "reports/queries/trials.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace search_test {

using Json = nlohmann::json;

std::string search_of(const std::string& options, const std::string& program_line) {
  return ampprof() + " search --format json " + options + " -- " + program_line;
}

Json found(const CommandResult& result) {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out, nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(json.is_object()) << result.out;
  return json;
}

Json only(const char* line) { return Json::array({line}); }

TEST(Search, ReturnsThePlantedFunctionAndAPolicyThatARunTakes) {
  const TemporaryFolder folder;
  const std::string planted = program("planted") + " softmax 60";
  const Json json = found(run_command(search_of("--within 10% --output-policy p.amp", planted), folder.path()));
  EXPECT_EQ(json.at("policy"), only("exp2 fp32")) << json.dump(2);
  EXPECT_TRUE(json.at("minimal").get<bool>());
  EXPECT_EQ(json.at("error_probability"), 0.0) << "the program chooses its own seed";
  const auto saved = run_command("AMP_OPT_LEVEL=O1 AMP_POLICY=p.amp " + planted, folder.path());
  EXPECT_TRUE(std::isfinite(std::stod(saved.out))) << bytes_of(folder.path() / "p.amp");
}

TEST(Search, GoesByWhatTheProgramPrints) {
  const TemporaryFolder folder;
  const Json json = found(run_command(
      search_of("--metric '^([0-9.e-]+)' --within 10% --parallel 2 -o r.ampprof", program("planted") + " exp 30"),
      folder.path()));
  EXPECT_EQ(json.at("policy"), only("exp fp32")) << json.dump(2);
  for (const auto& trial : queries::trials(queries::Report(folder.path() / "r.ampprof"))) {
    EXPECT_EQ(trial.trial.metric, "^([0-9.e-]+)");
    EXPECT_EQ(trial.level, "O1");
  }
}

TEST(Search, SaysThatNothingIsNeeded) {
  const TemporaryFolder folder;
  const Json json = found(run_command(search_of("", program("plain_train") + " 12"), folder.path()));
  EXPECT_EQ(json.at("policy"), Json::array()) << json.dump(2);
  EXPECT_GT(json.at("candidates"), 1) << "casts were injected";
}

TEST(Search, ThatIsKilledGoesOnWhereItWas) {
  const TemporaryFolder folder;
  const std::string line = search_of("--within 10%", program("planted") + " softmax 60");
  for (const char* delay : {"0.3", "1.0", "1.7", "0.6"}) {
    run_command(
        line + " & cli=$!; sleep " + delay + "; child=$(pgrep -P $cli); kill -9 $cli $child 2>/dev/null; wait $cli",
        folder.path());
  }
  const auto trials = [&] { return queries::trials(queries::Report(folder.path() / "search.ampprof")).size(); };
  const Json json = found(run_command(line, folder.path()));
  EXPECT_EQ(json.at("policy"), only("exp2 fp32")) << json.dump(2);
  const auto runs = trials();
  EXPECT_EQ(runs, 4u) << "each once: everything twice, the advice, nothing";
  const Json again = found(run_command(line, folder.path()));
  EXPECT_EQ(again.at("policy"), json.at("policy"));
  EXPECT_EQ(trials(), runs) << "nothing is left to run";
}

TEST(Search, ThatIsOutOfTimeSaysSo) {
  const TemporaryFolder folder;
  const auto result = run_command(search_of("--budget 0.5s", program("planted") + " softmax 100000"), folder.path());
  EXPECT_EQ(result.exit_code, 1) << "no set has passed";
  EXPECT_FALSE(Json::parse(result.out).at("finished").get<bool>());
}

TEST(Search, OfAProgramThatFailsShowsWhatItPrinted) {
  const TemporaryFolder folder;
  const auto result = run_command(search_of("", program("planted") + " nothing_of_this_name"), folder.path());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("planted softmax|norm"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("failed with exit code 1"), std::string::npos) << result.err;
  EXPECT_EQ(result.out, "");
}

}  // namespace search_test
}  // namespace ampprof::testing
