// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/native_frames.h"

#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <system_error>

#include "profiler/source/user_code.h"

namespace ampprof::profiler {
namespace {

constexpr std::size_t kMostFrames = 32;

/// Returns the path of the executable, for which the dynamic linker has no name.
std::string path_of_executable() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

/// Lists the loaded objects of this process, and which of them are the user's. Replaces dladdr(), which searches an
/// object's symbols for a quarter of a millisecond per address.
class Objects {
 public:
  bool is_users(std::uintptr_t address) {
    const std::lock_guard lock(mutex_);
    const LoadedSegment* loaded = find(address);
    if (loaded == nullptr) {  // the library was loaded after the objects were listed
      dl_iterate_phdr(add_object, this);
      loaded = find(address);
    }
    return loaded != nullptr && loaded->is_users;
  }

 private:
  struct LoadedSegment {
    std::uintptr_t end;
    bool is_users;
  };

  const LoadedSegment* find(std::uintptr_t address) const {
    const auto behind = loaded_.upper_bound(address);
    if (behind == loaded_.begin()) return nullptr;
    const LoadedSegment& loaded = std::prev(behind)->second;
    return address < loaded.end ? &loaded : nullptr;
  }

  static int add_object(dl_phdr_info* object, std::size_t, void* objects) {
    auto& self = *static_cast<Objects*>(objects);
    const std::string name = object->dlpi_name[0] == '\0' ? self.executable_ : object->dlpi_name;
    const bool is_users = owner_of_object(name) == CodeOwner::User;
    for (const auto& header : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
      if (header.p_type != PT_LOAD) continue;
      const std::uintptr_t start = object->dlpi_addr + header.p_vaddr;
      self.loaded_.insert_or_assign(start, LoadedSegment{start + header.p_memsz, is_users});
    }
    return 0;
  }

  std::mutex mutex_;
  std::map<std::uintptr_t, LoadedSegment> loaded_;  ///< segments by their first address
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
  for (const void* returns_to : std::ranges::subrange(first == all.end() ? all.begin() : first, all.end())) {
    if (frames.size() == kMostFrames) break;
    // A return address points to the instruction after the call, which may be on the next line.
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(returns_to) - 1;
    if (objects.is_users(address)) frames.push_back(address);
  }
  return frames;
}

}  // namespace ampprof::profiler
