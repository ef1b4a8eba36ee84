// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tuple>

#include "reports/records/batch.h"
#include "reports/store/column_kinds.h"

/// The tables of losses, their impacts, gradients, updates, overflows and ranks.
namespace ampprof::store {

inline constexpr auto kLossImpact = table<LossImpact>(
    "loss_impact", keys("run"),
    std::tuple{
        column("segment", &LossImpact::segment, "Segment in which the impact was measured."),
        column("loss_id", &LossImpact::loss_id, "Number of the loss."),
        column(
            "source", &LossImpact::source,
            "Source of the error: 0 an op call, 1 a parameter, 2 external data that the call site received, 3 an op "
            "call that no gradient reaches, 4 an op call that no gradient reaches and whose error changed integers."),
        column("call_site", &LossImpact::call_site, "Call site; 0 for a parameter."),
        column("name", &LossImpact::name, "Name of the parameter."),
        column("impact", &LossImpact::impact,
               "Change of the loss due to the error, unscaled. If NULL, `gap` says why."),
        column("gap", &LossImpact::gap,
               "Reason for no impact: 0 none, 1 gradient not finite, 2 loss scale unknown, 3 error not finite, "
               "4 no master weight."),
        part(&LossImpact::squares,
             std::tuple{column("activation_square", &ImpactSquares::activation,
                               "Expected square of the impact due to rounded activations: sum of (gradient × "
                               "rounding)² over elements, unscaled. NULL if no such rounding was measured."),
                        column("weight_square", &ImpactSquares::weight,
                               "Expected square of the impact due to rounded weights, like `activation_square`."),
                        column("output_square", &ImpactSquares::output,
                               "Expected square of the impact due to rounded outputs, like `activation_square`. The "
                               "three squares add up to E².")}),
        column("gradient", &LossImpact::gradient,
               "Gradient that the error was multiplied by: 0 the run's gradient, 1 the replayed step's, 2 the mean of "
               "both.")});

inline constexpr auto kGradientImpact = table<GradientImpact>(
    "gradient_impact", keys("run"),
    std::tuple{
        column("segment", &GradientImpact::segment, "Segment that was taped, so that it can be run again."),
        column("source", &GradientImpact::source,
               "Source of the errors: 0 an op call of backward, 1 all op calls of the forward pass."),
        column("call_site", &GradientImpact::call_site, "Backward call site; 0 if the source is not an op call."),
        column("matmul", &GradientImpact::matmul, "Matmul that a recipe rounds in the call: 2 dgrad, 3 wgrad; 0 none."),
        column("impact", &GradientImpact::impact,
               "First-order change that the errors cause in the loss decrease of the update. If NULL, `gap` says why."),
        column("square", &GradientImpact::square, "Expected square of `impact` if roundings are independent."),
        column("gap", &GradientImpact::gap,
               "Reason for no impact, a number of `GradientImpactGap` in `reports/records/gradient_impact.h`."),
        column("no_cotangents", &GradientImpact::no_cotangents,
               "Number of outputs left out, because they are intermediate results within one autograd node."),
        column("is_ranking_only", &GradientImpact::is_ranking_only,
               "1: only the order of the impacts' sizes is meaningful, because the derivative of the update is not "
               "known.")});

inline constexpr auto kStepDecrease = table<StepDecrease>(
    "step_decrease", keys("run"),
    std::tuple{
        column("segment", &StepDecrease::segment, "Segment that was taped, so that it can be run again."),
        column("loss_before", &StepDecrease::before,
               "Loss of the segment's batches before the update, in high precision."),
        column("loss_after", &StepDecrease::after, "Loss of the same batches after the update, in high precision.")});

inline constexpr auto kGradientError = table<GradientError>(
    "gradient_error", keys("run"),
    std::tuple{
        column("segment", &GradientError::segment, "Segment that was taped, so that it can be run again."),
        column("parameter", &GradientError::parameter, "Parameter that the gradient belongs to."),
        column("elements", &GradientError::elements, "Number of elements."),
        column("flushed", &GradientError::flushed,
               "Number of elements that are 0 in the run but not in the reference."),
        column(
            "sum_sq_error", &GradientError::sum_sq_error,
            "Sum of (gradient - reference)² over the elements. The reference is the gradient of a forward and backward "
            "pass in high precision, or of the step in exact arithmetic if the segment cannot be run again."),
        column("sum_sq_reference", &GradientError::sum_sq_reference, "Sum of squares of the reference."),
        column("sum_sq_run", &GradientError::sum_sq_run, "Sum of squares of the run's gradient."),
        column("product", &GradientError::product, "Inner product of the run's gradient and the reference."),
        column(
            "sum_sq_change", &GradientError::sum_sq_change,
            "Sum of squares of the reference's change since the previous segment with a row. NULL if there is none.")});

inline constexpr auto kDrift = table<Drift>(
    "drift", keys("run"),
    std::tuple{
        column("call_site", &Drift::call_site, "Call site whose writes lost most."),
        column("role", &Drift::role,
               "Role of the tensor: 1 unknown, 2 parameter, 3 gradient of a parameter, 4 state that is written "
               "together with a parameter or its gradient."),
        column("parameter", &Drift::parameter, "Parameter that the tensor belongs to; '' if it has no name."),
        column("dtype", &Drift::dtype, "Type of the tensor, a number of `reports/records/dtype.h`."),
        column("elements", &Drift::elements, "Number of elements."),
        column("sampled", &Drift::sampled, "Number of elements in the sample that was followed."),
        column("tensors", &Drift::tensors,
               "Number of tensors that the row represents. Its figures are those of the worst tensor."),
        column("segments", &Drift::segments, "Number of segments in which the tensor was written."),
        column("restarts", &Drift::restarts,
               "Number of times that the recorder missed a change of the tensor and started to follow it again."),
        column("verdict", &Drift::verdict,
               "Class of the drift, a number of `DriftClass` in `reports/records/drift.h`."),
        column("drift", &Drift::drift, "|D| / |W|, where D is run minus exact and W is exact minus start."),
        column("relative", &Drift::relative, "|D| / |exact|, where D is run minus exact."),
        column("bias", &Drift::bias,
               "Bias <D, W> / <W, W>, where D is run minus exact and W is exact minus start: -1 if all updates were "
               "lost."),
        column("own", &Drift::own, "|sum of own rounding errors| / |sum of updates|."),
        column("lost", &Drift::lost,
               "Share of the elements that move at most half as far as exact updates move them, because rounding "
               "errors of "
               "one sign add up."),
        column("walk", &Drift::walk, "|sum of own rounding errors| divided by the root of the sum of their squares."),
        column("growth", &Drift::growth,
               "Exponent with which |D| (run minus exact) grows over segments: 1 linear, 0 bounded. NULL if there are "
               "too few segments."),
        column("ulps", &Drift::ulps, "|D| (run minus exact) divided by half the spacing of the type at |exact|."),
        column("way", &Drift::way, "|exact minus start|: how far the exact tensor moved."),
        column("way_of_run", &Drift::way_of_run, "|run minus start|: how far the run's tensor moved."),
        column(
            "effective", &Drift::effective,
            "Drift of a compensated tensor plus its missing part, which another tensor keeps. NULL for other tensors."),
        column("broken", &Drift::broken,
               "Number of elements that are not finite in the run but finite in exact arithmetic.")});

inline constexpr auto kWeightUpdate = table<WeightUpdate>(
    "weight_update", keys("run"),
    std::tuple{
        column("segment", &WeightUpdate::segment, "Segment of the update."),
        column("call_site", &WeightUpdate::call_site, "Call site of the optimizer."),
        column("parameter", &WeightUpdate::parameter, "Parameter that was written."),
        column("dtype", &WeightUpdate::dtype, "Type that ulps refer to, a number of `reports/records/dtype.h`."),
        column("elements", &WeightUpdate::count, "Number of elements whose update is not 0."),
        column("lost", &WeightUpdate::lost,
               "Number of elements whose update is not 0 but whose weight stayed as it was. NULL without a reference."),
        column("below_half_ulp", &WeightUpdate::below_half_ulp,
               "Number of elements whose update is not 0 but below half an ulp of the weight."),
        column("sum_ulp", &WeightUpdate::sum_ulp, "Sum of |update| / ulp(weight).")});

inline constexpr auto kParameterChecksum = table<ParameterChecksum>(
    "parameter_checksum", keys("run"),
    std::tuple{column("segment", &ParameterChecksum::segment, "Segment of the update."),
               column("parameter", &ParameterChecksum::parameter, "Parameter that was written."),
               column("checksum", &ParameterChecksum::checksum,
                      "Checksum of the parameter's bits after the update, in the order of its elements. For a half "
                      "parameter with a master weight, it covers the half parameter.")});

inline constexpr auto kCollective = table<CollectiveCall>(
    "collective", keys("run"),
    std::tuple{
        column("segment", &CollectiveCall::segment, "Segment of the call."),
        column("call_site", &CollectiveCall::call_site, "Call site."),
        column("group_name", &CollectiveCall::group, "Name of the group of ranks; '' if it has none."),
        column("group_size", &CollectiveCall::group_size, "Number of ranks of the group; 0 if unknown."),
        column("reduction", &CollectiveCall::reduction,
               "Reduction: sum, avg, max and so on; '' if nothing is reduced."),
        column("dtype", &CollectiveCall::dtype, "Type of the elements, a number of `reports/records/dtype.h`."),
        column("bytes", &CollectiveCall::bytes, "Bytes of all inputs or of all outputs, whichever is more."),
        column("start_ns", &CollectiveCall::start_ns, "Start of the call."),
        column("end_ns", &CollectiveCall::end_ns,
               "End of the call's work. NULL if unknown, and on a GPU, where its kernels have times of their own.")});

inline constexpr auto kTrial = table<Trial>(
    "trial", keys("run"),
    std::tuple{column("policy", &Trial::policy, "Text of the policy file."),
               column("metric", &Trial::metric,
                      "Metric: loss, overflows, or a regular expression that finds a number in the program's output."),
               column("value", &Trial::value,
                      "Value of the metric. NULL if the run failed, or was stopped because it could no longer pass.")});

inline constexpr auto kCollectiveSketch = table<CollectiveSketch>(
    "collective_sketch", keys("run"),
    std::tuple{part(&CollectiveSketch::sketch, std::tuple{column("segment", &Sketch::segment, "Segment of the call."),
                                                          column("call_site", &Sketch::call_site, "Call site.")}),
               column("is_result", &CollectiveSketch::is_result, "1: the rank's result; 0: its input."),
               part(&CollectiveSketch::sketch,
                    std::tuple{column("elements", &Sketch::elements, "Number of elements."),
                               column("nonfinite", &Sketch::nonfinite,
                                      "Number of elements that are NaN or inf. The sums leave them out."),
                               column("sum_sq", &Sketch::sum_sq, "Sum of the elements' squares."),
                               column_as<SumsBlob>("sums", &Sketch::sums,
                                                   "64 random projections as doubles, see `reports/records/sketch.h`. "
                                                   "The projections of all ranks add up.")})});

inline constexpr auto kLoss = table<LossValue>(
    "loss", keys("run"),
    std::tuple{column("segment", &LossValue::segment, "Segment of the loss."),
               column("loss_id", &LossValue::loss_id, "Number of the loss."),
               column("value", &LossValue::value, "Loss before the program multiplied it by a loss scale."),
               column("shadow_value", &LossValue::shadow_value,
                      "Loss of the replayed step: in high precision with --inherited, in the recipe with --what-if "
                      "RECIPE. NULL if there is none."),
               column("is_shadow_decided", &LossValue::is_shadow_decided,
                      "1: `shadow_value` depends on computed integers or booleans that differ from the run's (see "
                      "`decision`).")});

inline constexpr auto kScaleUpdate =
    table<ScaleUpdate>("scale_update", keys("run"),
                       std::tuple{column("segment", &ScaleUpdate::segment, "Segment of the decision."),
                                  column("loss_id", &ScaleUpdate::loss_id, "Number of the loss."),
                                  column("scale_before", &ScaleUpdate::scale_before, "Loss scale before the decision."),
                                  column("scale_after", &ScaleUpdate::scale_after, "Loss scale after the decision."),
                                  column("overflow", &ScaleUpdate::overflow, "1: gradients contained NaN or inf."),
                                  column("skipped", &ScaleUpdate::skipped, "1: the update was skipped.")});

inline constexpr auto kNonfiniteEvent = table<NonfiniteEvent>(
    "nonfinite_event", keys("run"),
    std::tuple{
        column("segment", &NonfiniteEvent::segment, "Segment in which the event began."),
        column_as<ZeroIsNull<std::int64_t>>("first_site", &NonfiniteEvent::first_site,
                                            "Call site that made NaN or inf from finite values. NULL if unknown."),
        column("calls", &NonfiniteEvent::calls, "Number of calls of the call site that the event covers."),
        column("steps", &NonfiniteEvent::steps,
               "Number of steps that the event covers. Each of the first 100 steps of a call site has its own event; "
               "one more event covers the rest."),
        column("micro_batch", &NonfiniteEvent::micro_batch,
               "Number of the backward pass within the segment, from 1: the pass in which the event began, or the next "
               "one if the event began in the forward pass. NULL if it began in neither."),
        column("cause", &NonfiniteEvent::cause, "Cause, a number of `NonfiniteCause` in `reports/records/event.h`."),
        column("value", &NonfiniteEvent::value,
               "Largest value of the exact result. NULL if the value is not finite, or unknown."),
        column("fp32_holds", &NonfiniteEvent::fp32_holds,
               "1: the result, computed from the inputs that the call received, is within the range of FP32. NULL if "
               "it was not computed."),
        column("shadow_holds", &NonfiniteEvent::shadow_holds,
               "1: the result, computed from the inputs of the step in exact arithmetic, is within the range of FP32. "
               "NULL if it was not computed."),
        column("outcome", &NonfiniteEvent::outcome,
               "Worst outcome, a number of `NonfiniteOutcome` in `reports/records/event.h`."),
        column("reached", &NonfiniteEvent::reached, "Parameter or statistic that NaN or inf reached."),
        column_as<ZeroIsNull<std::int64_t>>("outcome_site", &NonfiniteEvent::outcome_site,
                                            "Call site that caused the outcome: it wrote NaN or inf, or turned them "
                                            "into finite values. NULL if there is none."),
        column("by_scaler", &NonfiniteEvent::by_scaler,
               "1: a loss scaler saw the event. 0: the next four columns have no meaning."),
        column("loss_id", &NonfiniteEvent::loss_id, "Number of the loss."),
        column("scale_before", &NonfiniteEvent::scale_before, "Loss scale before the event."),
        column("scale_after", &NonfiniteEvent::scale_after, "Loss scale after the event."),
        column("skipped", &NonfiniteEvent::skipped, "1: the update was skipped."),
        column("largest_safe_scale", &NonfiniteEvent::largest_safe_scale,
               "Largest loss scale at which the gradients are within the range of FP16."),
        column("largest_safe_scale_is_bound", &NonfiniteEvent::largest_safe_scale_is_bound,
               "1: `largest_safe_scale` is an upper bound.")});

inline constexpr auto kNonfiniteParameter = table<EventParameter>(
    "nonfinite_parameter", keys("event", "position"),
    std::tuple{column("name", &EventParameter::name, "Name of the parameter."),
               column("nan", &EventParameter::nan, "Number of NaN in the parameter's gradient."),
               column("inf", &EventParameter::inf, "Number of inf in the parameter's gradient."),
               column("finite_amax", &EventParameter::finite_amax,
                      "Largest finite magnitude in the parameter's gradient, scaled. NULL if none is finite.")});

inline constexpr auto kMissing = table<Missing>("missing", keys("run"),
                                                std::tuple{column("what", &Missing::what, "What the report lacks."),
                                                           column("cause", &Missing::cause, "Why it is missing."),
                                                           column("count", &Missing::count, "How often it is missing."),
                                                           column("remedy", &Missing::remedy, "What to do about it.")});

}  // namespace ampprof::store
