// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/optim/optimizer.h>
#include <torch/serialize/archive.h>

#include <tuple>

namespace amp {

/// Derives everything that an optimizer's options and state need for LibTorch from one list of fields. `Derived` has
///
///     template <class Self, class Visit> static void each_field(Self& self, Visit visit) { visit("lr", self.lr_); ...
///     }
///
/// Undefined tensors are not written, and stay undefined when read.
namespace fields {

inline torch::IValue packed(const at::Tensor& value) { return value; }
inline torch::IValue packed(double value) { return value; }
inline torch::IValue packed(std::int64_t value) { return value; }
inline torch::IValue packed(bool value) { return value; }
inline torch::IValue packed(const std::tuple<double, double>& value) { return value; }

inline bool is_missing(const at::Tensor& value) { return !value.defined(); }
template <class T>
bool is_missing(const T&) {
  return false;
}

template <class Derived>
void write(const Derived& object, torch::serialize::OutputArchive& archive) {
  Derived::each_field(object, [&](const char* name, const auto& value) {
    if (!is_missing(value)) archive.write(name, packed(value));
  });
}

template <class Derived>
void read(Derived& object, torch::serialize::InputArchive& archive) {
  Derived::each_field(object, [&]<class T>(const char* name, T& value) {
    torch::IValue packed;
    if (archive.try_read(name, packed)) value = packed.to<T>();
  });
}

}  // namespace fields

/// Options with a learning rate `lr_`.
template <class Derived>
class FusedOptions : public torch::optim::OptimizerCloneableOptions<Derived> {
 public:
  void serialize(torch::serialize::InputArchive& archive) override { fields::read(self(), archive); }
  void serialize(torch::serialize::OutputArchive& archive) const override { fields::write(self(), archive); }
  double get_lr() const override { return self().lr(); }
  void set_lr(double lr) override { self().lr(lr); }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

/// State of an optimizer for one parameter.
template <class Derived>
class FusedParamState : public torch::optim::OptimizerCloneableParamState<Derived> {
 public:
  void serialize(torch::serialize::InputArchive& archive) override {
    fields::read(static_cast<Derived&>(*this), archive);
  }
  void serialize(torch::serialize::OutputArchive& archive) const override {
    fields::write(static_cast<const Derived&>(*this), archive);
  }
};

}  // namespace amp
