// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/run.h"

/// Exceptions of ampprof end here, so that none reaches the program.
namespace ampprof::profiler {

/// Places where ampprof's code runs in the program's calls. Each runs in guarded(); end_to_end.faults makes each throw.
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

/// A place, and its name in AMPPROF_FAULT and in the report.
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

/// Throws every other time if the environment variable AMPPROF_FAULT names this place: for tests.
void fail_if_asked(FaultPlace place);

/// Counts an exception of ampprof. Never throws, and takes no lock but its own, since the thrower may hold the
/// session's.
void note_fault(FaultPlace place, std::string_view what) noexcept;
/// Returns the counts since the last call, for `missing`.
std::vector<Missing> take_faults();

/// Returns the first line of an exception's text, without LibTorch's frames.
std::string message_of(const std::exception& error);

/// Runs `work`. Returns false if it threw, which is counted under `missing`.
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
