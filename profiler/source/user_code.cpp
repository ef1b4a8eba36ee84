// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/user_code.h"

#include <algorithm>
#include <initializer_list>

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

}  // namespace

CodeOwner owner_of_python_file(std::string_view file, std::string_view torch_folder) {
  // What has no file: typed in, given with -c, or generated.
  if (starts_with_any(file, {"<stdin>", "<string>", "<ipython-input"})) return CodeOwner::User;
  if (file.empty() || file.starts_with('<')) return CodeOwner::Machinery;
  if (is_in(file, torch_folder) || has_any(file, {"-packages/torch/", "/torchinductor_"})) return CodeOwner::Machinery;
  if (ends_with_any(file, {"/ampprof_hooks.py", "/ampprof_regions.py", "/ampprof/__init__.py"}))
    return CodeOwner::Machinery;
  const bool is_package = has_any(file, {"/site-packages/", "/dist-packages/", "/lib/python3"});
  return is_package ? CodeOwner::Package : CodeOwner::User;
}

CodeOwner owner_of_object(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  if (starts_with_any(name, {"libtorch", "libc10", "libampprof", "libamp_core", "libamp_formats", "ampprof-runner"})) {
    return CodeOwner::Machinery;
  }
  // The kernel's own has no path.
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
