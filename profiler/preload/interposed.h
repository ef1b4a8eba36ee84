// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace ampprof::preload {

/// A function argument that is passed in a register, or in eight bytes on the stack: a pointer, a reference, an
/// integer, a bool.
using Word = void*;

/// A symbol that the stub defines in place of another library. The linker collects these symbols in a section.
struct InterposedSymbol {
  const char* symbol;
};

std::span<const InterposedSymbol> interposed_symbols();

}  // namespace ampprof::preload

/// Makes a name unique in a file, from `prefix` and a number such as __LINE__.
#define AMPPROF_NUMBERED(prefix, number) AMPPROF_JOINED(prefix, number)
#define AMPPROF_JOINED(prefix, number) prefix##number
/// Adds a symbol to interposed_symbols(). `name` must be unique.
#define AMPPROF_LIST_INTERPOSED(name, symbol) \
  __attribute__((used, section("ampprof_interposed"))) static ampprof::preload::InterposedSymbol listed_##name{symbol};

/// Begins the definition of a function that replaces the one that LibTorch exports as `symbol`.
#define AMPPROF_INTERPOSE(name, symbol, ...)                                                 \
  extern "C" __attribute__((visibility("default"))) void* name(__VA_ARGS__) __asm__(symbol); \
  AMPPROF_LIST_INTERPOSED(name, symbol)                                                      \
  extern "C" void* name(__VA_ARGS__)
