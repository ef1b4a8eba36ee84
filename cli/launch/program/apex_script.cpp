// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/program/apex_script.h"

#include <algorithm>
#include <fstream>
#include <regex>

#include "cli/launch/program/linkage.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostEntries = 2000;  ///< limit of files to look at, because a script's folder may hold a data set
constexpr int kDeepest = 3;

constexpr const char* kPlaceOfApex =
    "import importlib.util as u; s = u.find_spec('apex'); print(s.origin if s and s.origin else '')";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// Returns the scripts in a command: words that end with .py, and the module after -m.
std::vector<fs::path> scripts_of(const std::vector<std::string>& command) {
  std::vector<fs::path> scripts;
  for (std::size_t i = 0; i < command.size(); ++i) {
    fs::path path = command[i];
    if (i > 0 && command[i - 1] == "-m") {
      std::string name = command[i];
      std::ranges::replace(name, '.', '/');
      path = is_file(name + ".py") ? fs::path(name + ".py") : fs::path(name) / "__main__.py";
    } else if (path.extension() != ".py") {
      continue;
    }
    if (is_file(path)) scripts.push_back(path);
  }
  return scripts;
}

/// Returns whether a Python file in a folder or below it imports `apex`.
bool folder_imports_apex(const fs::path& folder) {
  std::error_code stops;
  int entries = 0;
  fs::recursive_directory_iterator each(folder.empty() ? fs::path(".") : folder,
                                        fs::directory_options::skip_permission_denied, stops);
  for (const fs::recursive_directory_iterator end; !stops && each != end && entries < kMostEntries;
       each.increment(stops)) {
    const std::string name = each->path().filename().string();
    if (name.starts_with('.') || name == "site-packages" || each.depth() == kDeepest) each.disable_recursion_pending();
    ++entries;
    if (each->path().extension() == ".py" && imports_apex(each->path())) return true;
  }
  return false;
}

}  // namespace

bool imports_apex(const fs::path& script) {
  static const std::regex kImport(R"((^|.*[;:])\s*(from\s+apex[.\s]|import\s+(.*,\s*)?apex([.,;\s]|$))[^]*)");
  std::ifstream file(script);
  for (std::string line; std::getline(file, line);) {
    if (line.find("apex") != std::string::npos && std::regex_match(line, kImport)) return true;
  }
  return false;
}

bool runs_on_apex(const std::vector<std::string>& command, const std::vector<std::string>& interpreter) {
  const auto uses_it = [](const fs::path& script) {
    return imports_apex(script) || folder_imports_apex(script.parent_path());
  };
  if (!std::ranges::any_of(scripts_of(command), uses_it)) return false;
  std::vector<std::string> question = interpreter;
  question.insert(question.end(), {"-c", kPlaceOfApex});
  const std::string answer = capture(question).output;
  return is_file(fs::path(answer.substr(0, answer.find('\n'))).parent_path() / "_library.py");
}

}  // namespace ampprof::cli
