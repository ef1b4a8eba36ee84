// SPDX-License-Identifier: Apache-2.0
#include "precision/gpu/peak_rates.h"

#include <algorithm>
#include <array>

namespace ampprof::gpu {
namespace {

// Rates for dense matrices; some sources list rates with structured sparsity. The first GPU of a compute capability
// represents all other GPUs of that capability.
constexpr std::array kRates{
    PeakRates{"A100", 80, 156, 312, 0, 0, 2039, "NVIDIA A100 datasheet, 80GB SXM"},
    PeakRates{"A30", 80, 82, 165, 0, 0, 933, "NVIDIA A30 datasheet"},
    PeakRates{"A40", 86, 74.8, 149.7, 0, 0, 696, "NVIDIA A40 datasheet"},
    PeakRates{"A10", 86, 62.5, 125, 0, 0, 600, "NVIDIA A10 datasheet"},
    PeakRates{"L40S", 89, 183, 362, 733, 0, 864, "NVIDIA L40S datasheet"},
    PeakRates{"L40", 89, 90.5, 181, 362, 0, 864, "NVIDIA L40 datasheet"},
    PeakRates{"L4", 89, 60, 121, 242, 0, 300, "NVIDIA L4 datasheet"},
    PeakRates{"RTX 4090", 89, 82.6, 165.2, 330.3, 0, 1008, "NVIDIA Ada GPU architecture whitepaper"},
    PeakRates{"H100", 90, 494.7, 989.4, 1978.9, 0, 3352, "NVIDIA H100 architecture whitepaper, SXM5"},
    PeakRates{"H100 PCIe", 90, 378, 756, 1513, 0, 2000, "NVIDIA H100 architecture whitepaper, PCIe"},
    PeakRates{"H800", 90, 494.7, 989.4, 1978.9, 0, 3352, "NVIDIA H100 architecture whitepaper, SXM5"},
    PeakRates{"H200", 90, 494.7, 989.4, 1978.9, 0, 4800, "NVIDIA H200 datasheet"},
    PeakRates{"GH200", 90, 494.7, 989.4, 1978.9, 0, 4000, "NVIDIA GH200 datasheet, 96GB HBM3"},
    PeakRates{"B200", 100, 1125, 2250, 4500, 9000, 7700, "NVIDIA HGX platform, B200, per GPU"},
    PeakRates{"GB200", 100, 1250, 2500, 5000, 10000, 8000, "NVIDIA GB200 NVL72 datasheet, per GPU"},
    PeakRates{"RTX 5090", 120, 104.8, 209.5, 419, 1676, 1792, "NVIDIA RTX Blackwell GPU architecture whitepaper"},
};

}  // namespace

std::optional<PeakRates> peak_rates(const DeviceCaps& device) {
  const auto named = std::ranges::find(kRates, std::string_view(device.name), &PeakRates::name);
  if (named != kRates.end()) return *named;
  const auto alike = std::ranges::find(kRates, device.major * 10 + device.minor, &PeakRates::sm);
  if (alike != kRates.end()) return *alike;
  return std::nullopt;
}

}  // namespace ampprof::gpu
