// What a call does and what it costs, in words: its index equation, its plan, the kernels, the bytes, the time.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "garner/call.h"

namespace garner {

/// A kernel, and why it runs or does not.
struct KernelVerdict {
  std::string name;
  bool accepts = false, chosen = false;
  double cost_ns = 0;  // only where it accepts
  std::string why;     // "costs 2.1x of row_copy", "does not accept: …"
};

/// Bytes that must pass between memory and a core: each element counts once, however often it is read.
struct Traffic {
  Index operand = 0, updates = 0, indices = 0, mask_and_fill = 0, result = 0;
  Index total() const { return operand + updates + indices + mask_and_fill + result; }
};

struct Fact {
  std::string name;
  std::variant<bool, Index> value;
};

/// One of the plans a call becomes; most calls become one.
struct JobExplanation {
  std::string equation;            // "result[i, j] = input[i, index[i, j]]"
  std::vector<std::string> rules;  // "index[i, j] in [0, 3), otherwise an error (TO8)"
  std::string plan, normal_form;   // as print() writes them
  std::vector<Fact> facts;
  std::vector<KernelVerdict> kernels;
  Traffic traffic;
  int threads = 1;
  double copy_ns = 0;              // the traffic at the machine's copy rate
  double kernel_ns = 0;            // the chosen kernel's cost model, shared by the threads
  double predicted_ns = 0;         // the larger of the two
};

struct Explanation {
  std::string op, signature;       // "torch.gather", "(input, dim, index, *, sparse_grad=False)"
  std::string promise;             // what an operation without a plan gives; or what it does after its plan
  double bytes_per_second = 0;     // the copy rate that copy_ns speaks of
  std::vector<JobExplanation> jobs;
};

struct ExplainOptions {
  double bytes_per_second = 0;  // 0: copy memory for some 50 ms, once in the life of the program
};

/// Nothing of the call is run, and no index value is looked at. Rules as evaluate() has them before the first read.
Result<Explanation> explain(const Call& call, const ExplainOptions& options = {});

std::string to_text(const Explanation& explanation);
std::string to_json(const Explanation& explanation);

}  // namespace garner
