// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/server.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ampprof::cli::mcp {
namespace server_test {

Server server() {
  const Json schema{{"type", "object"}, {"properties", {{"n", {{"type", "integer"}}}}}};
  return {"1.2.3",
          "Doubles numbers.",
          {{"double", "Doubles a number.", schema,
            [](const Json& arguments) {
              return Json{{"twice", 2 * arguments.at("n").get<int>()}};
            }},
           {"fail", "Fails.", schema, [](const Json&) -> Json { throw std::runtime_error("It failed."); }}}};
}

Json answer_to(const Json& message) {
  const auto answer = server().answer(message.dump());
  return answer ? Json::parse(*answer) : Json();
}

Json request(const std::string& method, const Json& parameters = Json::object()) {
  return {{"jsonrpc", "2.0"}, {"id", 7}, {"method", method}, {"params", parameters}};
}

TEST(McpServer, BeginsInTheProtocolOfTheClientWhereItKnowsIt) {
  for (const auto& [asked, given] : {std::pair("2024-11-05", "2024-11-05"), std::pair("2025-06-18", "2025-06-18"),
                                     std::pair("1999", "2025-06-18")}) {
    const Json answer = answer_to(request("initialize", {{"protocolVersion", asked}}));
    EXPECT_EQ(answer["jsonrpc"], "2.0");
    EXPECT_EQ(answer["id"], 7);
    EXPECT_EQ(answer["result"]["protocolVersion"], given);
    EXPECT_EQ(answer["result"]["serverInfo"], (Json{{"name", "ampprof"}, {"version", "1.2.3"}}));
    EXPECT_TRUE(answer["result"]["capabilities"].contains("tools"));
    EXPECT_EQ(answer["result"]["instructions"], "Doubles numbers.");
  }
}

TEST(McpServer, ListsItsToolsWithTheirSchemas) {
  const Json tools = answer_to(request("tools/list"))["result"]["tools"];
  ASSERT_EQ(tools.size(), 2u);
  EXPECT_EQ(tools[0]["name"], "double");
  EXPECT_EQ(tools[0]["description"], "Doubles a number.");
  EXPECT_EQ(tools[0]["inputSchema"]["type"], "object");
  EXPECT_EQ(tools[0]["annotations"]["readOnlyHint"], true);
}

TEST(McpServer, CallsATool) {
  const Json result = answer_to(request("tools/call", {{"name", "double"}, {"arguments", {{"n", 21}}}}))["result"];
  EXPECT_EQ(result["isError"], false);
  ASSERT_EQ(result["content"].size(), 1u);
  EXPECT_EQ(result["content"][0]["type"], "text");
  EXPECT_EQ(result["content"][0]["text"], R"({"twice":42})");
}

TEST(McpServer, TellsTheModelWhatWentWrongInATool) {
  const Json failed = answer_to(request("tools/call", {{"name", "fail"}}))["result"];
  EXPECT_EQ(failed["isError"], true);
  EXPECT_EQ(failed["content"][0]["text"], "It failed.");
  EXPECT_EQ(answer_to(request("tools/call", {{"name", "double"}}))["result"]["isError"], true) << "n is missing";
}

TEST(McpServer, RefusesWhatIsNoRequestItKnows) {
  const auto code_of = [](const Json& message) { return answer_to(message)["error"]["code"].get<int>(); };
  EXPECT_EQ(Json::parse(server().answer("{").value())["error"]["code"], -32700);
  EXPECT_EQ(code_of(Json::array()), -32600);
  EXPECT_EQ(code_of({{"id", 7}, {"method", "ping"}}), -32600) << "no jsonrpc";
  EXPECT_EQ(code_of(request("resources/list")), -32601);
  EXPECT_EQ(code_of(request("tools/call", {{"name", "halve"}})), -32602);
  EXPECT_EQ(code_of(request("ping", Json::array())), -32602);
  EXPECT_EQ(code_of(request("tools/call", {{"name", "double"}, {"arguments", 3}})), -32602);
}

TEST(McpServer, AnswersNoNotificationAndNoAnswer) {
  EXPECT_TRUE(answer_to({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}).is_null());
  EXPECT_TRUE(answer_to({{"jsonrpc", "2.0"}, {"id", 1}, {"result", Json::object()}}).is_null());
  EXPECT_EQ(answer_to(request("ping"))["result"], Json::object());
}

}  // namespace server_test
}  // namespace ampprof::cli::mcp
