// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ampprof::cli::mcp {

using Json = nlohmann::ordered_json;

/// A tool that clients may call.
struct Tool {
  std::string name;
  std::string about;
  Json input;  ///< JSON schema of the arguments, an object
  /// Returns the result of a call. Throws UsageError, ReportError or Json::exception; the client receives the text.
  std::function<Json(const Json& arguments)> call;
};

/// A server of the Model Context Protocol, https://modelcontextprotocol.io/specification/2025-06-18: JSON-RPC 2.0, one
/// message per line. Supports only tools. Not thread-safe.
class Server {
 public:
  /// `about` tells a model what the tools are for.
  Server(std::string version, std::string about, std::vector<Tool> tools)
      : version_(std::move(version)), about_(std::move(about)), tools_(std::move(tools)) {}

  /// Returns the answer to one message, without a line break; empty for a notification. Never throws, whatever the
  /// message contains.
  std::optional<std::string> answer(std::string_view message) const;

 private:
  Json result_of(const std::string& method, const Json& parameters) const;
  Json begin(const Json& parameters) const;
  Json list() const;
  Json call(const Json& parameters) const;

  std::string version_;
  std::string about_;
  std::vector<Tool> tools_;
};

}  // namespace ampprof::cli::mcp
