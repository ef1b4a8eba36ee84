// SPDX-License-Identifier: Apache-2.0
// The functions that NVTX calls. The program and each of its libraries embed a copy of NVTX. Each copy looks for
// InitializeInjectionNvtx2() in the file that NVTX_INJECTION64_PATH names, on the thread that first calls NVTX.

// Only the types: an implementation of NVTX here would find this injection and call itself.
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "profiler/nvtx/sink.h"
#include "profiler/nvtx/text_table.h"
#include "profiler/nvtx/utf8.h"

namespace ampprof::profiler {
namespace {

constinit TextTable<1024> g_domains;
constinit TextTable<65536> g_strings;

// ---- handles and messages ----------------------------------------------------------------------------------------

const char* name_of(nvtxDomainHandle_t domain) { return g_domains.find(reinterpret_cast<std::uintptr_t>(domain)); }

const char* text_of(const char* text) { return text == nullptr ? "" : text; }

const char* text_of(const nvtxEventAttributes_t* attributes, Utf8Buffer& buffer) {
  constexpr std::size_t kNeeded = offsetof(nvtxEventAttributes_t, message) + sizeof(nvtxMessageValue_t);
  if (attributes == nullptr || attributes->size < kNeeded) return "";
  switch (attributes->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      return text_of(attributes->message.ascii);
    case NVTX_MESSAGE_TYPE_UNICODE:
      return to_utf8(attributes->message.unicode, buffer);
    case NVTX_MESSAGE_TYPE_REGISTERED:
      return g_strings.find(reinterpret_cast<std::uintptr_t>(attributes->message.registered));
    default:
      return "";
  }
}

// ---- ranges of domains -------------------------------------------------------------------------------------------

void domain_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  Utf8Buffer buffer;
  if (const RangeSink* sink = range_sink()) sink->mark(name_of(domain), text_of(attributes, buffer));
}

nvtxRangeId_t domain_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  Utf8Buffer buffer;
  const RangeSink* sink = range_sink();
  return sink == nullptr ? 0 : sink->start(name_of(domain), text_of(attributes, buffer));
}

void range_end(nvtxRangeId_t id) {
  if (const RangeSink* sink = range_sink()) sink->end(id);
}

void domain_end(nvtxDomainHandle_t, nvtxRangeId_t id) { range_end(id); }

int domain_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  Utf8Buffer buffer;
  const RangeSink* sink = range_sink();
  return sink == nullptr ? NVTX_NO_PUSH_POP_TRACKING : sink->push(name_of(domain), text_of(attributes, buffer));
}

int domain_pop(nvtxDomainHandle_t domain) {
  const RangeSink* sink = range_sink();
  return sink == nullptr ? NVTX_NO_PUSH_POP_TRACKING : sink->pop(name_of(domain));
}

nvtxStringHandle_t register_text(nvtxDomainHandle_t, const char* text) {
  return reinterpret_cast<nvtxStringHandle_t>(g_strings.intern(text_of(text)));
}

nvtxStringHandle_t register_wide(nvtxDomainHandle_t domain, const wchar_t* text) {
  Utf8Buffer buffer;
  return register_text(domain, to_utf8(text, buffer));
}

// Returns null for ampprof's own domain, which tells emit.cpp that no other tool listens.
nvtxDomainHandle_t create_domain(const char* name) {
  if (std::strcmp(text_of(name), kOwnDomain) == 0) return nullptr;
  return reinterpret_cast<nvtxDomainHandle_t>(g_domains.intern(text_of(name)));
}

nvtxDomainHandle_t create_wide_domain(const wchar_t* name) {
  Utf8Buffer buffer;
  return create_domain(to_utf8(name, buffer));
}

// ---- ranges of the default domain --------------------------------------------------------------------------------

void mark_attributes(const nvtxEventAttributes_t* attributes) { domain_mark(nullptr, attributes); }

void mark(const char* text) {
  if (const RangeSink* sink = range_sink()) sink->mark("", text_of(text));
}

void mark_wide(const wchar_t* text) {
  Utf8Buffer buffer;
  if (range_sink() != nullptr) mark(to_utf8(text, buffer));
}

nvtxRangeId_t start_attributes(const nvtxEventAttributes_t* attributes) { return domain_start(nullptr, attributes); }

nvtxRangeId_t start(const char* text) {
  const RangeSink* sink = range_sink();
  return sink == nullptr ? 0 : sink->start("", text_of(text));
}

nvtxRangeId_t start_wide(const wchar_t* text) {
  Utf8Buffer buffer;
  return range_sink() == nullptr ? 0 : start(to_utf8(text, buffer));
}

int push_attributes(const nvtxEventAttributes_t* attributes) { return domain_push(nullptr, attributes); }

int push(const char* text) {
  const RangeSink* sink = range_sink();
  return sink == nullptr ? NVTX_NO_PUSH_POP_TRACKING : sink->push("", text_of(text));
}

int push_wide(const wchar_t* text) {
  Utf8Buffer buffer;
  return range_sink() == nullptr ? NVTX_NO_PUSH_POP_TRACKING : push(to_utf8(text, buffer));
}

int pop() { return domain_pop(nullptr); }

// ---- the tables of a copy of NVTX --------------------------------------------------------------------------------

struct Callback {
  unsigned id;
  NvtxFunctionPointer function;
};

/// Makes a callback. `Function` is the type that NVTX calls, so the compiler checks `function` against it.
template <typename Function>
Callback callback(unsigned id, Function function) {
  return {id, reinterpret_cast<NvtxFunctionPointer>(function)};
}

/// Sets our callbacks. NVTX skips all others, which stay null: names of threads and categories, resources, the end of a
/// domain.
template <std::size_t kCount>
bool set_callbacks(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module,
                   const Callback (&ours)[kCount]) {
  NvtxFunctionTable table = nullptr;
  unsigned size{};
  if (callbacks.GetModuleFunctionTable(module, &table, &size) == 0 || table == nullptr) return false;
  for (const Callback& our : ours) {
    if (our.id < size && table[our.id] != nullptr) *table[our.id] = our.function;
  }
  return true;
}

bool set_core(const NvtxExportTableCallbacks& callbacks) {
  const Callback ours[] = {
      callback<nvtxMarkEx_impl_fntype>(NVTX_CBID_CORE_MarkEx, mark_attributes),
      callback<nvtxMarkA_impl_fntype>(NVTX_CBID_CORE_MarkA, mark),
      callback<nvtxMarkW_impl_fntype>(NVTX_CBID_CORE_MarkW, mark_wide),
      callback<nvtxRangeStartEx_impl_fntype>(NVTX_CBID_CORE_RangeStartEx, start_attributes),
      callback<nvtxRangeStartA_impl_fntype>(NVTX_CBID_CORE_RangeStartA, start),
      callback<nvtxRangeStartW_impl_fntype>(NVTX_CBID_CORE_RangeStartW, start_wide),
      callback<nvtxRangeEnd_impl_fntype>(NVTX_CBID_CORE_RangeEnd, range_end),
      callback<nvtxRangePushEx_impl_fntype>(NVTX_CBID_CORE_RangePushEx, push_attributes),
      callback<nvtxRangePushA_impl_fntype>(NVTX_CBID_CORE_RangePushA, push),
      callback<nvtxRangePushW_impl_fntype>(NVTX_CBID_CORE_RangePushW, push_wide),
      callback<nvtxRangePop_impl_fntype>(NVTX_CBID_CORE_RangePop, pop),
  };
  return set_callbacks(callbacks, NVTX_CB_MODULE_CORE, ours);
}

bool set_domains(const NvtxExportTableCallbacks& callbacks) {
  const Callback ours[] = {
      callback<nvtxDomainMarkEx_impl_fntype>(NVTX_CBID_CORE2_DomainMarkEx, domain_mark),
      callback<nvtxDomainRangeStartEx_impl_fntype>(NVTX_CBID_CORE2_DomainRangeStartEx, domain_start),
      callback<nvtxDomainRangeEnd_impl_fntype>(NVTX_CBID_CORE2_DomainRangeEnd, domain_end),
      callback<nvtxDomainRangePushEx_impl_fntype>(NVTX_CBID_CORE2_DomainRangePushEx, domain_push),
      callback<nvtxDomainRangePop_impl_fntype>(NVTX_CBID_CORE2_DomainRangePop, domain_pop),
      callback<nvtxDomainRegisterStringA_impl_fntype>(NVTX_CBID_CORE2_DomainRegisterStringA, register_text),
      callback<nvtxDomainRegisterStringW_impl_fntype>(NVTX_CBID_CORE2_DomainRegisterStringW, register_wide),
      callback<nvtxDomainCreateA_impl_fntype>(NVTX_CBID_CORE2_DomainCreateA, create_domain),
      callback<nvtxDomainCreateW_impl_fntype>(NVTX_CBID_CORE2_DomainCreateW, create_wide_domain),
  };
  return set_callbacks(callbacks, NVTX_CB_MODULE_CORE2, ours);
}

void tell_version(NvtxGetExportTableFunc_t export_table) {
  const auto* info = static_cast<const NvtxExportTableVersionInfo*>(export_table(NVTX_ETID_VERSIONINFO));
  if (info != nullptr && info->struct_size >= sizeof *info) info->SetInjectionNvtxVersion(NVTX_VERSION);
}

}  // namespace
}  // namespace ampprof::profiler

/// Called once by each copy of NVTX, on any thread. Returns 0 if the copy has no table that we know.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t export_table) {
  using namespace ampprof::profiler;
  if (export_table == nullptr) return 0;
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(export_table(NVTX_ETID_CALLBACKS));
  if (callbacks == nullptr || callbacks->struct_size < sizeof *callbacks || !set_core(*callbacks)) return 0;
  set_domains(*callbacks);
  tell_version(export_table);
  return 1;
}
