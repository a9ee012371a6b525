/// Search for a proof of infeasibility as a cone problem, and its refinement.
#include "solvers/methods/infeasibility.hpp"

#include <Eigen/QR>
#include <cmath>
#include <type_traits>

#include "solvers/methods/interior_point.hpp"
#include "solvers/operators/cones.hpp"

namespace scree {
namespace {

constexpr double kRankRounding = 1e-12;         ///< rounding of W [-]
constexpr double kMinProofCosine = 1e-6;        ///< smallest −q·p / |q||p| [-]
constexpr double kProofRegularisation = 1e-10;  ///< makes the smallest p unique [-]

/// Problem scaled so that the diagonal of W is one and |q| = 1; one factor per contact preserves
/// its cone.
struct Scaled {
  Vector scale;             ///< p = scale · scaled p
  SparseMatrix transposed;  ///< Wᵀ
  Vector q;

  explicit Scaled(const MatrixOperator& island)
      : scale(island.rows()), transposed(island.rows(), island.rows()) {
    island.for_each_block([&]<class Law>(const Law&, int block) {
      const int row = island.first_row(block), n = island.rows_of(block);
      if constexpr (!std::is_same_v<Law, JointRows>) {
        scale.segment(row, n).setConstant(island.diagonal(block).trace() / 3);
      } else {
        scale.segment(row, n).setZero();
        island.for_each_column(block, [&](int column, const double* value) {
          if (column >= row && column < row + n) scale[column] = value[column - row];
        });
      }
    });
    for (double& s : scale) s = 1 / std::sqrt(s > 0 ? s : island.largest_diagonal());
    std::vector<Eigen::Triplet<double>> entries;
    for (int block = 0; block < island.blocks(); ++block)
      island.for_each_column(block, [&](int column, const double* value) {
        for (int k = 0; k < island.rows_of(block); ++k) {
          const int row = island.first_row(block) + k;
          entries.emplace_back(column, row, scale[column] * value[k] * scale[row]);
        }
      });
    transposed.setFromTriplets(entries.begin(), entries.end());
    q = scale.cwiseProduct(island.q()).normalized();
  }

  bool usable() const { return scale.allFinite() && q.allFinite() && !q.isZero(0); }

  /// Search for p as a cone problem in (p, λ) with λ = 1 + q·p in a joint's row,
  ///
  ///     u = W p + q λ,   0 = −q·p + λ − 1,
  ///
  /// in which W stays sparse.
  FrictionContactProblem search(const MatrixOperator& island) const {
    const int n = island.rows();
    std::vector<Eigen::Triplet<double>> entries{{n, n, 1.0}};
    for (int i = 0; i < n; ++i) {
      for (SparseMatrix::InnerIterator entry(transposed, i); entry; ++entry) {
        const int j = static_cast<int>(entry.col());
        entries.emplace_back(i, j, entry.value() / 2);
        entries.emplace_back(j, i, entry.value() / 2);
      }
      entries.emplace_back(i, i, kProofRegularisation);
      entries.emplace_back(i, n, q[i]);
      entries.emplace_back(n, i, -q[i]);
    }
    FrictionContactProblem problem;
    problem.W.resize(n + 1, n + 1);
    problem.W.setFromTriplets(entries.begin(), entries.end());
    problem.q = -Vector::Unit(n + 1, n);
    island.for_each_run([&]<class Law>(const std::vector<Law>& laws, int) {
      // For cone complementarity all impulses of the cone can prove; for other laws, those along
      // the normal.
      if constexpr (std::is_same_v<Law, JointRows> ||
                    (is_round_cone<Law>() && !is_shifted_cone<Law>()))
        problem.laws.emplace_back(laws);
      else
        problem.laws.emplace_back(std::vector<Frictionless>(laws.size()));
    });
    problem.laws.emplace_back(std::vector<JointRows>{{1}});
    return problem;
  }
};

enum class Carriers : std::uint8_t { joints, all };

/// Directions, as columns, in which the blocks that carry p can change within their cones.
Eigen::MatrixXd feasible_directions(const MatrixOperator& search, const Vector& p,
                                    Carriers carriers) {
  const double negligible = kMinProofCosine * p.lpNorm<Eigen::Infinity>();
  std::vector<std::pair<int, Vec3>> directions;  // first row
  search.for_each_block([&]<class Law>(const Law& law, int block) {
    const int row = search.first_row(block);
    if constexpr (std::is_same_v<Law, JointRows>) {
      if (row >= p.size()) return;
      for (int k = 0; k < law.rows; ++k) directions.emplace_back(row + k, Vec3{1, 0, 0});
    } else if (carriers == Carriers::all && p[row] > negligible) {
      const Vec3 x = MatrixOperator::at(p, row);
      bool inside = false;
      if constexpr (is_round_cone<Law>()) inside = law.mu * x.x - tangential_norm(x) > negligible;
      directions.emplace_back(row, inside ? Vec3{1, 0, 0} : x / norm(x));
      if (!inside) return;
      directions.emplace_back(row, Vec3{0, 1, 0});
      directions.emplace_back(row, Vec3{0, 0, 1});
    }
  });
  Eigen::MatrixXd columns =
      Eigen::MatrixXd::Zero(p.size(), static_cast<Eigen::Index>(directions.size()));
  for (std::size_t j = 0; j < directions.size(); ++j)
    for (int k = 0; k < 3; ++k)
      if (const double d = directions[j].second[k]; d != 0)
        columns(directions[j].first + k, static_cast<Eigen::Index>(j)) = d;
  return columns;
}

/// p of the search's x without the remainder of Wᵀp, by least squares over its carriers.
Vector refined(const MatrixOperator& search, const Scaled& scaled, Vector x, Carriers carriers) {
  const Eigen::Index n = x.size() - 1;
  Vector p = x.head(n);
  const Eigen::MatrixXd columns = feasible_directions(search, p, carriers);
  if (columns.cols() == 0) return Vector::Zero(n);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(kRankRounding);
  decomposition.compute(scaled.transposed * columns);
  p = columns * (columns.transpose() * p);
  p -= columns * decomposition.solve(scaled.transposed * p);
  x.head(n) = p;
  project_on_cones(search, x);
  return x.head(n);
}

/// True if Wᵀp is zero to rounding and q·p is clearly negative: it is near −1 unless p is rounding.
bool proves(const Scaled& scaled, const Vector& p) {
  const double remainder = (scaled.transposed * p).norm(),
               size = (scaled.transposed.cwiseAbs() * p.cwiseAbs()).norm();
  return remainder <= kRankRounding * size &&
         -scaled.q.dot(p) >= std::max(0.5, kMinProofCosine * p.norm());
}

}  // namespace

std::optional<Vector> find_infeasibility(const MatrixOperator& island, const Limits& limits) {
  if (island.blocks() > kMaxBlocksToProve || !are_unilateral(island)) return std::nullopt;
  const Scaled scaled(island);
  if (!scaled.usable()) return std::nullopt;
  const FrictionContactProblem problem = scaled.search(island);
  const MatrixOperator search(problem);
  Vector x = Vector::Zero(search.rows());
  Progress progress(search, 1e-8, limits, x);
  interior_point({.max_iterations = 60}, x, progress);

  constexpr double kMaxProofMisfit = 1e-3;  // of q·p = −1 [-]
  if (!(1 + scaled.q.dot(x.head(island.rows())) < kMaxProofMisfit)) return std::nullopt;
  // Try joints alone first: if they contradict each other, contacts do not belong to the proof.
  for (const Carriers carriers : {Carriers::joints, Carriers::all}) {
    const Vector p = refined(search, scaled, x, carriers);
    if (!proves(scaled, p)) continue;
    const Vector proof = scaled.scale.cwiseProduct(p);
    return proof / -island.q().dot(proof);
  }
  return std::nullopt;
}

}  // namespace scree
