// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any line is a message. If there is an answer, it is JSON on one line.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cli/mcp/server.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ampprof::cli::mcp;
  static const Server server("1", "", {{"reports", "", Json::object(), [](const Json& arguments) {
                                          return Json(arguments.at("report").get<std::string>());
                                        }}});
  const auto answer = server.answer({reinterpret_cast<const char*>(data), size});
  if (!answer) return 0;
  if (answer->find('\n') != std::string::npos || !Json::accept(*answer)) std::abort();
  return 0;
}
