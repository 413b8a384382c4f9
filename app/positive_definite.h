// Positive definite matrices, symmetric as they are: the lower triangle, row by row.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace baton::app {

inline std::size_t in_triangle(std::size_t row, std::size_t column) { return row * (row + 1) / 2 + column; }

// `a` x = `b` by Cholesky's decomposition.
inline std::vector<double> solved(std::vector<double> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      double& here = a[in_triangle(row, column)];
      for (std::size_t k = 0; k < column; ++k) here -= a[in_triangle(row, k)] * a[in_triangle(column, k)];
      here = row == column ? std::sqrt(here) : here / a[in_triangle(column, column)];
    }
  }
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = 0; k < row; ++k) b[row] -= a[in_triangle(row, k)] * b[k];
    b[row] /= a[in_triangle(row, row)];
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t k = row + 1; k < n; ++k) b[row] -= a[in_triangle(k, row)] * b[k];
    b[row] /= a[in_triangle(row, row)];
  }
  return b;
}

}  // namespace baton::app
