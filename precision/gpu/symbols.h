// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <string>

namespace ampprof::gpu {

/// Finds functions of a library that was opened at run time; none if the library is null.
class Symbols {
 public:
  explicit Symbols(void* library) : library_(library) {}

  template <typename Function>
  void find(Function& function, const char* name) {
    function = library_ != nullptr ? reinterpret_cast<Function>(dlsym(library_, name)) : nullptr;
  }
  template <typename Function>
  void need(Function& function, const char* name) {
    find(function, name);
    if (function == nullptr && absent_.empty()) absent_ = name;
  }
  /// Returns the name of the first function that need() did not find; "" if none is missing.
  const std::string& absent() const { return absent_; }

 private:
  void* library_;
  std::string absent_;
};

/// Returns the reason why the last dlopen() failed.
inline std::string why_not_opened() {
  const char* words = dlerror();
  return words != nullptr ? words : "the loader gives no reason";
}

}  // namespace ampprof::gpu
