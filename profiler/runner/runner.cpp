// SPDX-License-Identifier: Apache-2.0
// Runs a TorchScript model on random inputs, so that `ampprof run model.pt` has a program to record. This is an
// ordinary LibTorch program, independent of the profiler.
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/cuda.h>
#include <torch/jit.h>
#include <torch/optim.h>
#include <torch/script.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int kWrongUsage = 2;
constexpr double kLearningRate = 1e-3;
constexpr std::int64_t kLargestInteger = 9;  // small enough for an index into most embeddings

/// An error that the user can fix. what() is a sentence.
struct RunnerError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  std::string model;
  std::vector<std::string> inputs;
  bool train = false;
  std::int64_t steps = 10;
  std::uint64_t seed = 0;
};

std::int64_t integer_from(const std::string& text, const std::string& where) {
  try {
    std::size_t end = 0;
    const std::int64_t value = std::stoll(text, &end);
    if (end == text.size() && value >= 0) return value;
  } catch (const std::exception&) {
  }
  throw RunnerError(where + ": '" + text + "' is not a whole number.");
}

Options options_from(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == arguments.size()) throw RunnerError(name + " needs a value.");
      return arguments[++i];
    };
    if (name == "--input") {
      options.inputs.push_back(value());
    } else if (name == "--train") {
      options.train = true;
    } else if (name == "--steps") {
      options.steps = integer_from(value(), name);
    } else if (name == "--seed") {
      options.seed = static_cast<std::uint64_t>(integer_from(value(), name));
    } else if (options.model.empty() && !name.starts_with("--")) {
      options.model = name;
    } else {
      throw RunnerError("Unknown argument '" + name +
                        "'. Usage: ampprof-runner MODEL --input f32[8,3,32,32] [--train] [--steps N] [--seed N]");
    }
  }
  if (options.model.empty()) throw RunnerError("Missing argument: MODEL.");
  return options;
}

at::ScalarType type_from(const std::string& name, const std::string& spec) {
  if (name == "f32") return at::kFloat;
  if (name == "f64") return at::kDouble;
  if (name == "f16") return at::kHalf;
  if (name == "bf16") return at::kBFloat16;
  if (name == "i64") return at::kLong;
  throw RunnerError("--input " + spec + ": unknown type '" + name + "'; types are f32, f64, f16, bf16 and i64.");
}

/// Makes an input from "f32[8,3,32,32]": normal random numbers for floating types, integers from 0 to 9 for i64.
at::Tensor input_from(const std::string& spec, at::Device device) {
  const auto bracket = spec.find('[');
  if (bracket == std::string::npos || spec.back() != ']') {
    throw RunnerError("--input " + spec + ": write a type and a shape, as in f32[8,3,32,32].");
  }
  const at::ScalarType type = type_from(spec.substr(0, bracket), spec);
  std::vector<std::int64_t> shape;
  std::string_view sizes(spec.data() + bracket + 1, spec.size() - bracket - 2);
  while (!sizes.empty()) {
    const auto comma = std::min(sizes.find(','), sizes.size());
    shape.push_back(integer_from(std::string(sizes.substr(0, comma)), "--input " + spec));
    sizes.remove_prefix(std::min(comma + 1, sizes.size()));
  }
  if (type == at::kLong) return torch::randint(0, kLargestInteger + 1, shape, at::kLong).to(device);
  return torch::randn(shape, at::kFloat).to(type).to(device);
}

/// Collects the floating-point tensors in a model's result, at any depth.
void collect(const c10::IValue& value, std::vector<at::Tensor>& found) {
  if (value.isTensor()) {
    if (value.toTensor().defined() && value.toTensor().is_floating_point()) found.push_back(value.toTensor());
  } else if (value.isTuple()) {
    for (const auto& element : value.toTupleRef().elements()) collect(element, found);
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) collect(element, found);
  } else if (value.isTensorList()) {
    for (const at::Tensor& element : value.toTensorVector()) collect(element, found);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) collect(entry.value(), found);
  }
}

std::vector<at::Tensor> outputs_of(const c10::IValue& value, const Options& options) {
  std::vector<at::Tensor> outputs;
  collect(value, outputs);
  if (outputs.empty()) throw RunnerError("'" + options.model + "' returns no floating tensor.");
  return outputs;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

torch::jit::Module load(const std::string& file, at::Device device) {
  try {
    return torch::jit::load(file, device);
  } catch (const std::exception& error) {
    throw RunnerError("'" + file + "' cannot be loaded as a TorchScript model: " + first_line(error.what()));
  }
}

c10::IValue forward(torch::jit::Module& model, const std::vector<c10::IValue>& inputs, const Options& options) {
  try {
    return model.forward(inputs);
  } catch (const std::exception& error) {
    throw RunnerError("'" + options.model + "' does not take these inputs: " + first_line(error.what()) +
                      " Check --input.");
  }
}

at::Tensor mean_of_squares(const std::vector<at::Tensor>& outputs) {
  at::Tensor loss;
  for (const at::Tensor& output : outputs) {
    const at::Tensor part = output.to(at::kFloat).square().mean();
    loss = loss.defined() ? loss + part : part;
  }
  return loss;
}

void infer(torch::jit::Module& model, const std::vector<c10::IValue>& inputs, const Options& options) {
  const torch::NoGradGuard no_gradients;
  model.eval();
  std::vector<at::Tensor> outputs;
  for (std::int64_t step = 0; step < options.steps; ++step) {
    outputs = outputs_of(forward(model, inputs, options), options);
  }
  for (const at::Tensor& output : outputs) {
    std::printf("output %s %s\n", c10::toString(output.scalar_type()), c10::str(output.sizes()).c_str());
  }
}

void train(torch::jit::Module& model, const std::vector<c10::IValue>& inputs, const Options& options) {
  model.train();
  std::vector<at::Tensor> parameters;
  for (const at::Tensor& parameter : model.parameters()) {
    if (parameter.requires_grad()) parameters.push_back(parameter);
  }
  if (parameters.empty()) {
    throw RunnerError("'" + options.model +
                      "' has no parameters to train: leave out --train, or save the model unfrozen.");
  }
  torch::optim::SGD optimizer(parameters, kLearningRate);
  at::Tensor loss;
  for (std::int64_t step = 0; step < options.steps; ++step) {
    optimizer.zero_grad();
    loss = mean_of_squares(outputs_of(forward(model, inputs, options), options));
    if (!loss.requires_grad())
      throw RunnerError("'" + options.model + "' returns nothing that depends on its parameters.");
    loss.backward();
    optimizer.step();
  }
  if (loss.defined())
    std::printf("loss %.6g after %lld steps\n", loss.item<double>(), static_cast<long long>(options.steps));
}

void run(const Options& options) {
  torch::manual_seed(options.seed);
  const at::Device device(torch::cuda::is_available() ? at::kCUDA : at::kCPU);
  torch::jit::Module model = load(options.model, device);
  std::vector<c10::IValue> inputs;
  for (const std::string& spec : options.inputs) inputs.emplace_back(input_from(spec, device));
  options.train ? train(model, inputs, options) : infer(model, inputs, options);
}

}  // namespace

int main(int count, char** values) {
  try {
    torch::jit::getProfilingMode() = false;  // the profiling executor loses module paths after the first calls
    run(options_from({values + 1, values + count}));
    return 0;
  } catch (const RunnerError& error) {
    std::fprintf(stderr, "ampprof-runner: %s\n", error.what());
    return kWrongUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ampprof-runner: %s\n", first_line(error.what()).c_str());
    return 1;
  }
}
