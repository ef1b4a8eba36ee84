// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/run.h"

/// Exceptions of ampprof's own end here: none reaches the program that is watched.
namespace ampprof::profiler {

/// Names the things that ampprof does on the program's way. Each runs in guarded(); end_to_end.faults makes each throw.
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

/// Each place, by the name that AMPPROF_FAULT and the report know it by.
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

/// Throws, every other time, where the environment variable AMPPROF_FAULT names this place: for tests.
void fail_if_asked(FaultPlace place);

/// Counts an exception of ours. Never throws, and takes no lock but its own: whoever threw may hold the session's.
void note_fault(FaultPlace place, std::string_view what) noexcept;
/// Returns what was counted since the last call, for `missing`.
std::vector<Missing> take_faults();

/// Returns the first line of what an exception says, without LibTorch's frames.
std::string message_of(const std::exception& error);

/// Runs `work`. Returns false where it threw, which is counted under `missing`.
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
