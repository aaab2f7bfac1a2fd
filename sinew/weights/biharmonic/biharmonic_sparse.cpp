#include "sinew/weights/biharmonic/biharmonic_sparse.h"

#include <algorithm>

#include "sinew/base/multiversion.h"
#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t rows_per_block = 128;

// `width` neighbouring sums at a time stay in registers while the row is walked once.
template <int width, typename Scalar>
[[gnu::always_inline]] inline void add_stripe(const Scalar* values, const std::uint32_t* columns, std::size_t count,
                                              const Scalar* x, std::size_t stride, Scalar* sum) {
  Scalar kept[width];
  for (int k = 0; k < width; ++k) kept[k] = sum[k];
  for (std::size_t j = 0; j < count; ++j) {
    const Scalar value = values[j];
    const Scalar* from = x + columns[j] * stride;
    for (int k = 0; k < width; ++k) kept[k] += value * from[k];
  }
  for (int k = 0; k < width; ++k) sum[k] = kept[k];
}

SINEW_MULTIVERSION void add_row(const double* values, const std::uint32_t* columns, std::size_t count, const double* x,
                                std::size_t stride, double* sum) {
  std::size_t k = 0;
  for (; k + 16 <= stride; k += 16) add_stripe<16>(values, columns, count, x + k, stride, sum + k);
  for (; k + 4 <= stride; k += 4) add_stripe<4>(values, columns, count, x + k, stride, sum + k);
  for (; k < stride; ++k) add_stripe<1>(values, columns, count, x + k, stride, sum + k);
}

SINEW_MULTIVERSION void add_row(const float* values, const std::uint32_t* columns, std::size_t count, const float* x,
                                std::size_t stride, float* sum) {
  std::size_t k = 0;
  for (; k + 32 <= stride; k += 32) add_stripe<32>(values, columns, count, x + k, stride, sum + k);
  for (; k + 8 <= stride; k += 8) add_stripe<8>(values, columns, count, x + k, stride, sum + k);
  for (; k + 4 <= stride; k += 4) add_stripe<4>(values, columns, count, x + k, stride, sum + k);
  for (; k < stride; ++k) add_stripe<1>(values, columns, count, x + k, stride, sum + k);
}

}  // namespace

IndexRows to_index_rows(const std::vector<std::vector<std::uint32_t>>& lists) {
  IndexRows rows;
  rows.offsets.reserve(lists.size() + 1);
  for (const auto& list : lists) rows.offsets.push_back(rows.offsets.back() + list.size());
  rows.indices.reserve(rows.offsets.back());
  for (const auto& list : lists) rows.indices.insert(rows.indices.end(), list.begin(), list.end());
  return rows;
}

SparseRows transpose(const SparseRows& a) {
  SparseRows t;
  t.column_count = a.row_count();
  t.offsets.assign(a.column_count + 1, 0);
  for (std::uint32_t column : a.columns) ++t.offsets[column + 1];
  for (std::size_t i = 0; i < a.column_count; ++i) t.offsets[i + 1] += t.offsets[i];
  t.columns.resize(a.columns.size());
  t.values.resize(a.values.size());
  std::vector<std::size_t> next(t.offsets.begin(), t.offsets.end() - 1);
  for (std::size_t row = 0; row < a.row_count(); ++row) {
    for (std::size_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      const std::size_t slot = next[a.columns[k]]++;
      t.columns[slot] = static_cast<std::uint32_t>(row);
      t.values[slot] = a.values[k];
    }
  }
  return t;
}

SparseRows multiply(const SparseRows& a, const SparseRows& b) {
  struct Block {
    std::vector<std::size_t> sizes;
    std::vector<std::uint32_t> columns;
    std::vector<double> values;
  };
  std::vector<Block> blocks((a.row_count() + rows_per_block - 1) / rows_per_block);
  parallel_for(a.row_count(), rows_per_block, [&](std::size_t begin, std::size_t end) {
    Block& block = blocks[begin / rows_per_block];
    std::vector<double> sums(b.column_count, 0.0);
    std::vector<bool> used(b.column_count, false);
    std::vector<std::uint32_t> row_columns;
    for (std::size_t row = begin; row < end; ++row) {
      row_columns.clear();
      for (std::size_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
        const std::size_t middle = a.columns[k];
        for (std::size_t m = b.offsets[middle]; m < b.offsets[middle + 1]; ++m) {
          const std::uint32_t column = b.columns[m];
          if (!used[column]) {
            used[column] = true;
            row_columns.push_back(column);
          }
          sums[column] += a.values[k] * b.values[m];
        }
      }
      std::sort(row_columns.begin(), row_columns.end());
      block.sizes.push_back(row_columns.size());
      for (std::uint32_t column : row_columns) {
        block.columns.push_back(column);
        block.values.push_back(sums[column]);
        sums[column] = 0.0;
        used[column] = false;
      }
    }
  });
  SparseRows result;
  result.column_count = b.column_count;
  for (const Block& block : blocks) {
    for (std::size_t size : block.sizes) result.offsets.push_back(result.offsets.back() + size);
    result.columns.insert(result.columns.end(), block.columns.begin(), block.columns.end());
    result.values.insert(result.values.end(), block.values.begin(), block.values.end());
  }
  return result;
}

void add_single(SparseRows& a) { a.single.assign(a.values.begin(), a.values.end()); }

void add_row_times(const SparseRows& a, std::size_t row, const Columns& x, double* sum) {
  const std::size_t first = a.offsets[row];
  add_row(a.values.data() + first, a.columns.data() + first, a.row_size(row), x.data(),
          static_cast<std::size_t>(x.cols()), sum);
}

void add_row_times(const SparseRows& a, std::size_t row, const SingleColumns& x, float* sum) {
  const std::size_t first = a.offsets[row];
  add_row(a.single.data() + first, a.columns.data() + first, a.row_size(row), x.data(),
          static_cast<std::size_t>(x.cols()), sum);
}

namespace {

template <typename Scalar>
void multiply_rows(const SparseRows& a, const std::vector<char>* rows, const ColumnsOf<Scalar>& x,
                   ColumnsOf<Scalar>& result) {
  result.setZero(static_cast<Eigen::Index>(a.row_count()), x.cols());
  parallel_for(a.row_count(), rows_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      if (!rows || (*rows)[row]) add_row_times(a, row, x, result.data() + row * result.cols());
    }
  });
}

}  // namespace

void multiply(const SparseRows& a, const Columns& x, Columns& result) { multiply_rows(a, nullptr, x, result); }
void multiply(const SparseRows& a, const std::vector<char>& rows, const Columns& x, Columns& result) {
  multiply_rows(a, &rows, x, result);
}
void multiply(const SparseRows& a, const std::vector<char>& rows, const SingleColumns& x, SingleColumns& result) {
  multiply_rows(a, &rows, x, result);
}

std::vector<double> diagonal_of(const SparseRows& a) {
  std::vector<double> diagonal(a.row_count(), 0.0);
  for (std::size_t row = 0; row < a.row_count(); ++row) {
    for (std::size_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      if (a.columns[k] == row) diagonal[row] = a.values[k];
    }
  }
  return diagonal;
}

namespace {

template <typename Scalar>
double dot_of(const ColumnsOf<Scalar>& a, const ColumnsOf<Scalar>& b) {
  return parallel_sum(static_cast<std::size_t>(a.size()), 1 << 14, [&](std::size_t begin, std::size_t end) {
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i) sum += static_cast<double>(a.data()[i]) * b.data()[i];
    return sum;
  });
}

}  // namespace

double dot(const Columns& a, const Columns& b) { return dot_of(a, b); }
double dot(const SingleColumns& a, const SingleColumns& b) { return dot_of(a, b); }

SweepOrder sweep_order(const SparseRows& a, std::size_t run_length) {
  SweepOrder order;
  order.run_length = run_length;
  const std::size_t runs = (a.row_count() + run_length - 1) / run_length;
  std::vector<std::vector<std::uint32_t>> touched(runs);
  parallel_for(runs, 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t run = begin; run < end; ++run) {
      std::vector<std::uint32_t>& list = touched[run];
      const std::size_t last = std::min(a.row_count(), (run + 1) * run_length);
      for (std::size_t k = a.offsets[run * run_length]; k < a.offsets[last]; ++k) {
        list.push_back(static_cast<std::uint32_t>(a.columns[k] / run_length));
      }
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  });
  std::vector<int> colour(runs, -1);
  for (std::uint32_t run = 0; run < runs; ++run) {
    std::vector<bool> taken(order.colours.size() + 1, false);
    for (std::uint32_t other : touched[run]) {
      if (colour[other] >= 0) taken[colour[other]] = true;
    }
    colour[run] = static_cast<int>(std::find(taken.begin(), taken.end(), false) - taken.begin());
    if (colour[run] == static_cast<int>(order.colours.size())) order.colours.emplace_back();
    order.colours[colour[run]].push_back(run);
  }
  return order;
}

}  // namespace sinew
