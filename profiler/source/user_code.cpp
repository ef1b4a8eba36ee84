// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/user_code.h"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

namespace ampprof::profiler {
namespace {

using Texts = std::initializer_list<std::string_view>;

bool has_any(std::string_view text, Texts parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool starts_with_any(std::string_view text, Texts beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return text.starts_with(beginning); });
}

bool ends_with_any(std::string_view text, Texts ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return text.ends_with(end); });
}

bool is_in(std::string_view file, std::string_view folder) {
  return !folder.empty() && file.starts_with(folder) && file.substr(folder.size()).starts_with('/');
}

/// Returns whether the file is named like one from Python's `tempfile`: /tmp/tmpd3_x8k2q.py.
bool is_temporary(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  constexpr std::string_view kBefore = "tmp", kAfter = ".py";
  if (!starts_with_any(file, {"/tmp/", "/var/tmp/"})) return false;
  if (name.size() != kBefore.size() + 8 + kAfter.size() || !name.starts_with(kBefore) || !name.ends_with(kAfter)) {
    return false;
  }
  return name.substr(kBefore.size(), 8).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
         std::string_view::npos;
}

std::vector<std::string> command_line() {
  std::vector<std::string> words;
  std::ifstream file("/proc/self/cmdline");
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace

bool is_program_in_command(std::span<const std::string> words) {
  if (std::ranges::find(words, "--multiprocessing-fork") != words.end()) return false;
  for (std::size_t i = 1; i < words.size() && words[i].starts_with('-'); ++i) {
    const std::string& option = words[i];
    if (option == "-W" || option == "-X") ++i;  // the next word is its value
    if (starts_with_any(option, {"--", "-W", "-X"})) continue;
    if (option.ends_with('c')) return true;
    if (option.ends_with('m')) return false;
  }
  return false;
}

CodeOwner owner_of_python_file(std::string_view file, std::string_view torch_folder) {
  // Names in <...> are code without a file: typed in, given with -c, or generated.
  if (starts_with_any(file, {"<stdin>", "<ipython-input"})) return CodeOwner::User;
  if (file.starts_with("<string>")) {
    static const bool is_program = is_program_in_command(command_line());
    return is_program ? CodeOwner::User : CodeOwner::Package;
  }
  if (file.empty() || file.starts_with('<')) return CodeOwner::Machinery;
  if (is_in(file, torch_folder) || has_any(file, {"-packages/torch/", "/torchinductor_"})) return CodeOwner::Machinery;
  if (ends_with_any(file, {"/ampprof_hooks.py", "/ampprof_regions.py", "/ampprof_names.py", "/ampprof_holders.py",
                           "/ampprof/__init__.py"})) {
    return CodeOwner::Machinery;
  }
  if (has_any(file, {"/site-packages/", "/dist-packages/", "/share/ampprof/apex/"}) || is_temporary(file))
    return CodeOwner::Package;
  return has_any(file, {"/lib/python3", "/lib64/python3"}) ? CodeOwner::Machinery : CodeOwner::User;
}

std::string lasting_name_of(const std::string& file) {
  constexpr std::string_view kDigits = "0123456789", kFolder = "/ipykernel_", kAfter = ".py";
  const std::size_t folder = file.rfind(kFolder);
  if (folder == std::string::npos || !file.ends_with(kAfter)) return file;
  const std::size_t process = folder + kFolder.size();
  const std::size_t slash = file.find_first_not_of(kDigits, process);
  if (slash == process || slash == std::string::npos || file[slash] != '/') return file;
  const std::string cell = file.substr(slash + 1, file.size() - kAfter.size() - slash - 1);
  const bool is_number = !cell.empty() && cell.find_first_not_of(kDigits) == std::string::npos;
  return is_number ? "<cell " + cell + ">" : file;
}

CodeOwner owner_of_object(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  if (starts_with_any(name, {"libtorch", "libc10", "libampprof", "libamp_core", "libamp_formats", "ampprof-runner"})) {
    return CodeOwner::Machinery;
  }
  // The kernel's own object (linux-vdso) has no path.
  if (file.find('/') == std::string_view::npos && name.starts_with("linux-")) return CodeOwner::Machinery;
  const bool is_systems = starts_with_any(file, {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"});
  return is_systems || has_any(file, {"-packages/nvidia/"}) ? CodeOwner::Machinery : CodeOwner::User;
}

CodeOwner owner_of_cpp_file(std::string_view file) {
  const bool is_torchs =
      has_any(file, {"/include/ATen/", "/include/c10/", "/include/torch/", "/include/caffe2/", "/amp_core/"});
  const bool is_systems = starts_with_any(file, {"/usr/include/", "/usr/lib/", "/usr/local/include/"}) ||
                          has_any(file, {"/lib/gcc/", "/include/c++/"});
  return file.empty() || is_torchs || is_systems ? CodeOwner::Machinery : CodeOwner::User;
}

bool is_librarys_function(std::string_view name) {
  return name.empty() ||
         starts_with_any(name, {"at::", "torch::", "c10::", "std::", "__gnu_cxx::", "__libc_", "_start"});
}

}  // namespace ampprof::profiler
