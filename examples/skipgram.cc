// Word vectors: a word's vector is trained to tell the words around it from words drawn at random (skip-gram with
// negative sampling). The two tables are not part of the graph: each batch gathers the rows it needs, and what comes
// back to those rows is a RowGradient, so that a step costs the same however many words there are.
//   skipgram [--epochs N] [text file]
// Without a file it trains on sentences it makes up, each about one of five topics; the exit code is then 1 unless nine
// of ten neighbours are words of one topic.
#include <garner/grad.h>
#include <garner/index.h>
#include <garner/row_gradient.h>
#include <garner/torch.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <sstream>

#include "progress.h"

using namespace garner;
using grad::Var;

constexpr Index kDim = 32, kWindow = 3, kNegatives = 5, kBatch = 512;

using Random = std::mt19937;

struct Corpus {
  std::vector<std::string> words;  // by number
  std::vector<double> weights;  // how often a word is drawn at random
  std::vector<Index> text;
};

/// Sentences of eight words of one topic and two of any; each topic has ten words.
std::string made_up(Random& random) {
  const std::string topics[] = {"animal", "colour", "number", "food", "weather"};
  std::string out;
  for (int sentence = 0; sentence < 4000; ++sentence)
    for (std::size_t i = 0, topic = random() % 5; i < 10; ++i)
      out += topics[i % 5 == 4 ? random() % 5 : topic] + std::to_string(random() % 10) + " ";
  return out;
}

/// Words are what stands between spaces, without punctuation and in lower case; those that occur less than five times
/// are left out.
Corpus corpus_of(std::istream& in) {
  std::vector<std::string> all;
  std::map<std::string, double> count;
  for (std::string word; in >> word; ++count[word], all.push_back(word)) {
    std::erase_if(word, [](unsigned char c) { return std::ispunct(c) != 0; });
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  std::erase_if(count, [](const auto& entry) { return entry.second < 5 || entry.first.empty(); });
  Corpus out;
  for (const auto& [word, n] : count) out.words.push_back(word), out.weights.push_back(std::pow(n, 0.75));
  for (const auto& word : all)
    if (count.contains(word))
      out.text.push_back(std::lower_bound(out.words.begin(), out.words.end(), word) - out.words.begin());
  return out;
}

Tensor random_table(Index rows, Random& random) {
  Tensor t = value_or_throw(Tensor::empty(DType::kF32, {rows, kDim}));
  std::uniform_real_distribution<float> small(-0.5F / kDim, 0.5F / kDim);
  for (Index i = 0; i < t.elements(); ++i) t.as<float>()[i] = small(random);
  return t;
}

struct Model {
  Tensor words, contexts;
  Adagrad for_words{{.lr = 0.1}}, for_contexts{{.lr = 0.1}};

  /// centers [n]; targets [n, 1 + kNegatives], the true one first. Returns the loss of a pair.
  double train(const std::vector<Index>& centers, const View& targets) {
    const auto n = static_cast<Index>(centers.size());
    const Var w(torch::embedding(centers, words), true), c(torch::embedding(targets, contexts), true);
    const Var signs(tensor({1.F, -1.F, -1.F, -1.F, -1.F, -1.F}));
    const Var scores = grad::sum(grad::reshape(w, {n, 1, kDim}) * c, {.axes = Axes{2}});
    const Var loss = grad::sum(grad::log(grad::sigmoid(scores * signs))) * (-1.0 / static_cast<double>(n));
    loss.backward();
    for_words.step(words.view(), row_gradient(centers, w.grad().value(), words.shape()));
    for_contexts.step(contexts.view(), row_gradient(targets, c.grad().value(), contexts.shape()));
    return *loss.value().as<float>();
  }
};

/// One pass over the text: each word with a random one of those around it. Returns the mean loss.
double epoch(const Corpus& corpus, Model& model, Random& random) {
  std::discrete_distribution<Index> noise(corpus.weights.begin(), corpus.weights.end());
  const auto n = static_cast<Index>(corpus.text.size());
  Progress progress("words", static_cast<double>(n));
  double total = 0;
  Index batches = 0;
  for (Index begin = 0; begin + kBatch <= n; begin += kBatch) {
    std::vector<Index> centers(corpus.text.begin() + begin, corpus.text.begin() + begin + kBatch), targets;
    for (Index at = begin; at < begin + kBatch; ++at) {
      const Index away = 1 + static_cast<Index>(random() % kWindow), side = random() % 2 == 0 ? 1 : -1;
      targets.push_back(corpus.text[static_cast<std::size_t>(std::clamp(at + side * away, Index{0}, n - 1))]);
      for (Index k = 0; k < kNegatives; ++k) targets.push_back(noise(random));
    }
    total += model.train(centers, View(targets.data(), Axes{kBatch, 1 + kNegatives}));
    progress.show(static_cast<double>(begin + kBatch), total / static_cast<double>(++batches));
  }
  return total / static_cast<double>(batches);
}

/// The four words nearest to one by the angle between vectors; unit: vectors of length 1.
std::vector<Index> nearest(const Var& unit, Index word) {
  const Var one(torch::index_select(unit.value(), 0, tensor({word})));
  const Tensor scores = grad::matmul(unit, grad::reshape(one, {kDim})).value();
  const Tensor best = top_k(scores, std::min<Index>(5, scores.elements())).indices;
  return {best.as<Index>() + 1, best.as<Index>() + best.elements()};  // the first is the word itself
}

/// Prints some; returns how many neighbours are of their word's topic, which is all but its last letter.
double show(const Corpus& corpus, const Var& table) {
  const Var unit = table / grad::sqrt(grad::sum(table * table, {.axes = Axes{1}, .keepdims = true}));
  const auto topic = [&](Index w) { return corpus.words[w].substr(0, corpus.words[w].size() - 1); };
  Index same = 0, all = 0, count = table.shape()[0], step = std::max<Index>(1, count / 40);
  for (Index w = 0; w < count; w += step) {
    std::string line = corpus.words[w] + ":";
    for (const Index o : nearest(unit, w)) line += " " + corpus.words[o], same += topic(o) == topic(w), ++all;
    if (w / step % 6 == 0) std::cout << line << "\n";
  }
  return static_cast<double>(same) / static_cast<double>(all);
}

int main(int argc, char** argv) try {
  const Arguments arguments = parse(argc, argv, 3, true);
  Random random(1);
  std::ifstream file(arguments.file);
  std::istringstream generated(arguments.file.empty() ? made_up(random) : "");
  const Corpus corpus = arguments.file.empty() ? corpus_of(generated) : corpus_of(file);
  const auto length = static_cast<Index>(corpus.text.size()), count = static_cast<Index>(corpus.words.size());
  if (length < kBatch || count < 2) throw std::runtime_error("the text cannot be read or has too few words");
  std::cout << length << " words, " << count << " different" << std::endl;
  Model model{random_table(count, random), random_table(count, random)};
  for (int e = 1; e <= arguments.epochs; ++e)
    std::cout << "epoch " << e << ": loss " << epoch(corpus, model, random) << std::endl;
  const double same = show(corpus, Var(model.words));
  if (!arguments.file.empty()) return 0;
  std::cout << "neighbours of the same topic: " << std::lround(100 * same) << " %\n";
  return same > 0.9 ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << "skipgram: " << e.what() << "\n";
  return 1;
}
