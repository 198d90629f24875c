// garner tour: the examples of the founding documents. Each is a call of the C++ API; its output is printed the way its
// document prints it, and below it stands the plan it was lowered to, its normal form, and the kernel that ran.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "garner/anvil.h"
#include "garner/cutile.h"
#include "garner/deepnet.h"
#include "garner/error.h"
#include "garner/grad.h"
#include "garner/lucid.h"
#include "garner/tensorrt.h"

namespace garner::cli {
namespace {

std::string indented(const std::string& text, const char* with) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += fmt::format("{}{}\n", with, text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

using Stop = nlohmann::ordered_json;  // document, call, output; plan, normal_form (where it is another), kernel

class Tour {
 public:
  explicit Tour(bool plans) : plans_(plans) {}

  void document(const char* title) { title_ = title; }

  /// What was called, what came out, and how.
  void show(const std::string& call, const std::string& output, const Job& job) {
    show(call, output);
    if (!plans_) return;
    const IndexPlan plan = value_or_throw(simplified_plan(job));
    stops_.back()["plan"] = print(job.plan);
    if (plan != job.plan) stops_.back()["normal_form"] = print(plan);
    stops_.back()["kernel"] = value_or_throw(accepting_kernels(job)).front();
  }

  /// A call that has no plan: it returns indices.
  void show(const std::string& call, const std::string& output) {
    stops_.push_back({{"document", title_}, {"call", call}, {"output", output}});
  }

  /// A call whose document prints no output: the result's shape and its values as NumPy prints them.
  void show_tensor(const std::string& call, const Tensor& result, const Job& job) {
    show(call, tensorrt::log_tensor(tensorrt::Role::kOutput, result, "tensor"), job);
  }

  const std::vector<Stop>& stops() const { return stops_; }

 private:
  bool plans_;
  std::string title_;
  std::vector<Stop> stops_;
};

void print_title(const std::string& title) { fmt::print("\n{}\n{}\n", title, std::string(title.size(), '=')); }

void print_stop(const Stop& stop) {
  const auto text = [&](const char* key) { return stop[key].get<std::string>(); };
  fmt::print("\n{}{}", indented(text("call"), "> "), indented(text("output"), "  "));
  if (!stop.contains("plan")) return;
  fmt::print("\n  the plan\n{}", indented(text("plan"), "    "));
  if (stop.contains("normal_form")) fmt::print("  its normal form\n{}", indented(text("normal_form"), "    "));
  fmt::print("  runs on kernel {}\n", text("kernel"));
}

void print_tour(const std::vector<Stop>& stops) {
  std::string title;
  for (const Stop& stop : stops) {
    if (stop["document"] != title) print_title(title = stop["document"]);
    print_stop(stop);
  }
}

void tour_lucid(Tour& tour) {
  tour.document("lucid.gather");
  const Tensor x = tensor({{10LL, 20LL, 30LL}, {40LL, 50LL, 60LL}}), index = tensor({{2, 1}, {0, 2}});
  const Job job = value_or_throw(lucid::lower_gather(x, 1, index));
  tour.show(
      "x   = [[10, 20, 30], [40, 50, 60]]\nidx = [[2, 1], [0, 2]]  (Int32)\nout = lucid.gather(x, dim=1, index=idx); "
      "print(out)",
      to_string(lucid::gather(x, 1, index)), job);

  const grad::Var variable = grad::lucid_leaf(x, "x");
  grad::sum(grad::call({variable}, [&](const std::vector<View>& v) {
    return lucid::lower_gather(v[0], 1, index);
  })).backward();
  // What ran backwards: the transposed plan. Nothing but fields change.
  const Tensor ones = tensor({{1LL, 1LL}, {1LL, 1LL}});
  Job back = job;
  back.plan = value_or_throw(adjoint(job.plan));
  back.operand.reset();
  back.updates = ones;
  back.result_shape = x.shape();
  tour.show("out.sum().backward(); print(x.grad)", to_string(variable.grad().value()), back);
}

void tour_cutile(Tour& tour) {
  tour.document("cuda.tile.gather");
  const Tensor array = tensor({{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}});
  const Tensor ind0 = tensor({{{0}, {1}}, {{2}, {7}}}), ind1 = tensor({{{0, 1, 2}}, {{3, -1, 0}}});
  const auto job = [&](const cutile::GatherOptions& options) {
    return value_or_throw(cutile::lower_gather(array, {ind0, ind1}, options));
  };
  tour.show(
      "array = 0..11 as (3, 4); ind0 (M, N, 1) = [[[0], [1]], [[2], [7]]]; ind1 (M, 1, K) = [[[0, 1, 2]], [[3, -1, "
      "0]]]\n"
      "t = ct.gather(array, (ind0, ind1))   # t[i, j, k] = array[ind0[i, j, 0], ind1[i, 0, k]]; 7 and -1 are out of "
      "bounds",
      cutile::to_string(cutile::gather(array, {ind0, ind1})), job({}));

  const Tensor mask = tensor({true, false, true});
  const cutile::GatherOptions masked{.mask = View(mask), .padding_value = -9};
  tour.show("ct.gather(array, (ind0, ind1), mask=[True, False, True], padding_value=-9)",
            cutile::to_string(cutile::gather(array, {ind0, ind1}, masked)), job(masked));

  const Tensor line = tensor({10.F, 11.F, 12.F, 13.F}), places = tensor({3, 0, 2});
  tour.show("ct.gather([10., 11., 12., 13.], [3, 0, 2])   # rank 1: a tile in place of a tuple",
            cutile::to_string(cutile::gather(line, {places})), value_or_throw(cutile::lower_gather(line, {places})));
}

/// A tensor of positions as F# writes it, one per row: "[[0L; 0L]\n [0L; 2L]]".
std::string positions_text(const Tensor& positions) {
  const Index rank = positions.shape()[1];
  std::string out;
  for (Index i = 0; i < positions.shape()[0]; ++i) {
    const Index* row = positions.as<Index>() + i * rank;
    out += fmt::format("{}{}", i == 0 ? "[" : "\n ", deepnet::to_string(Axes(row, row + rank)));
  }
  return out + "]";
}

Axes values_of(const Tensor& t) { return {t.as<Index>(), t.as<Index>() + t.elements()}; }

void tour_deepnet_indices(Tour& tour) {
  tour.document("DeepNet Tensor: index functions");
  const Tensor zeros = tensor({{0, 0, 0}, {0, 0, 0}});
  std::vector<Axes> all;
  for (const Axes& position : deepnet::all_idx(zeros)) all.push_back(position);
  tour.show("a = HostTensor.zeros<int> [2L; 3L]; Tensor.allIdx a", deepnet::to_string(all));
  const Tensor a = tensor({{1.0, 2.0, 3.0, 4.0}, {5.0, 6.0, 7.0, 8.0}});
  tour.show("a = [[1.0; 2.0; 3.0; 4.0]; [5.0; 6.0; 7.0; 8.0]]; Tensor.argMax a",
            deepnet::to_string(deepnet::arg_max(a)));
  tour.show("Tensor.argMaxAxis 1 a", deepnet::to_string(values_of(deepnet::arg_max_axis(1, a))));
  const Tensor b = tensor({{1.0, 2.0, 3.0, 4.0}, {5.0, 6.0, 7.0, 3.0}});
  tour.show("a = [[1.0; 2.0; 3.0; 4.0]; [5.0; 6.0; 7.0; 3.0]]; Tensor.tryFind 3.0 a",
            deepnet::to_string(deepnet::try_find(3.0, b)));
  tour.show("Tensor.findAxis 3.0 1 a", deepnet::to_string(values_of(deepnet::find_axis(3.0, 1, b))));
  const Tensor truth = tensor({{true, false, true, false}, {false, true, true, false}});
  tour.show("a = [[true; false; true; false]; [false; true; true; false]]; Tensor.trueIdx a",
            positions_text(deepnet::true_idx(truth)));
}

void tour_deepnet(Tour& tour) {
  tour.document("DeepNet Tensor: gather and scatter");
  const Tensor src = tensor({{0.0, 0.1, 0.2, 0.3}, {1.0, 1.1, 1.2, 1.3}, {2.0, 2.1, 2.2, 2.3}});
  const Tensor i0 = tensor({1LL, 2LL, 0LL, 0LL}), i1 = tensor({3LL, 1LL, 0LL, 3LL}), j1 = tensor({3LL, 1LL, 0LL});
  const deepnet::IndexList both{i0, i1}, none_first{std::nullopt, j1};
  tour.show("g = Tensor.gather [Some [1L; 2L; 0L; 0L]; Some [3L; 1L; 0L; 3L]] src",
            deepnet::to_doc_string(deepnet::gather(both, src)), value_or_throw(deepnet::lower_gather(both, src)));
  tour.show("g2 = Tensor.gather [None; Some [3L; 1L; 0L]] src",
            deepnet::to_doc_string(deepnet::gather(none_first, src)),
            value_or_throw(deepnet::lower_gather(none_first, src)));

  const Tensor rows = tensor({{0LL, 0LL, 0LL, 0LL}, {2LL, 2LL, 2LL, 2LL}, {1LL, 1LL, 1LL, 1LL}});
  const Tensor columns = tensor({{3LL, 3LL, 3LL, 3LL}, {0LL, 1LL, 2LL, 3LL}, {0LL, 1LL, 2LL, 3LL}});
  const deepnet::IndexList places{rows, columns};
  tour.show("s = Tensor.scatter [Some i0; Some i1] [4L; 4L] src",
            deepnet::to_string(deepnet::scatter(places, {4, 4}, src)),
            value_or_throw(deepnet::lower_scatter(places, {4, 4}, src)));
}

void tour_anvil(Tour& tour) {
  tour.document("anvil: nvl_gather");
  const Tensor operand = anvil::nv_matrix({1, 2, 3, 4, 5, 6, 7, 8, 9}, 3), indices = tensor({{1}, {3}});
  const anvil::GatherParams params{.slice_sizes = {1, 3},
                                   .offset_dims = {2},
                                   .collapsed_slice_dims = {1},
                                   .start_index_map = {1},
                                   .index_vector_dim = 2};
  const Tensor result = anvil::jit_eval([&] { return anvil::nvl_gather(operand, indices, params); });
  tour.show(
      "jit_eval({\n  operand <- nv_tensor(matrix(1:9, nrow = 3))\n  indices <- nv_tensor(matrix(c(1L, 3L), ncol = 1))\n"
      "  nvl_gather(operand, indices, slice_sizes = c(1L, 3L), offset_dims = 2L, collapsed_slice_dims = 1L,\n"
      "             operand_batching_dims = integer(0), start_indices_batching_dims = integer(0),\n"
      "             start_index_map = 1L, index_vector_dim = 2L)\n})",
      anvil::to_string(result), value_or_throw(anvil::lower_nvl_gather(operand, indices, params)));
}

/// data[n,c,h,w] = 1000n + 100c + 10h + w
Tensor cookbook_data() {
  Tensor t = value_or_throw(Tensor::empty(DType::kF32, {2, 3, 4, 5}));
  for (Index i = 0; i < t.elements(); ++i) {
    const Index digits = i / 60 * 1000 + i / 20 % 3 * 100 + i / 5 % 4 * 10 + i % 5;
    t.as<float>()[i] = static_cast<float>(digits);
  }
  return t;
}

void tour_tensorrt(Tour& tour) {
  tour.document("TensorRT: the Gather layer");
  using tensorrt::GatherMode;
  const Tensor data = cookbook_data();
  const Tensor rows = tensor({{1, 0, 2}, {0, 0, -1}}), tuples = tensor({{1, 0, 2}, {0, 2, -1}});
  Tensor places = value_or_throw(Tensor::zeros(DType::kI32, {2, 3, 4, 5}));
  for (Index i = 0; i < places.elements(); ++i) places.as<int>()[i] = static_cast<int>((i / 5 + i % 5) % 4);
  const auto layer = [&](const char* call, const Tensor& index, const tensorrt::GatherLayer& l) {
    tour.show_tensor(call, tensorrt::gather(data, index, l), value_or_throw(tensorrt::lower_gather(data, index, l)));
  };
  layer("data[n,c,h,w] = 1000n + 100c + 10h + w, (2, 3, 4, 5)\nDEFAULT, axis 2, index [[1, 0, 2], [0, 0, -1]]", rows,
        {GatherMode::kDefault, 2, 0});
  layer("DEFAULT, axis 2, num_elementwise_dims 1, the same index", rows, {GatherMode::kDefault, 2, 1});
  layer("ELEMENT, axis 2, index[n,c,h,w] = (h + w) mod 4", places, {GatherMode::kElement, 2, 0});
  layer("ND, index [[1, 0, 2], [0, 2, -1]]", tuples, {GatherMode::kNd, 0, 0});
  layer("ND, num_elementwise_dims 1, the same index", tuples, {GatherMode::kNd, 0, 1});
}

}  // namespace

int tour(bool plans, bool json) {
  Tour guide(plans);
  for (auto* stop : {tour_lucid, tour_cutile, tour_deepnet_indices, tour_deepnet, tour_anvil, tour_tensorrt})
    stop(guide);
  json ? fmt::print("{}\n", Stop(guide.stops()).dump()) : print_tour(guide.stops());
  return 0;
}

}  // namespace garner::cli
