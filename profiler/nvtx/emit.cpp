// SPDX-License-Identifier: Apache-2.0
#include "profiler/nvtx/emit.h"

#include <nvtx3/nvToolsExt.h>

#include "profiler/nvtx/sink.h"

namespace ampprof::profiler::emission {
namespace {

struct Look {
  Kind kind;
  const char* name;
  std::uint32_t argb;
};

// In the order of Kind, from 1.
constexpr Look kLooks[] = {
    {Kind::Op, "op", 0xFF76B900},
    {Kind::Step, "step", 0xFF1F77B4},
    {Kind::Module, "module", 0xFFFF7F0E},
    {Kind::Level, "opt level", 0xFF9467BD},
};

/// Opens ampprof's domain. Returns null if no tool listens, or only ampprof's own injection does.
nvtxDomainHandle_t open_domain() {
  const nvtxDomainHandle_t domain = nvtxDomainCreateA(kOwnDomain);
  if (domain == nullptr) return nullptr;
  for (const Look& look : kLooks) nvtxDomainNameCategoryA(domain, static_cast<std::uint32_t>(look.kind), look.name);
  return domain;
}

nvtxDomainHandle_t own_domain() {
  static const nvtxDomainHandle_t domain = open_domain();
  return domain;
}

nvtxEventAttributes_t attributes_of(Kind kind, const char* text) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.category = static_cast<std::uint32_t>(kind);
  attributes.colorType = NVTX_COLOR_ARGB;
  attributes.color = kLooks[static_cast<int>(kind) - 1].argb;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = text;
  return attributes;
}

}  // namespace

bool is_listened_to() noexcept { return own_domain() != nullptr; }

void push(Kind kind, const char* text) noexcept {
  const nvtxDomainHandle_t domain = own_domain();
  if (domain == nullptr) return;
  const nvtxEventAttributes_t attributes = attributes_of(kind, text);
  nvtxDomainRangePushEx(domain, &attributes);
}

void pop() noexcept {
  if (const nvtxDomainHandle_t domain = own_domain()) nvtxDomainRangePop(domain);
}

std::uint64_t start(Kind kind, const char* text) noexcept {
  const nvtxDomainHandle_t domain = own_domain();
  if (domain == nullptr) return 0;
  const nvtxEventAttributes_t attributes = attributes_of(kind, text);
  return nvtxDomainRangeStartEx(domain, &attributes);
}

void end(std::uint64_t id) noexcept {
  if (id != 0) nvtxDomainRangeEnd(own_domain(), id);
}

}  // namespace ampprof::profiler::emission
