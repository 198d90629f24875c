// The one integer type for extents, strides and positions, and lists of it.
#pragma once
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

namespace garner {

using Index = std::int64_t;  // every extent, stride and position; never int

/// One entry per axis: a std::vector<Index> as far as anybody can tell, with room for the usual ranks inside. A view
/// has two of them, and a small call spent a third of its time asking for their memory.
class Axes {
 public:
  using value_type = Index;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = Index&;
  using const_reference = const Index&;
  using pointer = Index*;
  using const_pointer = const Index*;
  using iterator = Index*;
  using const_iterator = const Index*;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  static constexpr size_type kInside = 5;  // with these, a list is one line of the cache

  Axes() = default;
  explicit Axes(size_type count, Index value = 0) { assign(count, value); }
  Axes(std::initializer_list<Index> values) { append(values.begin(), values.size()); }
  // NOLINTNEXTLINE(google-explicit-constructor)
  Axes(const std::vector<Index>& values) { append(values.data(), values.size()); }
  template <std::forward_iterator I>
  Axes(I first, I last) {
    insert(end(), first, last);
  }
  Axes(const Axes& other) { copy(other); }
  Axes(Axes&& other) noexcept { take(other); }
  Axes& operator=(const Axes& other) {
    if (this == &other) return *this;
    clear();
    copy(other);
    return *this;
  }
  Axes& operator=(Axes&& other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
  }
  ~Axes() { release(); }

  operator std::vector<Index>() const { return {begin(), end()}; }  // NOLINT(google-explicit-constructor)

  size_type size() const { return size_; }
  bool empty() const { return size_ == 0; }
  size_type capacity() const { return capacity_; }
  Index* data() { return data_; }
  const Index* data() const { return data_; }
  iterator begin() { return data_; }
  iterator end() { return data_ + size_; }
  const_iterator begin() const { return data_; }
  const_iterator end() const { return data_ + size_; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  Index& operator[](size_type k) { return data_[k]; }
  const Index& operator[](size_type k) const { return data_[k]; }
  /// std::out_of_range where there is no such axis.
  Index& at(size_type k) { return check(k), data_[k]; }
  const Index& at(size_type k) const { return check(k), data_[k]; }
  Index& front() { return data_[0]; }
  const Index& front() const { return data_[0]; }
  Index& back() { return data_[size_ - 1]; }
  const Index& back() const { return data_[size_ - 1]; }

  void clear() { size_ = 0; }
  void reserve(size_type count) {
    if (count > capacity_) move_to(count);
  }
  void resize(size_type count, Index value = 0) {
    make_room(count);
    if (count > size_) std::fill(data_ + size_, data_ + count, value);
    size_ = count;
  }
  void assign(size_type count, Index value) {
    clear();
    resize(count, value);
  }
  template <std::forward_iterator I>
  void assign(I first, I last) {
    *this = Axes(first, last);  // they may be its own
  }
  void push_back(Index value) {  // by value: it may be its own
    make_room(size_ + 1);
    data_[size_++] = value;
  }
  Index& emplace_back(Index value) { return push_back(value), back(); }
  void pop_back() { --size_; }

  iterator insert(const_iterator at, Index value) { return insert(at, size_type{1}, value); }
  iterator insert(const_iterator at, size_type count, Index value) {
    const iterator from = open(at, count);
    std::fill_n(from, count, value);
    return from;
  }
  template <std::forward_iterator I>
  iterator insert(const_iterator at, I first, I last) {
    const iterator from = open(at, static_cast<size_type>(std::distance(first, last)));
    std::copy(first, last, from);
    return from;
  }
  iterator insert(const_iterator at, std::initializer_list<Index> values) {
    return insert(at, values.begin(), values.end());
  }
  iterator erase(const_iterator at) { return erase(at, at + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    const iterator from = begin() + (first - begin());
    std::copy(last, const_iterator(end()), from);
    size_ -= static_cast<size_type>(last - first);
    return from;
  }

  friend bool operator==(const Axes& a, const Axes& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
  friend std::strong_ordering operator<=>(const Axes& a, const Axes& b) {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
  }
  friend void swap(Axes& a, Axes& b) noexcept { std::swap<Axes>(a, b); }

 private:
  void check(size_type k) const {
    if (k >= size_) throw std::out_of_range("Axes::at: no such axis");
  }
  bool is_inside() const { return data_ == inside_; }
  void release() {
    if (!is_inside()) delete[] data_;
  }
  void make_room(size_type count) {
    if (count > capacity_) move_to(std::max(count, 2 * capacity_));
  }
  void move_to(size_type capacity) {
    auto* const larger = new Index[capacity];
    std::copy(begin(), end(), larger);
    release();
    data_ = larger;
    capacity_ = capacity;
  }
  void append(const Index* values, size_type count) {
    make_room(size_ + count);
    std::copy_n(values, count, end());
    size_ += count;
  }
  /// Into an empty one. All that is inside at once: five moves are fewer than a loop.
  void copy(const Axes& other) {
    if (!other.is_inside()) return append(other.data_, other.size_);
    std::copy_n(other.inside_, kInside, data_);
    size_ = other.size_;
  }
  /// Leaves the other empty.
  void take(Axes& other) {
    if (other.is_inside()) {
      data_ = inside_;
      capacity_ = kInside;
      std::copy_n(other.inside_, kInside, inside_);
    } else {
      data_ = std::exchange(other.data_, other.inside_);
      capacity_ = std::exchange(other.capacity_, kInside);
    }
    size_ = std::exchange(other.size_, 0);
  }
  /// Room for so many before `at`.
  iterator open(const_iterator at, size_type count) {
    const auto position = at - begin();
    make_room(size_ + count);
    const iterator from = begin() + position;
    std::copy_backward(from, end(), end() + count);
    size_ += count;
    return from;
  }

  Index* data_ = inside_;
  size_type size_ = 0, capacity_ = kInside;
  Index inside_[kInside] = {};
};

}  // namespace garner
