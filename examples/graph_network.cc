// A graph whose nodes belong to four communities, and a network that finds them: each of two layers gathers a message
// from the source of every edge, sums the messages by target, divides by their number and multiplies with weights. One
// node in ten has a label to learn from; the others are the test. What a node knows of itself is mostly noise, so that
// its neighbours must help.
//   graph_network [--epochs N]
// The exit code is 1 when 90 % or less of the other nodes are found.
#include <garner/grad.h>
#include <garner/index.h>
#include <garner/row_gradient.h>
#include <garner/tensorflow.h>
#include <garner/torch.h>

#include <cmath>
#include <iostream>
#include <random>

#include "progress.h"

using namespace garner;
using grad::Var;

constexpr Index kNodes = 800, kCommunities = 4, kFeatures = 16, kHidden = 32;
constexpr double kInside = 0.06, kAcross = 0.005;  // the chance of an edge

using Random = std::mt19937;

struct Graph {
  std::vector<Index> sources, targets, community, learned, learned_community;
  Tensor features, share;  // share: one over the number of edges that lead to a node, [nodes, 1]
};

Tensor noise(const Axes& shape, double deviation, Random& random) {
  Tensor t = value_or_throw(Tensor::empty(DType::kF32, shape));
  std::normal_distribution<float> normal(0, static_cast<float>(deviation));
  for (Index i = 0; i < t.elements(); ++i) t.as<float>()[i] = normal(random);
  return t;
}

/// Both directions of each pair, and every node to itself.
void plant_edges(Graph& graph, Random& random) {
  std::uniform_real_distribution<double> chance(0, 1);
  const auto edge = [&](Index a, Index b) { graph.sources.push_back(a), graph.targets.push_back(b); };
  for (Index a = 0; a < kNodes; ++a) {
    edge(a, a);
    for (Index b = 0; b < a; ++b)
      if (chance(random) < (a % kCommunities == b % kCommunities ? kInside : kAcross)) edge(a, b), edge(b, a);
  }
}

Graph planted(Random& random) {
  Graph graph;
  plant_edges(graph, random);
  graph.features = noise({kNodes, kFeatures}, 1, random);
  for (Index node = 0; node < kNodes; ++node) {
    graph.community.push_back(node % kCommunities);
    graph.features.as<float>()[node * kFeatures + node % kCommunities] += 0.8F;
    if (random() % 10 != 0) continue;
    graph.learned.push_back(node), graph.learned_community.push_back(node % kCommunities);
  }
  const Tensor degree = bincount(graph.targets);
  graph.share = value_or_throw(Tensor::empty(DType::kF32, {kNodes, 1}));
  for (Index n = 0; n < kNodes; ++n) graph.share.as<float>()[n] = 1.F / static_cast<float>(degree.as<Index>()[n]);
  return graph;
}

/// The rows of x with these numbers.
Var rows_of(const Var& x, const std::vector<Index>& numbers) {
  return grad::call({x}, [&](const std::vector<View>& v) { return torch::lower_index_select(v[0], 0, numbers); });
}

/// The mean over each node's neighbours.
Var spread(const Graph& graph, const Var& nodes) {
  const Var messages = rows_of(nodes, graph.sources);
  const Var sums = grad::call({messages}, [&](const std::vector<View>& v) {
    return tensorflow::lower_unsorted_segment_sum(v[0], graph.targets, kNodes);
  });
  return sums * Var(graph.share);
}

struct Layer {
  Var weights;
  Adam optimiser{{.lr = 0.01}};

  Layer(Index from, Index to, Random& random)
      : weights(noise({from, to}, std::sqrt(1.0 / static_cast<double>(from)), random), true) {}
  void step() {
    const grad::NoGrad quiet;
    optimiser.step(weights.mutate(), weights.grad().value());
    weights.zero_grad();
  }
};

/// The share of nodes, those that were learned from left out, whose largest score is their community's.
double accuracy(const Graph& graph, const Var& scores) {
  const Tensor found = argmax(scores.value(), {.axis = 1});
  Index right = 0;
  for (Index n = 0; n < kNodes; ++n) right += found.as<Index>()[n] == graph.community[n] ? 1 : 0;
  for (const Index n : graph.learned) right -= found.as<Index>()[n] == graph.community[n] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(kNodes - static_cast<Index>(graph.learned.size()));
}

int main(int argc, char** argv) try {
  const Arguments arguments = parse(argc, argv, 100, false);
  Random random(1);
  const Graph graph = planted(random);
  std::cout << kNodes << " nodes, " << graph.sources.size() << " edges, " << graph.learned.size() << " labels"
            << std::endl;
  Layer first(kFeatures, kHidden, random), second(kHidden, kCommunities, random);
  const Var features(graph.features);
  const auto scores = [&] {
    const Var hidden = grad::relu(grad::matmul(spread(graph, features), first.weights));
    return grad::matmul(spread(graph, hidden), second.weights);
  };
  {
    Progress progress("epochs", arguments.epochs);
    for (int epoch = 1; epoch <= arguments.epochs; ++epoch) {
      const Var loss = grad::cross_entropy(rows_of(scores(), graph.learned), graph.learned_community);
      loss.backward();
      first.step(), second.step();
      progress.show(epoch, *loss.value().as<float>());
    }
  }
  const double found = accuracy(graph, scores());
  std::cout << "accuracy " << std::round(1000 * found) / 10 << " %\n";
  return found > 0.9 ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << "graph_network: " << e.what() << "\n";
  return 1;
}
