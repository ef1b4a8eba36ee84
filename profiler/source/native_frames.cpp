// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/native_frames.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <span>
#include <string>

#include "profiler/source/user_code.h"

namespace ampprof::profiler {
namespace {

constexpr std::size_t kMostFrames = 32;

/// The executable's name, as the dynamic linker knows it, is what the user typed.
std::string path_of_executable() {
  std::array<char, PATH_MAX> path{};
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  return {path.data(), static_cast<std::size_t>(size < 0 ? 0 : size)};
}

/// Remembers of each object whose it is.
class Objects {
 public:
  bool is_users(void* address) {
    Dl_info found;
    if (dladdr(address, &found) == 0 || found.dli_fname == nullptr) return false;
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = users_.try_emplace(found.dli_fbase);
    if (is_new) place->second = owner_of_object(real_name(found.dli_fname)) == CodeOwner::User;
    return place->second;
  }

 private:
  std::string real_name(const std::string& name) {
    return name.starts_with('/') || name.find(".so") != std::string::npos ? name : executable_;
  }

  std::mutex mutex_;
  std::map<void*, bool> users_;  ///< by where it was loaded
  const std::string executable_ = path_of_executable();
};

}  // namespace

std::vector<std::uintptr_t> users_native_frames(const void* from) {
  static Objects objects;
  std::array<void*, 256> stack{};
  const auto depth = static_cast<std::size_t>(backtrace(stack.data(), static_cast<int>(stack.size())));
  const std::span all(stack.data(), depth);
  const auto first = std::ranges::find(all, from);
  std::vector<std::uintptr_t> frames;
  for (void* address : std::ranges::subrange(first == all.end() ? all.begin() : first, all.end())) {
    if (frames.size() == kMostFrames) break;
    // A return address is behind the call, which may be another line's.
    if (objects.is_users(address)) frames.push_back(reinterpret_cast<std::uintptr_t>(address) - 1);
  }
  return frames;
}

}  // namespace ampprof::profiler
