// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "amp_core/policy/cast_rule.h"

namespace ampprof::advice {
namespace {

constexpr std::string_view kNothing = "No function needs FP32.";

/// Python name of a function whose name is not torch.<operator>.
struct PythonName {
  std::string_view op;
  std::string_view module;
  std::string_view name;
};

constexpr std::array kPythonNames{
    PythonName{"cross_entropy_loss", "torch.nn.functional", "cross_entropy"},
    PythonName{"nll_loss_nd", "torch.nn.functional", "nll_loss"},
    PythonName{"nll_loss2d", "torch.nn.functional", "nll_loss"},
    PythonName{"log_sigmoid", "torch.nn.functional", "logsigmoid"},
    PythonName{"grid_sampler", "torch.nn.functional", "grid_sample"},
    PythonName{"linalg_vector_norm", "torch.linalg", "vector_norm"},
    PythonName{"linalg_matrix_norm", "torch.linalg", "matrix_norm"},
};

// Operators whose function in torch.nn.functional has the same name.
constexpr auto kFunctional = std::to_array<std::string_view>({"linear",
                                                              "conv1d",
                                                              "conv2d",
                                                              "conv3d",
                                                              "conv_transpose1d",
                                                              "conv_transpose2d",
                                                              "conv_transpose3d",
                                                              "softmax",
                                                              "log_softmax",
                                                              "gelu",
                                                              "silu",
                                                              "mish",
                                                              "elu",
                                                              "leaky_relu",
                                                              "relu",
                                                              "hardtanh",
                                                              "hardswish",
                                                              "glu",
                                                              "softplus",
                                                              "softshrink",
                                                              "prelu",
                                                              "layer_norm",
                                                              "group_norm",
                                                              "batch_norm",
                                                              "instance_norm",
                                                              "rms_norm",
                                                              "mse_loss",
                                                              "l1_loss",
                                                              "smooth_l1_loss",
                                                              "huber_loss",
                                                              "kl_div",
                                                              "nll_loss",
                                                              "binary_cross_entropy_with_logits",
                                                              "cosine_embedding_loss",
                                                              "hinge_embedding_loss",
                                                              "margin_ranking_loss",
                                                              "multi_margin_loss",
                                                              "multilabel_margin_loss",
                                                              "poisson_nll_loss",
                                                              "soft_margin_loss",
                                                              "triplet_margin_loss",
                                                              "ctc_loss",
                                                              "cosine_similarity",
                                                              "pairwise_distance",
                                                              "dropout",
                                                              "embedding",
                                                              "max_pool1d",
                                                              "max_pool2d",
                                                              "avg_pool2d",
                                                              "adaptive_avg_pool2d",
                                                              "scaled_dot_product_attention",
                                                              "interpolate"});

struct PythonFunction {
  std::string module;
  std::string name;
};

PythonFunction in_python(const std::string& op) {
  const std::string base = amp::op_name_from(op).base;
  if (const auto colons = base.find("::"); colons != std::string::npos) {
    return {"torch.ops." + base.substr(0, colons), base.substr(colons + 2)};
  }
  const auto* named = std::ranges::find(kPythonNames, base, &PythonName::op);
  if (named != kPythonNames.end()) return {std::string(named->module), std::string(named->name)};
  const bool is_functional = std::ranges::find(kFunctional, base) != kFunctional.end();
  return {is_functional ? "torch.nn.functional" : "torch", base};
}

/// Replaces line breaks and backslashes in text from a report, so that the text cannot end a comment.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char letter) { return letter < 0x20 || letter == '\\'; }, '?');
  return text;
}

/// Returns the reason as one or more comment lines.
std::string comment(const Registration& registration, const std::string& mark) {
  constexpr std::size_t kWidth = 100;
  std::string text;
  std::string line = mark;
  const std::string because = one_line(registration.because);
  std::string_view rest = because;
  while (!rest.empty()) {
    const auto word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (line.size() + 1 + word.size() > kWidth && line != mark) {
      text += line + '\n';
      line = mark;
    }
    line += ' ' + std::string(word);
  }
  return text + line + '\n';
}

template <class Line>
std::string lines(const Advice& advice, const std::string& mark, Line line) {
  if (advice.policy.empty()) return fmt::format("{} {}\n", mark, kNothing);
  std::string text;
  for (const Registration& registration : advice.policy)
    text += comment(registration, mark) + line(registration) + '\n';
  return text;
}

// A report is untrusted input: text that is not a name or a path must not become code.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += static_cast<unsigned char>(letter) < 0x20 ? '?' : letter;
  }
  return result + '"';
}

bool is_path(const std::string& module) {
  return std::ranges::all_of(module, [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '_' || letter == '.' || letter == '*';
  });
}

/// Returns a Python loop that runs the whole forward of each module that matches the pattern `module` in FP32.
std::string loop_over(const std::string& module, const std::string& function) {
  return fmt::format(
      "for name, module in model.named_modules():\n"
      "    if fnmatch.fnmatchcase(name, {0}) and name.count(\".\") == {1}:\n"
      "        module.forward = in_float32(module.forward)  # all of it, not {2} alone",
      quoted(module), std::ranges::count(module, '.'), function);
}

std::string wrapped(const Registration& registration) {
  const PythonFunction place = in_python(registration.op);
  if (registration.module.empty()) return fmt::format("keep_in_float32({}, {})", place.module, quoted(place.name));
  return loop_over(registration.module, place.name);
}

constexpr std::string_view kPythonHelper = R"(import fnmatch
import functools

import torch


def in_float32(function):
    """Runs a function outside autocast, on FP32 copies of its half arguments."""

    def widened(value):
        if isinstance(value, torch.Tensor) and value.dtype in (torch.float16, torch.bfloat16):
            return value.float()
        return type(value)(map(widened, value)) if type(value) in (list, tuple) else value

    def tensors_in(values):
        for value in values:
            if isinstance(value, torch.Tensor):
                yield value
            elif type(value) in (list, tuple):
                yield from tensors_in(value)

    @functools.wraps(function)
    def call(*arguments, **named):
        first = next(tensors_in((*arguments, *named.values())), None)
        if first is None:
            return function(*arguments, **named)
        with torch.autocast(first.device.type, enabled=False):
            return function(*map(widened, arguments), **{name: widened(value) for name, value in named.items()})

    call.is_in_float32 = True
    return call


def keep_in_float32(place, name):
    """The function, and what Python calls when it is called as a method or by an operator sign."""
    sign = {"div": "truediv"}.get(name, name)
    for owner, own_name in ((place, name), (torch.Tensor, name), *((torch.Tensor, f"__{r}{sign}__") for r in ("", "r"))):
        if hasattr(owner, own_name) and not hasattr(getattr(owner, own_name), "is_in_float32"):
            setattr(owner, own_name, in_float32(getattr(owner, own_name)))


)";

std::string lines_of_code(const Registration& registration) {
  std::string text;
  for (const std::string& source : registration.sources) text += fmt::format("// at {}\n", one_line(source));
  return text;
}

/// Writes the C++ code for registrations and defines the wrapper of each function once. In C++ a function has the
/// operator's own name.
class GuardedFunctions {
 public:
  std::string operator()(const Registration& registration) {
    const std::string op = amp::op_name_from(registration.op).base;
    const std::string where = lines_of_code(registration);
    if (op.find("::") != std::string::npos || !is_path(op))
      return where + "// in_float32(YOUR FUNCTION, ITS ARGUMENTS)";
    if (!defined_.insert(op).second) return where + fmt::format("// {}_in_float32, as above", op);
    return where + fmt::format(
                       "inline constexpr auto {0}_in_float32 = [](const auto&... arguments) {{\n"
                       "  return in_float32([](const auto&... wide) {{ return at::{0}(wide...); }}, arguments...);\n"
                       "}};",
                       op);
  }

 private:
  std::set<std::string> defined_;
};

constexpr std::string_view kCppHelper =
    "#include <ATen/ATen.h>\n"
    "#include <c10/core/impl/LocalDispatchKeySet.h>\n"
    R"(
inline at::Tensor widened(const at::Tensor& value) {
  const bool is_half = value.defined() && (value.scalar_type() == at::kHalf || value.scalar_type() == at::kBFloat16);
  return is_half ? value.to(at::kFloat) : value;
}
inline std::optional<at::Tensor> widened(const std::optional<at::Tensor>& value) {
  return value ? std::optional(widened(*value)) : value;
}
inline std::vector<at::Tensor> widened(const std::vector<at::Tensor>& values) {
  std::vector<at::Tensor> wide;
  for (const at::Tensor& value : values) wide.push_back(widened(value));
  return wide;
}
template <class Value>
const Value& widened(const Value& value) {
  return value;
}

/// Runs a function outside autocast, on FP32 copies of its half arguments.
template <class Function, class... Arguments>
auto in_float32(const Function& function, const Arguments&... arguments) {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  return function(widened(arguments)...);
}

)";

}  // namespace

std::string policy_file(const Advice& advice) {
  return lines(advice, "#", [](const Registration& registration) {
    return amp::to_text(amp::CastRule{registration.op, amp::CastPolicy::Fp32, registration.module});
  });
}

std::string cpp_code(const Advice& advice) {
  return lines(advice, "//", [](const Registration& registration) {
    const std::string module = registration.module.empty() ? "" : ", " + quoted(registration.module);
    return fmt::format("amp::register_float_function({}{});", quoted(registration.op), module);
  });
}

std::string apex_code(const Advice& advice) {
  return lines(advice, "#", [](const Registration& registration) {
    const PythonFunction place = in_python(registration.op);
    const std::string note = registration.module.empty() || !is_path(registration.module)
                                 ? ""
                                 : "  # everywhere: Apex cannot limit it to " + registration.module;
    return fmt::format("amp.register_float_function({}, {}){}", place.module, quoted(place.name), note);
  });
}

std::string torch_code(const Advice& advice) {
  if (advice.policy.empty()) return fmt::format("# {}\n", kNothing);
  return std::string(kPythonHelper) + lines(advice, "#", wrapped);
}

std::string libtorch_code(const Advice& advice) {
  if (advice.policy.empty()) return fmt::format("// {}\n", kNothing);
  return std::string(kCppHelper) + lines(advice, "//", GuardedFunctions());
}

}  // namespace ampprof::advice
