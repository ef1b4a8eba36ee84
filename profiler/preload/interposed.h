// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::preload {

/// An argument that travels in a register, or in eight bytes of the stack: a pointer, a reference, an integer, a bool.
using Word = void*;

}  // namespace ampprof::preload

/// Makes a name unique in a file: `prefix` and a number, __LINE__ say.
#define AMPPROF_NUMBERED(prefix, number) AMPPROF_JOINED(prefix, number)
#define AMPPROF_JOINED(prefix, number) prefix##number

/// Begins the definition of a function that takes the place of the one that LibTorch exports as `symbol`.
#define AMPPROF_INTERPOSE(name, symbol, ...)                                                 \
  extern "C" __attribute__((visibility("default"))) void* name(__VA_ARGS__) __asm__(symbol); \
  extern "C" void* name(__VA_ARGS__)
