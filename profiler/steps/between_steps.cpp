// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/between_steps.h"

#include <algorithm>
#include <optional>

namespace ampprof::profiler {
namespace {

void add_call(std::int64_t number, const Segment& of, std::vector<HeldCalls>& calls) {
  const bool goes_on = !calls.empty() && calls.back().around == of.id && calls.back().last + 1 == number;
  if (goes_on) {
    calls.back().last = number;
  } else {
    calls.push_back({.first = number, .last = number, .segment = of.recorded ? of.id : 0, .around = of.id});
  }
}

}  // namespace

const BetweenSteps::Maker* BetweenSteps::maker_of(Memory memory) const {
  if (!known_.may_have(memory)) return nullptr;
  const auto maker = makers_.find(memory);
  return maker == makers_.end() ? nullptr : &maker->second;
}

void BetweenSteps::hold(std::int64_t number, const Begun& begun, const Call& call) {
  Op op{.number = number,
        .begun = begun,
        .reads_step = call.reads_step,
        .makes_graph = call.makes_graph,
        .only_writes_or_asks = call.only_writes_or_asks,
        .first_read = reads_.size()};
  for (const Memory memory : call.reads) {
    const Maker* maker = maker_of(memory);
    if (maker == nullptr || std::ranges::count(reads_of(op), maker->op) > 0) continue;
    reads_.push_back(maker->op);
    ++op.reads;
    ops_[maker->op].is_read = true;
    op.reads_step = op.reads_step || ops_[maker->op].reads_step;
  }
  ops_.push_back(op);
  end_ = begun;
}

void BetweenSteps::made(std::int64_t number, std::span<const Made> made) {
  const auto op = std::ranges::lower_bound(ops_, number, {}, &Op::number);
  if (op == ops_.end() || op->number != number) return;  // the call already belongs to a step
  for (const auto& [memory, keeps_address] : made) {
    Maker& maker = makers_[memory];
    maker.op = static_cast<std::size_t>(op - ops_.begin());
    if (keeps_address != nullptr) maker.keeps_address = keeps_address;
    known_.add(memory);
  }
}

void BetweenSteps::read(Memory memory, Reader reader) {
  if (const Maker* maker = maker_of(memory)) read(maker->op, reader);
}

void BetweenSteps::read(std::size_t op, Reader reader) {
  std::vector<std::size_t> read{op};
  while (!read.empty()) {
    Op& next = ops_[read.back()];
    read.pop_back();
    next.is_read = true;
    if (next.reader != Reader::Nobody) continue;
    next.reader = reader;
    const auto reads = reads_of(next);
    read.insert(read.end(), reads.begin(), reads.end());
  }
}

void BetweenSteps::use_graph() {
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    if (ops_[i].makes_graph) read(i, Reader::StepAfter);
  }
}

std::vector<BetweenSteps::Reader> BetweenSteps::readers() const {
  std::vector<Reader> readers(ops_.size());
  for (std::size_t i = ops_.size(); i-- > 0;) {  // backwards, since a call reads results of earlier calls only
    const Op& op = ops_[i];
    if (readers[i] == Reader::Nobody) readers[i] = op.reader;
    const bool is_aside = op.only_writes_or_asks && op.reads == 0 && !op.is_read;
    if (readers[i] == Reader::Nobody && (op.reads_step || is_aside)) readers[i] = Reader::StepBefore;
    if (readers[i] != Reader::StepBefore) continue;
    for (const std::size_t read : reads_of(op)) {
      if (ops_[read].reader == Reader::Nobody) readers[read] = Reader::StepBefore;
    }
  }
  return readers;
}

BetweenSteps::Decision BetweenSteps::decide(const Segment& before, const Segment& after, std::int64_t& ids) const {
  Decision decision;
  std::vector<Segment>& segments = decision.segments;
  const auto end_stretch = [&](const Begun& at) {
    if (segments.empty()) return;
    segments.back().end_ns = at.now_ns;
    segments.back().overhead_ns += at.overhead_ns;
  };
  std::optional<Reader> stretch;  // reader of the calls in the newest segment
  const std::vector<Reader> readers = this->readers();
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    const Op& op = ops_[i];
    const Reader reader = readers[i];
    if (reader == Reader::StepBefore) {
      add_call(op.number, before, decision.calls);
      continue;
    }
    if (stretch != reader) {
      end_stretch(op.begun);
      const bool is_of_step = reader == Reader::StepAfter;
      segments.push_back({.id = ++ids,
                          .step = is_of_step ? after.step : 0,
                          .position = is_of_step ? after.position : 0,
                          .start_ns = op.begun.now_ns,
                          .overhead_ns = -op.begun.overhead_ns,
                          .recorded = !is_of_step || after.recorded});
      stretch = reader;
    }
    add_call(op.number, segments.back(), decision.calls);
  }
  end_stretch(end_);
  return decision;
}

}  // namespace ampprof::profiler
