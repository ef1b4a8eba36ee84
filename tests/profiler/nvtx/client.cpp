// SPDX-License-Identifier: Apache-2.0
// Marks ranges with NVTX. The argument chooses the calls. Prints the results of the calls to stdout.
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

extern "C" void library_work();

namespace {

nvtxEventAttributes_t attributes() {
  nvtxEventAttributes_t result{};
  result.version = NVTX_VERSION;
  result.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  return result;
}

nvtxEventAttributes_t message(const char* text) {
  nvtxEventAttributes_t result = attributes();
  result.messageType = NVTX_MESSAGE_TYPE_ASCII;
  result.message.ascii = text;
  return result;
}

nvtxEventAttributes_t message(const wchar_t* text) {
  nvtxEventAttributes_t result = attributes();
  result.messageType = NVTX_MESSAGE_TYPE_UNICODE;
  result.message.unicode = text;
  return result;
}

nvtxEventAttributes_t message(nvtxStringHandle_t text) {
  nvtxEventAttributes_t result = attributes();
  result.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  result.message.registered = text;
  return result;
}

void say(const char* what, int level) { std::printf("%s %d\n", what, level); }

void nested() {
  say("push", nvtxRangePushA("outer"));
  say("push", nvtxRangePushW(L"größer 漢字 \U0001F600"));
  const auto third = message("third");
  say("push", nvtxRangePushEx(&third));
  nvtxMarkA("mark");
  nvtxMarkW(L"breit");
  const auto marked = message(L"mark with attributes");
  nvtxMarkEx(&marked);
  say("pop", nvtxRangePop());
  say("pop", nvtxRangePop());
  say("pop", nvtxRangePop());
  say("pop", nvtxRangePop());
}

void domains() {
  const nvtxDomainHandle_t one = nvtxDomainCreateA("one");
  const nvtxDomainHandle_t wide = nvtxDomainCreateW(L"zwölf");
  say("same handle", nvtxDomainCreateA("one") == one);
  const nvtxStringHandle_t text = nvtxDomainRegisterStringA(one, "registered");
  const nvtxStringHandle_t wide_text = nvtxDomainRegisterStringW(wide, L"registriert …");
  const auto first = message(text);
  const auto second = message(wide_text);
  say("push", nvtxDomainRangePushEx(one, &first));
  say("push", nvtxDomainRangePushEx(wide, &second));
  nvtxDomainMarkEx(one, &first);
  say("pop", nvtxDomainRangePop(one));
  nvtxDomainDestroy(wide);
  say("pop", nvtxDomainRangePop(wide));
  say("pop", nvtxDomainRangePop(one));
}

void threads() {
  const nvtxRangeId_t id = nvtxRangeStartA("crosses threads");
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("domain");
  const auto text = message("crosses too");
  const nvtxRangeId_t other = nvtxDomainRangeStartEx(domain, &text);
  const auto third = message(L"third");
  const nvtxRangeId_t wide = nvtxRangeStartW(L"wide");
  const nvtxRangeId_t with_attributes = nvtxRangeStartEx(&third);
  std::thread([=] {
    nvtxRangePushA("on a thread");
    nvtxRangeEnd(id);
    nvtxDomainRangeEnd(domain, other);
    nvtxRangePop();
  }).join();
  nvtxRangeEnd(with_attributes);
  nvtxRangeEnd(wide);
}

/// Makes calls with invalid arguments.
void careless() {
  say("pop", nvtxRangePop());
  nvtxRangeEnd(4711);
  nvtxRangeEnd(0);
  nvtxMarkA(nullptr);
  nvtxMarkW(nullptr);
  nvtxMarkEx(nullptr);
  const nvtxEventAttributes_t nothing{};
  nvtxMarkEx(&nothing);
  const auto no_message = attributes();
  nvtxMarkEx(&no_message);
  const auto null = message(static_cast<const char*>(nullptr));
  nvtxMarkEx(&null);
  const auto made_up = message(reinterpret_cast<nvtxStringHandle_t>(std::uintptr_t{0x7fffdeadbeef}));
  const auto never_given = message(reinterpret_cast<nvtxStringHandle_t>(std::uintptr_t{7}));
  nvtxMarkEx(&made_up);
  nvtxMarkEx(&never_given);
  const auto unknown = reinterpret_cast<nvtxDomainHandle_t>(std::uintptr_t{0x7fffdeadbeef});
  const auto text = message("in no domain");
  nvtxDomainMarkEx(unknown, &text);
  nvtxDomainDestroy(unknown);
  nvtxMarkW(std::wstring{L'a', static_cast<wchar_t>(0xD800), static_cast<wchar_t>(0x7fffffff), L'b'}.c_str());
  nvtxDomainCreateA(nullptr);
  nvtxNameOsThreadA(1, "thread");
  nvtxRangePushA("open");
}

/// Makes calls before and after a tool begins to listen.
void late() {
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("early");
  const auto text = message(nvtxDomainRegisterStringA(domain, "text"));
  say("push", nvtxDomainRangePushEx(domain, &text));
  say("push", nvtxRangePushA("unheard"));
  say("start", static_cast<int>(nvtxRangeStartA("unheard")));
  say("start", static_cast<int>(nvtxRangeStartW(L"unheard")));
  say("start", static_cast<int>(nvtxDomainRangeStartEx(domain, &text)));
  nvtxRangeEnd(0);
  nvtxMarkW(L"unheard");
  void* tool = dlopen(std::getenv("NVTX_INJECTION64_PATH"), RTLD_LAZY | RTLD_NOLOAD);
  reinterpret_cast<void (*)()>(dlsym(tool, "test_listen"))();
  say("push", nvtxDomainRangePushEx(domain, &text));
  say("pop", nvtxDomainRangePop(domain));
  say("pop", nvtxDomainRangePop(domain));
  say("pop", nvtxRangePop());
}

void own_domain() {
  say("no handle", nvtxDomainCreateA("ampprof") == nullptr);
  say("no handle", nvtxDomainCreateW(L"ampprof") == nullptr);
}

/// Makes more domains and strings than the injection keeps.
void many() {
  for (int i = 0; i < 2000; ++i) {
    const nvtxDomainHandle_t domain = nvtxDomainCreateA(("domain " + std::to_string(i)).c_str());
    const auto text = message("in it");
    nvtxDomainRangePushEx(domain, &text);
    nvtxDomainRangePop(domain);
    nvtxDomainDestroy(domain);
  }
  for (int i = 0; i < 100'000; ++i) nvtxDomainRegisterStringA(nullptr, ("string " + std::to_string(i)).c_str());
}

/// Makes the first call on all threads at once: NVTX looks for the tool on one of them.
void crowd() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 1000; ++round) {
        const nvtxDomainHandle_t domain = nvtxDomainCreateA(("domain " + std::to_string(round % 50)).c_str());
        const auto text = message(nvtxDomainRegisterStringA(domain, std::to_string(round).c_str()));
        nvtxDomainRangePushEx(domain, &text);
        nvtxDomainRangePop(domain);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int, char** argv) {
  const std::string what = argv[1];
  if (what == "nested") nested();
  if (what == "domains") domains();
  if (what == "threads") threads();
  if (what == "careless") careless();
  if (what == "late") late();
  if (what == "own_domain") own_domain();
  if (what == "many") many();
  if (what == "crowd") crowd();
  if (what == "libraries") {
    nvtxRangePushA("program");
    library_work();
    nvtxRangePop();
  }
  std::fflush(stdout);
}
