// Sparse matrices by rows, and products of them with many right-hand sides at once: internal to the biharmonic solver.
//
// Right-hand sides are the rows of a row-major matrix, one column per handle, so that one pass over the sparse matrix
// serves all handles and the inner loop runs over contiguous numbers. Every row is computed by one thread in a fixed
// order: the same bits at any thread count.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

template <typename Scalar>
using ColumnsOf = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  // one row per point
using Columns = ColumnsOf<double>;
// Single precision is enough wherever a step only has to point in the right direction, and twice as fast.
using SingleColumns = ColumnsOf<float>;

struct SparseRows {
  std::size_t column_count = 0;
  std::vector<std::size_t> offsets{0};  // rows + 1
  std::vector<std::uint32_t> columns;   // sorted within a row
  std::vector<double> values;
  std::vector<float> single;  // the values again, after add_single(); for products with SingleColumns

  std::size_t row_count() const { return offsets.size() - 1; }
  std::size_t row_size(std::size_t row) const { return offsets[row + 1] - offsets[row]; }
};

// Lists of indices by row: a sparse matrix without values.
struct IndexRows {
  std::vector<std::size_t> offsets{0};
  std::vector<std::uint32_t> indices;

  std::size_t row_count() const { return offsets.size() - 1; }
  std::span<const std::uint32_t> row(std::size_t i) const {
    return {indices.data() + offsets[i], offsets[i + 1] - offsets[i]};
  }
};

IndexRows to_index_rows(const std::vector<std::vector<std::uint32_t>>& lists);

SparseRows transpose(const SparseRows& a);
SparseRows multiply(const SparseRows& a, const SparseRows& b);
void add_single(SparseRows& a);
// result = a * x
void multiply(const SparseRows& a, const Columns& x, Columns& result);
// The same for some rows of `a` (those with rows[i] != 0) alone; the others of the result are zero.
void multiply(const SparseRows& a, const std::vector<char>& rows, const Columns& x, Columns& result);
void multiply(const SparseRows& a, const std::vector<char>& rows, const SingleColumns& x, SingleColumns& result);
// sum += (row of a) * x, where `sum` has one entry per column of x
void add_row_times(const SparseRows& a, std::size_t row, const Columns& x, double* sum);
void add_row_times(const SparseRows& a, std::size_t row, const SingleColumns& x, float* sum);
std::vector<double> diagonal_of(const SparseRows& a);

// Σ of all products of entries; the same bits at any thread count.
double dot(const Columns& a, const Columns& b);
double dot(const SingleColumns& a, const SingleColumns& b);

// A fixed partition of the rows into runs, and an order in which runs of one colour do not touch each other's rows:
// Gauss-Seidel sweeps that give the same result at any thread count.
struct SweepOrder {
  std::size_t run_length = 0;
  std::vector<std::vector<std::uint32_t>> colours;  // runs, each covering [run * run_length, (run + 1) * run_length)
};
SweepOrder sweep_order(const SparseRows& a, std::size_t run_length = 64);

}  // namespace sinew
