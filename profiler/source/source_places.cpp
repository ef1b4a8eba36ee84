// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/source_places.h"

#include <optional>
#include <utility>

#include "profiler/source/debug_lines.h"
#include "profiler/source/native_frames.h"
#include "profiler/source/python_api.h"
#include "profiler/source/python_line.h"
#include "profiler/source/python_stack.h"
#include "profiler/source/user_code.h"

namespace ampprof::profiler {
namespace {

std::optional<std::string> line_of(const DebugLines& lines, const std::vector<std::uintptr_t>& frames) {
  for (const std::uintptr_t frame : frames) {
    for (const auto& [file, line] : lines.positions_of(frame)) {
      if (line > 0 && owner_of_cpp_file(file) == CodeOwner::User) return file + ':' + std::to_string(line);
    }
  }
  return std::nullopt;
}

std::string function_of(const DebugLines& lines, const std::vector<std::uintptr_t>& frames) {
  for (const std::uintptr_t frame : frames) {
    const std::string name = lines.function_at(frame);
    if (!is_librarys_function(name)) return name;
  }
  return "";
}

}  // namespace

SourcePlaces::Id SourcePlaces::add(Location place) {
  places_.push_back(std::move(place));
  return static_cast<Id>(places_.size() - 1);
}

SourcePlaces::Id SourcePlaces::at(const std::string& text) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = by_text_.try_emplace(text);
  if (is_new) known->second = add({.text = text});
  return known->second;
}

__attribute__((noinline)) SourcePlaces::Id SourcePlaces::here() {
  if (const auto place = python_place(torch_folder_)) return at(place->line);
  std::vector<std::uintptr_t> frames = users_native_frames(__builtin_return_address(0));
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = by_frames_.try_emplace(frames);
  if (is_new) known->second = add({.text = "", .frames = std::move(frames)});
  return known->second;
}

bool SourcePlaces::has_python() { return python::interpreter() != nullptr; }

CodePlace SourcePlaces::in_python() {
  constexpr std::size_t kMostStacks = 1 << 18;  // bounds the memory for a program with unlimited recursion
  const std::uint64_t stack = python_stack_number();
  if (stack != 0) {
    const std::lock_guard lock(mutex_);
    if (const auto known = by_stack_.find(stack); known != by_stack_.end()) return known->second;
  }
  const auto found = python_place(torch_folder_);
  if (!found) return {};
  const CodePlace place{.line = at(found->line), .path = found->path, .stack = found->stack};
  const std::lock_guard lock(mutex_);
  if (stack != 0 && by_stack_.size() < kMostStacks) by_stack_.emplace(stack, place);
  return place;
}

std::string SourcePlaces::text_of(Id place) const {
  const std::lock_guard lock(mutex_);
  return places_.at(static_cast<std::size_t>(place)).text;
}

bool SourcePlaces::is_open(Id place) const {
  const std::lock_guard lock(mutex_);
  return !places_.at(static_cast<std::size_t>(place)).frames.empty();
}

std::int64_t SourcePlaces::resolve() {
  const std::lock_guard lock(mutex_);
  std::optional<DebugLines> lines;
  std::int64_t without_line = 0;
  for (Location& place : places_) {
    const auto frames = std::exchange(place.frames, {});
    if (frames.empty()) continue;
    if (!lines) lines.emplace();
    const auto line = line_of(*lines, frames);
    place.text = line ? *line : function_of(*lines, frames);
    without_line += line ? 0 : 1;
  }
  return without_line;
}

}  // namespace ampprof::profiler
