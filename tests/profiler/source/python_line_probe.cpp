// SPDX-License-Identifier: Apache-2.0
// A library that a test's Python program loads to ask for its own source place.
#include <string>
#include <thread>

#include "profiler/source/python_line.h"
#include "profiler/source/python_stack.h"
#include "profiler/source/source_places.h"

namespace {

std::string g_answer;

const char* answer(const char* torch_folder) {
  const auto place = ampprof::profiler::python_place(torch_folder);
  g_answer = place ? place->line : "no interpreter";
  return g_answer.c_str();
}

}  // namespace

extern "C" const char* line_here(const char* torch_folder) { return answer(torch_folder); }

extern "C" const char* place_here(const char* torch_folder) {
  ampprof::profiler::SourcePlaces places(torch_folder);
  g_answer = places.text_of(places.here());
  return g_answer.c_str();
}

/// Returns python_stack_number(). The number is 0 until the program has asked for its source place inside a function:
/// this call shows ampprof the layout of Python's frames.
extern "C" const char* stack_here(const char*) {
  g_answer = std::to_string(ampprof::profiler::python_stack_number());
  return g_answer.c_str();
}

extern "C" const char* path_here(const char* torch_folder) {
  g_answer = std::to_string(ampprof::profiler::python_place(torch_folder)->path);
  return g_answer.c_str();
}

/// Asks on a native thread, which Python does not know.
extern "C" const char* line_of_new_thread(const char* torch_folder) {
  std::thread([&] { answer(torch_folder); }).join();
  return g_answer.c_str();
}
