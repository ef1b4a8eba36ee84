// SPDX-License-Identifier: Apache-2.0
#include "profiler/attach/amp_listener.h"

#include <ATen/ATen.h>

#include "amp_core/base/listener.h"
#include "amp_core/levels/properties.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/attach/role.h"
#include "profiler/observer/session.h"
#include "profiler/overflow/overflow_event.h"
#include "profiler/torch_hooks/guarded.h"

namespace ampprof::profiler {
namespace {

class SessionListener : public amp::Listener {
 public:
  void initialized(const amp::Properties& properties) override {
    session_for_training();
    with_session([&](Session& session) {
      session.engine().started(std::string(amp::name_of(properties.opt_level)));
      for (const std::string& sentence : properties.dropped_overrides) {
        session.core().missing.note("option that the program sets", sentence,
                                    "run the program's own level, without --levels");
      }
    });
  }
  void master_created(const at::Tensor& parameter, const at::Tensor& master) override {
    with_session([&](Session& session) { session.engine().master_created(parameter, master); });
  }
  // Does not call with_session(), whose guard turns grad mode off: grad mode distinguishes training from inference.
  void forward_begun(const void* module) override {
    Session* session = Session::current();
    if (session == nullptr) return;
    guarded(FaultPlace::EngineEvent, [&] {
      session->modules().seen(module);
      session->modules().entered(module);
    });
  }
  void forward_ended(const void*) override {
    with_session([](Session& session) { session.modules().scope_left(); });
  }
  void loss_seen(int loss_id, const at::Tensor& loss, double scale) override {
    with_session([&](Session& session) { session.engine().loss_seen(loss_id, loss, scale); });
  }
  void backward_ended(int) override {
    with_session([](Session& session) { session.engine().backward_ended(); });
  }
  std::vector<double> read_with_listener(const std::vector<at::Tensor>& numbers) override {
    std::vector<double> values;
    with_session([&](Session& session) { values = session.engine().numbers_of(numbers); });
    return values;
  }
  void overflowed(const amp::Overflow& overflow) override {
    with_session([&](Session& session) { add_overflow(session, overflow); });
  }
  void scale_updated(int loss_id, double before, double after, bool overflow) override {
    with_session([&](Session& session) { session.engine().scale_updated(loss_id, before, after, overflow, overflow); });
  }
  void step_begun(const void*) override {
    with_session([](Session& session) { session.steps().optimizer_begun(); });
  }
  void step_ended(const void* optimizer, bool skipped) override {
    with_session([&](Session& session) { session.steps().optimizer_ended(optimizer, skipped); });
  }
  void ran_in_recipe(const at::Tensor& result) override {
    Session* session = Session::current();
    if (session != nullptr) guarded(FaultPlace::EngineEvent, [&] { session->engine().ran_in_recipe(result); });
  }
  void input_cast(const at::Tensor& original, const at::Tensor& cast) override {
    if (!is_reduced_precision(tensors::dtype_of(cast))) return;
    with_session([&](Session& session) { session.engine().input_rounded(original, cast); });
  }
  void cast_inserted(const amp::InsertedCast& cast) override {
    Session* session = Session::current();
    if (session != nullptr) guarded(FaultPlace::EngineEvent, [&] { add_cast(*session, cast); });
  }

 private:
  static void add_cast(Session& session, const amp::InsertedCast& cast) {
    const DType from = tensors::dtype_of(cast.from);
    const DType to = tensors::dtype_of(cast.to);
    session.engine().cast_inserted({.from = from,
                                    .to = to,
                                    .casts = 1,
                                    .cache_hits = cast.cache_hit ? 1 : 0,
                                    .bytes = cast.bytes,
                                    .duration_ns = cast.duration_ns,
                                    .rounded_twice = is_reduced_precision(from) && is_reduced_precision(to) ? 1 : 0});
  }

  template <typename Use>
  static void with_session(Use&& use) {
    Session* session = Session::current();
    if (session == nullptr) return;
    guarded(FaultPlace::EngineEvent, [&] {
      const tensors::ObserverDisabledGuard guard;
      use(*session);
    });
  }

  static void add_overflow(Session& session, const amp::Overflow& overflow) {
    OverflowEventBuilder event = session.engine().begin_event();
    std::vector<ScaledGradient> gradients;
    for (const amp::GradientView& view : overflow.gradients) {
      gradients.push_back({.gradient = *view.gradient, .factor = view.factor, .parameter = *view.parameter});
    }
    event.add(gradients, [&](const ScaledGradient& bad) { return session.parameters().name_of(bad.parameter); });
    session.engine().overflowed(std::move(event), {.loss_id = overflow.loss_id,
                                                   .scale_before = overflow.scale_before,
                                                   .scale_after = overflow.scale_after,
                                                   .skipped = overflow.skipped});
  }
};

}  // namespace

void listen_to_amp_core() {
  static SessionListener* listener = new SessionListener;  // lives as long as the process, as the engine does
  amp::add_listener(listener);
}

}  // namespace ampprof::profiler
