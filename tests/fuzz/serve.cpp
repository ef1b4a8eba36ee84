// SPDX-License-Identifier: Apache-2.0
// libFuzzer: for any request, the server shows nothing but reports of its folder, and nothing without the token.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/serve/site.h"

namespace {

using namespace ampprof::cli::serve;
namespace fs = std::filesystem;

constexpr const char* kToken = "t0";

/// Makes a folder with an invalid report, beside a file that must not be shown.
fs::path make_folder() {
  const fs::path folder = fs::temp_directory_path() / "ampprof_fuzz_serve";
  fs::create_directories(folder / "runs");
  std::ofstream(folder / "runs/r.ampprof") << "no report";
  std::ofstream(folder / "secret.ampprof") << "no report";
  return folder / "runs";
}

std::string next(std::string& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string part = text.substr(0, end);
  text.erase(0, std::min(end + 1, text.size()));
  return part;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Site site(make_folder(), kToken, 80);
  std::string text(reinterpret_cast<const char*>(data), size);
  Request request{.method = next(text), .target = next(text), .host = next(text), .cookie = next(text)};
  const Response asked = site.answer(request);
  const bool knows =
      request.target.find(kToken) != std::string::npos || request.cookie.find(kToken) != std::string::npos;
  if (!knows && asked.status != 403 && asked.status != 405 && asked.status != 400) std::abort();
  request = {.method = "GET", .target = request.target, .host = "localhost:80", .cookie = "ampprof80=t0"};
  if (site.answer(request).body.find("secret") != std::string::npos) std::abort();
  return 0;
}
