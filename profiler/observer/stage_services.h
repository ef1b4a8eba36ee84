// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/calls/parameter_facts.h"
#include "profiler/stages/impact_options.h"

namespace ampprof::profiler {

struct SessionCore;

/// Gives stages the session's facts about parameters, and receives their loss impacts. Thread-safe.
class StageServices final : public ParameterFacts, public ImpactSink {
 public:
  explicit StageServices(SessionCore& core) : core_(core) {}

  std::string name_of(const at::Tensor& parameter) override;
  std::string owner_of_gradient(const at::Tensor& gradient) override;
  std::string name_of_accumulated() override;
  at::Tensor master_of(const at::Tensor& parameter) override;

  bool is_open() const override;
  std::optional<std::int64_t> sampled_segment() override;
  StepAhead step_ahead() override;
  void add(const ImpactLedger::Error& error, ImpactLedger::LateEffect effect, std::uint64_t function) override;
  void add_gap(const ImpactLedger::Error& error, ImpactGap gap) override;

 private:
  std::string name_of(const c10::TensorImpl* parameter);

  SessionCore& core_;
};

}  // namespace ampprof::profiler
