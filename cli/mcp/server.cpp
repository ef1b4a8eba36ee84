// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>

namespace ampprof::cli::mcp {
namespace {

// https://www.jsonrpc.org/specification, section 5.1.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;

/// Supported versions of the protocol, newest first.
constexpr std::array<std::string_view, 3> kProtocols{"2025-06-18", "2025-03-26", "2024-11-05"};

/// An error in the client's message, which the answer reports.
struct RpcError {
  int code = 0;
  std::string message;
};

/// Returns a message as JSON in one line. Paths may contain bytes that are not UTF-8: they become U+FFFD.
std::string line_of(const Json& message) { return message.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string answer_with(const Json& id, const char* key, Json value) {
  Json answer{{"jsonrpc", "2.0"}, {"id", id}};
  answer[key] = std::move(value);
  return line_of(answer);
}

std::string answer_with(const Json& id, const RpcError& error) {
  return answer_with(id, "error", {{"code", error.code}, {"message", error.message}});
}

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

bool may_be_id(const Json& id) { return id.is_string() || id.is_number() || id.is_null(); }

}  // namespace

std::optional<std::string> Server::answer(std::string_view message) const {
  const Json request = Json::parse(message, nullptr, /*allow_exceptions=*/false);
  if (request.is_discarded()) return answer_with(nullptr, {kParseError, "The line is not JSON."});
  const bool is_object = request.is_object();
  const std::string method = is_object ? text_at(request, "method") : "";
  const bool has_id = is_object && request.contains("id");
  const Json id = has_id && may_be_id(request["id"]) ? request["id"] : Json();
  if (method.empty() || text_at(request, "jsonrpc") != "2.0") {
    const bool is_answer = is_object && (request.contains("result") || request.contains("error"));
    if (is_answer) return std::nullopt;
    return answer_with(id, {kInvalidRequest, "The message is not a request of JSON-RPC 2.0."});
  }
  if (!has_id) return std::nullopt;  // a notification
  try {
    const auto parameters = request.find("params");
    const Json given = parameters == request.end() ? Json::object() : *parameters;
    if (!given.is_object()) throw RpcError{kInvalidParams, "params must be an object."};
    return answer_with(id, "result", result_of(method, given));
  } catch (const RpcError& error) {
    return answer_with(id, error);
  }
}

Json Server::result_of(const std::string& method, const Json& parameters) const {
  if (method == "initialize") return begin(parameters);
  if (method == "ping") return Json::object();
  if (method == "tools/list") return list();
  if (method == "tools/call") return call(parameters);
  throw RpcError{kMethodNotFound, fmt::format("Unknown method '{}'.", method)};
}

Json Server::begin(const Json& parameters) const {
  const std::string asked = text_at(parameters, "protocolVersion");
  const bool is_known = std::ranges::find(kProtocols, asked) != kProtocols.end();
  return {{"protocolVersion", is_known ? asked : std::string(kProtocols.front())},
          {"capabilities", {{"tools", Json::object()}}},
          {"serverInfo", {{"name", "ampprof"}, {"version", version_}}},
          {"instructions", about_}};
}

Json Server::list() const {
  Json tools = Json::array();
  for (const Tool& tool : tools_) {
    tools.push_back({{"name", tool.name},
                     {"description", tool.about},
                     {"inputSchema", tool.input},
                     {"annotations", {{"readOnlyHint", true}, {"openWorldHint", false}}}});
  }
  return {{"tools", std::move(tools)}};
}

Json Server::call(const Json& parameters) const {
  const std::string name = text_at(parameters, "name");
  const auto tool = std::ranges::find(tools_, name, &Tool::name);
  if (tool == tools_.end()) throw RpcError{kInvalidParams, fmt::format("Unknown tool '{}'.", name)};
  const auto arguments = parameters.find("arguments");
  const Json given = arguments == parameters.end() ? Json::object() : *arguments;
  if (!given.is_object()) throw RpcError{kInvalidParams, "arguments must be an object."};
  // An error of a tool is returned as a result, because clients pass results to their model, which can then correct the
  // arguments.
  std::string text;
  bool is_error = false;
  try {
    text = line_of(tool->call(given));
  } catch (const Json::exception& error) {
    text = fmt::format("The arguments do not fit the input schema of '{}': {}.", name, error.what());
    is_error = true;
  } catch (const std::exception& error) {
    text = error.what();
    is_error = true;
  }
  return {{"content", {{{"type", "text"}, {"text", text}}}}, {"isError", is_error}};
}

}  // namespace ampprof::cli::mcp
