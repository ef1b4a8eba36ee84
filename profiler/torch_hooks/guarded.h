// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/run.h"

/// Catches ampprof's exceptions, so that none reaches the program.
namespace ampprof::profiler {

/// Entry points at which ampprof's code runs on the program's threads. Each of them runs in guarded(). The test
/// end_to_end.faults makes each of them throw.
enum class FaultPlace {
  FindSession,
  LookUpOp,
  BeginCall,
  Stage,
  EndCall,
  RecordCall,
  Replay,
  FinishStep,
  MeetGradient,
  BeginBackward,
  EndBackward,
  CustomFunction,
  ModuleHook,
  ParameterHook,
  OptimizerHook,
  StepHook,
  ThreadHook,
  EngineEvent,
  ModuleOfCast,
  AutocastCast,
  CompiledRegion,
  EndOfRun,
};

/// An entry point, and its name in AMPPROF_FAULT and in the report.
struct NamedPlace {
  FaultPlace place;
  std::string_view name;
};
inline constexpr NamedPlace kPlaces[] = {
    {FaultPlace::FindSession, "find session"},
    {FaultPlace::LookUpOp, "look up op"},
    {FaultPlace::BeginCall, "begin call"},
    {FaultPlace::Stage, "stage"},
    {FaultPlace::EndCall, "end call"},
    {FaultPlace::RecordCall, "record call"},
    {FaultPlace::Replay, "replay"},
    {FaultPlace::FinishStep, "finish step"},
    {FaultPlace::MeetGradient, "meet gradient"},
    {FaultPlace::BeginBackward, "begin backward"},
    {FaultPlace::EndBackward, "end backward"},
    {FaultPlace::CustomFunction, "custom function"},
    {FaultPlace::ModuleHook, "module hook"},
    {FaultPlace::ParameterHook, "parameter hook"},
    {FaultPlace::OptimizerHook, "optimizer hook"},
    {FaultPlace::StepHook, "step hook"},
    {FaultPlace::ThreadHook, "thread hook"},
    {FaultPlace::EngineEvent, "engine event"},
    {FaultPlace::ModuleOfCast, "module of cast"},
    {FaultPlace::AutocastCast, "autocast cast"},
    {FaultPlace::CompiledRegion, "compiled region"},
    {FaultPlace::EndOfRun, "end of run"},
};

/// For tests: throws every other time if the environment variable AMPPROF_FAULT names this entry point.
void fail_if_asked(FaultPlace place);

/// Counts an exception of ampprof. Takes no lock but its own, since the caller may hold the session's lock.
void note_fault(FaultPlace place, std::string_view what) noexcept;
/// Returns and clears the counts, as rows of `missing`.
std::vector<Missing> take_faults();

/// Returns the first line of an exception's text, without LibTorch's stack trace.
std::string message_of(const std::exception& error);

/// Runs `work`. If it throws, counts the exception (note_fault()) and returns false.
template <typename Work>
bool guarded(FaultPlace place, Work&& work) noexcept {
  try {
    fail_if_asked(place);
    work();
    return true;
  } catch (const std::exception& error) {
    note_fault(place, message_of(error));
  } catch (...) {
    note_fault(place, "an unknown exception");
  }
  return false;
}

}  // namespace ampprof::profiler
