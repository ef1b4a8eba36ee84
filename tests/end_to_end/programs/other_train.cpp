// SPDX-License-Identifier: Apache-2.0
extern "C" int torch_answer();

int main() { return torch_answer(); }
