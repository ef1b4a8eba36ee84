// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

/// Marks a module of ours as a batch norm layer: O2 keeps it FP32, as it does LibTorch's own.
class BatchNormLayer {
 public:
  virtual ~BatchNormLayer() = default;

 protected:
  BatchNormLayer() = default;
  BatchNormLayer(const BatchNormLayer&) = default;
  BatchNormLayer& operator=(const BatchNormLayer&) = default;
};

}  // namespace amp
