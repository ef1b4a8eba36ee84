// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/python_stack.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <optional>

#include "profiler/source/python_api.h"

namespace ampprof::profiler {
namespace {

using python::Interpreter;
using python::Object;
using python::Owned;
using Address = const char*;

/// Byte offsets of pointers in CPython's structs.
struct FrameLayout {
  std::optional<std::size_t> holder;  ///< in PyThreadState: the struct with `current`; empty if PyThreadState has it
  std::size_t current = 0;            ///< in the holder: the innermost frame
  std::size_t previous = 0;           ///< in a frame: the caller's frame
  std::size_t instruction = 0;        ///< in a frame: the current instruction
};

/// An interpreter frame, and the values that the API returns for it, which are used to find the offsets.
struct KnownFrame {
  Address frame = nullptr;
  Address code = nullptr;
  int instruction = 0;  ///< byte offset in the code
};

constexpr std::size_t kMostFrames = 512;
constexpr int kMostTries = 16;

Address word_at(Address base, std::size_t offset) {
  Address word = nullptr;
  std::memcpy(&word, base + offset, sizeof word);
  return word;
}

/// Returns the offset of `wanted` among the first `size` bytes at `base`.
std::optional<std::size_t> offset_of(Address base, std::size_t size, Address wanted) {
  for (std::size_t offset = 0; offset < size; offset += sizeof wanted) {
    if (word_at(base, offset) == wanted) return offset;
  }
  return std::nullopt;
}

/// Reads the interpreter frame out of a frame object, where it follows the reference count, the type and the calling
/// frame.
KnownFrame known_frame(const Interpreter& python, Object* frame) {
  constexpr std::size_t kInterpretersFrame = 24;
  const Owned code(python.code_of(frame), {&python});
  return {word_at(static_cast<Address>(frame), kInterpretersFrame), static_cast<Address>(code.get()),
          python.instruction_of(frame)};
}

/// Returns the offset of the instruction pointer in a frame. Instructions follow a header in their code object. All
/// code objects have a header of the same size, so an offset is right if both frames give the same header size.
std::optional<std::size_t> instruction_offset(const KnownFrame& a, const KnownFrame& b) {
  constexpr std::size_t kHead = 80;  // size of a frame before its variables
  constexpr std::ptrdiff_t kLargestCodeHead = 1024;
  for (std::size_t offset = 0; offset < kHead; offset += sizeof(Address)) {
    const auto head_of = [offset](const KnownFrame& known) {
      const auto word = reinterpret_cast<std::intptr_t>(word_at(known.frame, offset));
      return word - reinterpret_cast<std::intptr_t>(known.code) - known.instruction;
    };
    if (head_of(a) > 0 && head_of(a) < kLargestCodeHead && head_of(a) == head_of(b)) return offset;
  }
  return std::nullopt;
}

/// Finds the offsets by searching memory for the known addresses of two frames. `has_holder`: the version is Python
/// 3.11 or 3.12, where PyThreadState may point to a struct that has the current frame.
std::optional<FrameLayout> layout_from(Address state, bool has_holder, const KnownFrame& inner,
                                       const KnownFrame& outer) {
  constexpr std::size_t kState = 128;      // smallest PyThreadState of all versions
  constexpr std::size_t kHolderAt = 56;    // offset in PyThreadState of the pointer to the holder
  constexpr std::size_t kHolderSize = 16;  // smallest holder of both versions
  constexpr std::size_t kFrameHead = 64;   // smallest frame of all versions
  FrameLayout layout;
  auto current = offset_of(state, kState, inner.frame);
  if (!current && has_holder) {
    layout.holder = kHolderAt;
    current = offset_of(word_at(state, kHolderAt), kHolderSize, inner.frame);
  }
  const auto previous = offset_of(inner.frame, kFrameHead, outer.frame);
  const auto instruction = instruction_offset(inner, outer);
  if (!current || !previous || !instruction) return std::nullopt;
  layout.current = *current;
  layout.previous = *previous;
  layout.instruction = *instruction;
  return layout;
}

std::atomic<const FrameLayout*> known_layout{nullptr};

}  // namespace

void learn_python_frames(const Interpreter& python) {
  static int tries = 0;  // guarded by the interpreter's lock
  if (known_layout.load(std::memory_order_relaxed) != nullptr || tries >= kMostTries) return;
  if (python.instruction_of == nullptr || python.version == nullptr) return;
  Object* inner = python.current_frame();
  if (inner == nullptr) return;
  const Owned outer(python.caller_of(inner), {&python});
  if (outer == nullptr) return;
  ++tries;
  static FrameLayout found;
  const bool has_holder = *python.version < 0x030D0000;
  const auto layout = layout_from(static_cast<Address>(python.state_of_this_thread()), has_holder,
                                  known_frame(python, inner), known_frame(python, outer.get()));
  if (!layout) return;
  found = *layout;
  known_layout.store(&found, std::memory_order_release);
}

std::uint64_t python_stack_number() {
  const FrameLayout* layout = known_layout.load(std::memory_order_acquire);
  const Interpreter* python = layout == nullptr ? nullptr : python::interpreter();
  if (python == nullptr) return 0;
  auto state = static_cast<Address>(python->state_of_this_thread());
  if (state == nullptr) return 0;
  if (layout->holder) state = word_at(state, *layout->holder);
  std::uint64_t number = 1;
  std::size_t frames = 0;
  for (Address frame = word_at(state, layout->current); frame != nullptr; frame = word_at(frame, layout->previous)) {
    if (++frames > kMostFrames) return 0;
    const auto instruction = reinterpret_cast<std::uint64_t>(word_at(frame, layout->instruction));
    number = (number ^ instruction) * 0x9E3779B97F4A7C15ull;
  }
  return frames == 0 ? 0 : number ^ number >> 32;
}

}  // namespace ampprof::profiler
