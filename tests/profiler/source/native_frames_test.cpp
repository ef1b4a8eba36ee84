// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/native_frames.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace ampprof::profiler {
namespace native_frames_test {

using Frames = std::vector<std::uintptr_t>;

struct Seen {
  std::uintptr_t returns_to;  ///< return address of the call whose frames are read
  Frames frames;
};

__attribute__((noinline)) Seen frames_from_here() {
  const void* returns_to = __builtin_return_address(0);
  return {reinterpret_cast<std::uintptr_t>(returns_to), users_native_frames(returns_to)};
}

__attribute__((noinline)) Seen frames_in_depth(int calls) {
  Seen seen = calls == 0 ? frames_from_here() : frames_in_depth(calls - 1);
  asm volatile("" : : "g"(&seen) : "memory");  // prevents a tail call
  return seen;
}

TEST(NativeFrames, BeginWithTheCallThatIsAskedFor) {
  const Seen seen = frames_from_here();
  ASSERT_FALSE(seen.frames.empty());
  EXPECT_EQ(seen.frames.front(), seen.returns_to - 1) << "of the call, not of what is behind it";
}

TEST(NativeFrames, AreAllWhereTheCallIsNotOnTheStack) {
  const Frames all = users_native_frames(nullptr);
  const Seen seen = frames_from_here();
  ASSERT_FALSE(all.empty());
  EXPECT_GE(all.size(), seen.frames.size());
  EXPECT_TRUE(std::equal(seen.frames.rbegin(), seen.frames.rend() - 1, all.rbegin())) << "the callers are the same";
}

Frames g_in_comparison;

int compare(const void*, const void*) {
  g_in_comparison = users_native_frames(nullptr);
  return 0;
}

TEST(NativeFrames, AreOfTheUsersCodeAlone) {
  int values[2]{};
  std::qsort(values, 2, sizeof values[0], compare);
  const Frames here = users_native_frames(nullptr);
  EXPECT_EQ(g_in_comparison.size(), here.size() + 1) << "the comparison, but not what calls it in the C library";
}

Frames g_called_back;

TEST(NativeFrames, AreThoseOfTheUsersLibrariesToo) {
  void* library = dlopen(BARE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto call_back = reinterpret_cast<void (*)(void (*)())>(dlsym(library, "call_back"));
  call_back(+[] { g_called_back = users_native_frames(nullptr); });
  const auto in_library = [&](std::uintptr_t address) {
    Dl_info info{};
    return dladdr(reinterpret_cast<void*>(address), &info) != 0 && std::string(info.dli_fname) == BARE_LIBRARY;
  };
  EXPECT_EQ(std::ranges::count_if(g_called_back, in_library), 1);
}

TEST(NativeFrames, AreAtMostThirtyTwo) { EXPECT_EQ(frames_in_depth(60).frames.size(), 32u); }

}  // namespace native_frames_test
}  // namespace ampprof::profiler
