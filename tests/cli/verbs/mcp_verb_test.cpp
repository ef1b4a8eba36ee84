// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.h"
#include "tests/cli/synthetic_report.h"

namespace ampprof::cli {
namespace mcp_verb_test {

using Json = nlohmann::ordered_json;

class McpVerb : public BuiltProgram {
 protected:
  McpVerb() {
    std::filesystem::create_directory(work("reports"));
    write_synthetic_report(work("reports/r.ampprof"));
    write_synthetic_report(work("other.ampprof"));
  }

  /// Calls a tool once. Returns the result.
  Json called(const std::string& tool, const Json& arguments) const {
    const Json call{{"jsonrpc", "2.0"},
                    {"id", 1},
                    {"method", "tools/call"},
                    {"params", {{"name", tool}, {"arguments", arguments}}}};
    std::ofstream(work("in")) << call.dump() << '\n';
    const Outcome outcome = ampprof("mcp reports <in");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return Json::parse(outcome.out)["result"];
  }
  Json found(const std::string& tool, const Json& arguments) const {
    const Json result = called(tool, arguments);
    EXPECT_EQ(result["isError"], false) << result;
    return Json::parse(result["content"][0]["text"].get<std::string>());
  }
  std::string refusal(const std::string& tool, const Json& arguments) const {
    const Json result = called(tool, arguments);
    EXPECT_EQ(result["isError"], true) << result;
    return result["content"][0]["text"];
  }
};

TEST_F(McpVerb, ListsReports) {
  const Json reports = found("reports", Json::object());
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0]["report"], "r.ampprof");
  EXPECT_EQ(reports[0]["bytes"], std::filesystem::file_size(work("reports/r.ampprof")));
}

TEST_F(McpVerb, ShowsWhatShowShows) {
  const Json ops = found("show", {{"report", "r.ampprof"}, {"view", "ops"}, {"run", "O1"}, {"limit", 2}});
  const Json whole = Json::parse(ampprof("show reports/r.ampprof ops --run O1 --format json").out);
  ASSERT_EQ(ops["rows"].size(), 2u);
  EXPECT_EQ(ops["rows"][0], whole[0]);
  EXPECT_EQ(ops["rows_left_out"], whole.size() - 2);
  EXPECT_EQ(found("show", {{"report", "r.ampprof"}})["rows"],
            Json::parse(ampprof("show reports/r.ampprof --format json").out));
}

TEST_F(McpVerb, AnswersQueries) {
  const Json answer = found("sql", {{"report", "r.ampprof"}, {"query", "SELECT id FROM call_site"}, {"limit", 1}});
  EXPECT_EQ(answer["rows"].size(), 1u);
  EXPECT_EQ(answer["has_more"], true);
  EXPECT_NE(found("sql", {{"report", "r.ampprof"}}).dump().find("call_site"), std::string::npos) << "tables";
  EXPECT_NE(refusal("sql", {{"report", "r.ampprof"}, {"query", "DELETE FROM run"}}), "");
}

TEST_F(McpVerb, ReadsNothingOutsideOfItsFolder) {
  std::filesystem::create_symlink(work("other.ampprof"), work("reports/link.ampprof"));
  for (const std::string& path : {std::string("../other.ampprof"), work("other.ampprof").string(),
                                  std::string("link.ampprof"), std::string("/etc/passwd")}) {
    EXPECT_NE(refusal("show", {{"report", path}}).find("is outside of"), std::string::npos) << path;
  }
}

TEST_F(McpVerb, SaysWhatIsWrongWithArguments) {
  EXPECT_EQ(refusal("show", Json::object()), "No report given. The tool 'reports' lists them.");
  EXPECT_NE(refusal("show", {{"report", "r.ampprof"}, {"view", "opps"}}).find("Did you mean 'ops'?"),
            std::string::npos);
  EXPECT_NE(refusal("show", {{"report", 3}}).find("do not fit the input schema of 'show'"), std::string::npos);
  EXPECT_NE(refusal("show", {{"report", "none.ampprof"}}).find("none.ampprof"), std::string::npos);
}

TEST_F(McpVerb, RefusesAFolderThatIsNotThere) {
  const Outcome outcome = ampprof("mcp nowhere");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("No such directory: 'nowhere'."), std::string::npos) << outcome.err;
}

}  // namespace mcp_verb_test
}  // namespace ampprof::cli
