// SPDX-License-Identifier: Apache-2.0
#include "precision/drift/elementwise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ampprof::drift {
namespace {

template <auto kFunction, std::size_t... kIndex>
void compute_each(std::span<const Operand> in, std::span<double> result, std::index_sequence<kIndex...> /*arguments*/) {
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = kFunction(in[kIndex][i]...);
}

template <std::size_t kOperands, auto kFunction>
constexpr ElementwiseOp op(std::string_view name, double default_value = std::numeric_limits<double>::quiet_NaN()) {
  return {name, kOperands,
          [](std::span<const Operand> in, std::span<double> result) {
            compute_each<kFunction>(in, result, std::make_index_sequence<kOperands>());
          },
          default_value};
}

constexpr double kNoBound = std::numeric_limits<double>::quiet_NaN();

// NaN stays NaN, as in ATen. A bound of NaN is ignored.
double clamp(double x, double low, double high) { return std::isnan(x) ? x : std::fmin(std::fmax(x, low), high); }
double maximum(double x, double y) { return std::isnan(x) || std::isnan(y) ? x + y : std::fmax(x, y); }
double minimum(double x, double y) { return std::isnan(x) || std::isnan(y) ? x + y : std::fmin(x, y); }
double sign(double x) { return static_cast<double>(x > 0) - static_cast<double>(x < 0); }
double same(double x) { return x; }
double magnitude(double x) { return std::abs(x); }
double multiply(double x, double y) { return x * y; }
double divide(double x, double y) { return x / y; }
double add(double x, double y, double alpha) { return x + alpha * y; }
double subtract(double x, double y, double alpha) { return x - alpha * y; }
double power(double x, double exponent) { return exponent == 2.0 ? x * x : std::pow(x, exponent); }

// Names and arguments follow native_functions.yaml. Factors (alpha, value) that the call omits are 1.
constexpr std::array kOps{
    op<3, add>("add", 1.0),
    op<3, subtract>("sub", 1.0),
    op<3, subtract>("subtract", 1.0),
    op<3, [](double x, double y, double alpha) { return y - alpha * x; }>("rsub", 1.0),
    op<2, multiply>("mul"),
    op<2, multiply>("multiply"),
    op<2, divide>("div"),
    op<2, divide>("divide"),
    op<2, divide>("true_divide"),
    op<4, [](double x, double y, double z, double value) { return x + value * y * z; }>("addcmul", 1.0),
    op<4, [](double x, double y, double z, double value) { return x + value * y / z; }>("addcdiv", 1.0),
    op<3, [](double x, double end, double weight) { return x + weight * (end - x); }>("lerp"),
    op<1, [](double x) { return std::sqrt(x); }>("sqrt"),
    op<1, [](double x) { return 1.0 / std::sqrt(x); }>("rsqrt"),
    op<1, [](double x) { return 1.0 / x; }>("reciprocal"),
    op<1, [](double x) { return -x; }>("neg"),
    op<1, magnitude>("abs"),
    op<1, sign>("sign"),
    op<1, [](double x) { return x * x; }>("square"),
    op<2, power>("pow"),
    op<1, [](double x) { return std::exp(x); }>("exp"),
    op<1, [](double x) { return std::log(x); }>("log"),
    op<1, [](double x) { return std::tanh(x); }>("tanh"),
    op<3, clamp>("clamp"),
    op<2, [](double x, double low) { return clamp(x, low, kNoBound); }>("clamp_min"),
    op<2, [](double x, double high) { return clamp(x, kNoBound, high); }>("clamp_max"),
    op<2, maximum>("maximum"),
    op<2, minimum>("minimum"),
    op<2, [](double /*x*/, double source) { return source; }>("copy"),
    op<2, [](double /*x*/, double value) { return value; }>("fill"),
    op<1, [](double /*x*/) { return 0.0; }>("zero"),
    op<1, same>("clone"),
    op<1, same>("contiguous"),
    op<1, same>("to"),
    op<1, same>("type_as"),
    op<1, same>("_to_copy"),
    op<3, [](double x, double mask, double value) { return mask != 0.0 ? value : x; }>("masked_fill"),
    op<3, [](double mask, double x, double y) { return mask != 0.0 ? x : y; }>("where"),
};

}  // namespace

const ElementwiseOp* elementwise_op(std::string_view name) {
  constexpr std::string_view kForeach = "_foreach_";
  name = name.substr(0, name.find('.'));
  if (name.starts_with(kForeach)) name.remove_prefix(kForeach.size());
  if (name.ends_with('_')) name.remove_suffix(1);
  const auto* const found = std::ranges::find(kOps, name, &ElementwiseOp::name);
  return found == kOps.end() ? nullptr : found;
}

}  // namespace ampprof::drift
