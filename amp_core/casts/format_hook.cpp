// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/format_hook.h"

#include <dlfcn.h>

#include <atomic>
#include <filesystem>
#include <mutex>

#include "amp_core/levels/error.h"

namespace amp {
namespace {

constexpr const char* kLibrary = "libamp_formats.so";

std::atomic<RecipeHook*> registered = nullptr;
std::atomic<bool> says_left = true;

std::filesystem::path beside_this_library() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&register_format_hook), &here) == 0 || here.dli_fname == nullptr) {
    return kLibrary;
  }
  return std::filesystem::absolute(here.dli_fname).replace_filename(kLibrary);
}

void load_library() {
  const std::filesystem::path library = beside_this_library();
  if (!exists(library)) {
    throw Error("A recipe rounds operands of matmuls with " + std::string(kLibrary) + ", which is missing in " +
                library.parent_path().string() + ". Install it in the folder of libamp_core.so, or use no recipe.");
  }
  if (dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {  // never closed, since autograd nodes call the
                                                                    // library
    throw Error("A recipe rounds operands of matmuls with " + library.string() +
                ", which cannot be loaded: " + dlerror());
  }
}

}  // namespace

void register_format_hook(RecipeHook& hook) {
  hook.report_unquantized_layers(says_left.load());
  registered.store(&hook);
}

RecipeHook& format_hook() {
  static std::mutex mutex;
  if (RecipeHook* hook = registered.load()) return *hook;
  const std::lock_guard lock(mutex);
  if (registered.load() == nullptr) load_library();
  RecipeHook* const hook = registered.load();
  if (hook == nullptr)
    throw Error(beside_this_library().string() + " belongs to another version of amp_core. Reinstall both libraries.");
  return *hook;
}

void reset_recipe_state(bool says_what_is_left) {
  says_left.store(says_what_is_left);
  RecipeHook* const hook = registered.load();
  if (hook == nullptr) return;
  hook->restart();
  hook->report_unquantized_layers(says_what_is_left);
}

}  // namespace amp
