// SPDX-License-Identifier: Apache-2.0
// Finds the ink of handwritten digits on noisy paper with a small U-Net. Its dice loss sums products over all pixels of
// the batch, beyond the range of FP16: at O1 each step overflows, unless einsum is registered as FP32.
#include <torch/torch.h>

#include <iostream>

#include "amp_core/amp.h"
#include "samples/common/digits.h"
#include "samples/common/session.h"
#include "samples/common/truth.h"

namespace {

constexpr std::int64_t kDigitSide = 28;
constexpr std::int64_t kSide = 64;
constexpr std::int64_t kDigitsInScene = 5;
enum Class { kPaper, kInk, kClasses };

/// Images [n, 1, 64, 64] and the class of each pixel, [n, 2, 64, 64] of 0 and 1.
struct Scenes {
  at::Tensor images;
  at::Tensor masks;

  std::int64_t size() const { return images.size(0); }
  Scenes to(at::Device device) const { return {images.to(device), masks.to(device)}; }
  Scenes at(const at::Tensor& index) const { return {images.index_select(0, index), masks.index_select(0, index)}; }
};

/// Scatters digits over noise, five per scene. Each digit is in one scene.
Scenes compose(const samples::Digits& digits) {
  const auto count = digits.size() / kDigitsInScene;
  const auto images = digits.images.index_select(0, torch::randperm(digits.size()));
  const auto ink = torch::zeros({count, 1, kSide, kSide});
  const auto places = torch::randint(kSide - kDigitSide + 1, {count * kDigitsInScene, 2});
  const auto pixels = images.accessor<float, 4>();
  const auto place = places.accessor<std::int64_t, 2>();
  auto canvas = ink.accessor<float, 4>();
  for (std::int64_t i = 0; i < places.size(0); ++i) {
    auto scene = canvas[i / kDigitsInScene][0];
    for (std::int64_t y = 0; y < kDigitSide; ++y) {
      for (std::int64_t x = 0; x < kDigitSide; ++x) {
        if (pixels[i][0][y][x] > 0.4F) scene[place[i][0] + y][place[i][1] + x] = 1.0F;
      }
    }
  }
  return {0.4 * ink + 0.7 * torch::rand_like(ink), torch::cat({1 - ink, ink}, 1)};
}

torch::nn::Sequential convolutions(std::int64_t in, std::int64_t out) {
  const auto conv = [](std::int64_t from, std::int64_t to) {
    return torch::nn::Conv2d(torch::nn::Conv2dOptions(from, to, 3).padding(1).bias(false));
  };
  return torch::nn::Sequential(conv(in, out), torch::nn::BatchNorm2d(out), torch::nn::ReLU(), conv(out, out),
                               torch::nn::BatchNorm2d(out), torch::nn::ReLU());
}

torch::nn::ConvTranspose2d doubling(std::int64_t in, std::int64_t out) {
  return torch::nn::ConvTranspose2d(torch::nn::ConvTranspose2dOptions(in, out, 2).stride(2));
}

/// `width` is the number of channels at full resolution. The two coarser resolutions have twice and four times as many.
struct UNetImpl : torch::nn::Module {
  explicit UNetImpl(std::int64_t width)
      : down1(register_module("down1", convolutions(1, width))),
        down2(register_module("down2", convolutions(width, 2 * width))),
        bottom(register_module("bottom", convolutions(2 * width, 4 * width))),
        up2(register_module("up2", doubling(4 * width, 2 * width))),
        merge2(register_module("merge2", convolutions(4 * width, 2 * width))),
        up1(register_module("up1", doubling(2 * width, width))),
        merge1(register_module("merge1", convolutions(2 * width, width))),
        head(register_module("head", torch::nn::Conv2d(torch::nn::Conv2dOptions(width, kClasses, 1)))) {}

  at::Tensor forward(const at::Tensor& x) {
    const auto fine = down1->forward(x);
    const auto middle = down2->forward(torch::max_pool2d(fine, 2));
    const auto coarse = bottom->forward(torch::max_pool2d(middle, 2));
    const auto back = merge2->forward(torch::cat({up2->forward(coarse), middle}, 1));
    return head->forward(merge1->forward(torch::cat({up1->forward(back), fine}, 1)));
  }

  torch::nn::Sequential down1, down2, bottom;
  torch::nn::ConvTranspose2d up2;
  torch::nn::Sequential merge2;
  torch::nn::ConvTranspose2d up1;
  torch::nn::Sequential merge1;
  torch::nn::Conv2d head;
};
TORCH_MODULE(UNet);

/// Returns the mean over classes of one minus the dice coefficient of the whole batch.
at::Tensor dice_loss(const at::Tensor& logits, const at::Tensor& masks) {
  const auto over_pixels = [](const at::Tensor& a, const at::Tensor& b) {
    return torch::einsum("nchw,nchw->c", {a, b});
  };
  const auto probabilities = torch::sigmoid(logits);
  const auto common = over_pixels(probabilities, masks);
  const auto sizes = over_pixels(probabilities, probabilities) + over_pixels(masks, masks);
  return (1 - (2 * common + 1) / (sizes + 1)).mean();
}

void print_dice(const at::Tensor& logits, const at::Tensor& masks) {
  const auto found = logits.argmax(1).eq(kInk).to(torch::kFloat);
  const auto ink = masks.select(1, kInk);
  const auto dice = 2 * (found * ink).sum() / (found.sum() + ink.sum());
  std::printf("test dice %.1f %%\n", 100.0 * dice.item<double>());
}

struct Choices {
  bool is_einsum_fp32 = false;  ///< register einsum, which computes the sums of the loss, as FP32
  bool is_all_fp64 = false;     ///< compute the whole loss in FP64
  bool is_wide = false;         ///< use a U-Net with four times as many channels
};

void train(const samples::Arguments& arguments, Choices choices) {
  const at::Device device = samples::set_up(arguments);
  const auto digits = samples::load_digits(arguments.seed);
  const auto last_step = arguments.steps_for(digits.train.size() / kDigitsInScene);
  if (arguments.count_steps) {
    std::cout << last_step << std::endl;
    return;
  }
  const auto scenes = compose(digits.train).to(device);
  const auto test = compose(digits.test).to(device);
  UNet net(choices.is_wide ? 32 : 8);
  net->to(device);
  const auto adam = torch::optim::AdamOptions(5e-3).eps(1e-4);  // the usual 1e-8 is zero in FP16, at O3
  torch::optim::Adam optimizer(net->parameters(), adam);
  const samples::HeldWeights held(arguments, *net, optimizer);
  if (choices.is_einsum_fp32) amp::register_float_function("einsum");
  if (!arguments.no_amp) amp::initialize(net, optimizer, samples::amp_options(arguments));

  const auto loss_of = [&](const at::Tensor& logits, const at::Tensor& masks) {
    return choices.is_all_fp64 ? dice_loss(logits.to(at::kDouble), masks.to(at::kDouble)) : dice_loss(logits, masks);
  };

  for (std::int64_t step = 1; step <= last_step; ++step) {
    held.begin(step);
    const auto batch = scenes.at(torch::randint(scenes.size(), {arguments.batch_size}).to(device));
    samples::print_truth(arguments, step, *net, optimizer, [&](at::ScalarType type) {
      return loss_of(net->forward(batch.images.to(type)), batch.masks.to(type));
    });
    optimizer.zero_grad();
    const auto output = amp::forward(net, samples::poisoned(batch.images, step, arguments));
    const auto loss = loss_of(output, batch.masks);
    if (arguments.no_amp) {
      loss.backward();
      optimizer.step();
    } else {
      amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
      amp::step(optimizer);
    }
    samples::print_loss(step, last_step, "loss", loss);
  }

  const torch::NoGradGuard no_grad;
  net->eval();
  print_dice(amp::forward(net, test.images), test.masks);
  samples::save(arguments, {net.get()});
}

}  // namespace

int main(int argc, char** argv) {
  Choices choices;
  const auto arguments =
      samples::parse(argc, argv, "Finds the ink of digits on noisy paper with a small U-Net", {.steps = 60},
                     {{"--fp32-loss", "compute the einsum of the loss in FP32", &choices.is_einsum_fp32},
                      {"--fp64-loss", "compute the loss in FP64", &choices.is_all_fp64},
                      {"--wide", "use four times as many channels in every layer: 32 instead of 8 at full resolution",
                       &choices.is_wide}});
  return samples::run([&] { train(arguments, choices); });
}
