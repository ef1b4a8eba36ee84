// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <random>

#include "cli/launch/program/exit_code.h"
#include "cli/serve/server.h"
#include "cli/serve/site.h"
#include "cli/verbs/flags.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

constexpr const char* kFooter = R"(
Prints the address of the page. The address holds a token, which the browser keeps, so other users of this machine
cannot read the reports. The page updates while a report is written. The server never writes. Ctrl+C stops it.

If ampprof runs on a machine that you reach by ssh, run the printed ssh line on your own machine, then open the address
there.

Example:
  ampprof serve runs/)";

/// Returns 128 random bits as 32 hexadecimal digits.
std::string new_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", device());
  return token;
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "HOST";
}

}  // namespace

int serve_verb(const Arguments& arguments, const Installation&) {
  std::string root;
  int port = 0;
  CLI::App app("Shows reports in a browser, even while they are being written.", "ampprof serve");
  set_usage(app, "ampprof serve REPORT|FOLDER [OPTIONS]");
  app.footer(kFooter);
  app.add_option("REPORT", root, "serve this report, or all reports in this directory")->required();
  add_option(app, "--port", port, "listen on this port of 127.0.0.1 (default: any free port)")
      ->type_name("N")
      ->check(CLI::Range(0, 65535));
  if (!parse(app, arguments)) return kFine;
  if (!std::filesystem::exists(root)) throw text::UsageError(fmt::format("No such report or directory: '{}'.", root));
  serve::Server server(port);
  const serve::Site site(root, new_token(), server.port());
  fmt::print("http://127.0.0.1:{}{}\n", server.port(), site.address());
  std::fflush(stdout);
  fmt::print(stderr, "ampprof: from another machine: ssh -N -L {0}:127.0.0.1:{0} {1}\n", server.port(), host_name());
  server.run([&](const serve::Request& request) { return site.answer(request); });
  return kFine;
}

}  // namespace ampprof::cli
