// Problem files in FCLIB's layout, against dense formulas and files written here number by number.
#include "scree/io/fclib.hpp"

#include <Eigen/Dense>
#include <functional>
#include <gtest/gtest.h>

#include "io/hdf5.hpp"
#include "scree/core/error.hpp"
#include "scree/math/random.hpp"
#include "unit/io/io_fixture.hpp"

namespace scree {
namespace {

using Eigen::MatrixXd;

MatrixXd random_matrix(int rows, int columns, RandomStream& random) {
  MatrixXd matrix(rows, columns);
  for (double& value : matrix.reshaped()) value = random.uniform(-1, 1);
  return matrix;
}

MatrixXd random_positive_definite(int size, RandomStream& random) {
  const MatrixXd root = random_matrix(size, size, random);
  return root * root.transpose() + MatrixXd::Identity(size, size);
}

/// Bodies of three degrees of freedom each.
MatrixXd random_mass(int bodies, RandomStream& random) {
  MatrixXd mass = MatrixXd::Zero(3 * bodies, 3 * bodies);
  for (int b = 0; b < bodies; ++b)
    mass.block(3 * b, 3 * b, 3, 3) = random_positive_definite(3, random);
  return mass;
}

enum class Storage { triplets, triplets_in_two_parts, columns, rows };

/// Writes problem files, in which a test can then put something wrong.
struct Sketch {
  explicit Sketch(std::filesystem::path path) : file(std::move(path)) {}

  template <class T = double>
  void numbers(const std::string& place, std::vector<T> values) {
    file.remove(place);
    file.dataset(place, values.data(), values.size());
  }
  void numbers(const std::string& place, const Vector& values) {
    numbers(place, std::vector<double>(values.begin(), values.end()));
  }

  template <class Integer = std::int32_t, class Real = double>
  void matrix(const std::string& place, const MatrixXd& dense, Storage storage = Storage::rows) {
    std::vector<Integer> p, i;
    std::vector<Real> x;
    const bool by_rows = storage == Storage::rows;
    const auto lines = static_cast<Integer>(by_rows ? dense.rows() : dense.cols());
    for (Integer line = 0; line < lines; ++line) {
      if (storage == Storage::rows || storage == Storage::columns)
        p.push_back(static_cast<Integer>(x.size()));
      for (Integer other = 0; other < (by_rows ? dense.cols() : dense.rows()); ++other) {
        const double value = by_rows ? dense(line, other) : dense(other, line);
        if (value == 0) continue;
        for (int part = 0; part < (storage == Storage::triplets_in_two_parts ? 2 : 1); ++part) {
          if (storage == Storage::triplets || storage == Storage::triplets_in_two_parts)
            p.push_back(line);
          i.push_back(other);
          x.push_back(
              static_cast<Real>(storage == Storage::triplets_in_two_parts ? value / 2 : value));
        }
      }
    }
    const auto count = static_cast<Integer>(x.size());
    if (storage == Storage::rows || storage == Storage::columns) p.push_back(count);
    file.group(place);
    numbers<Integer>(place + "/m", {static_cast<Integer>(dense.rows())});
    numbers<Integer>(place + "/n", {static_cast<Integer>(dense.cols())});
    numbers<Integer>(place + "/nz", {by_rows ? -2 : storage == Storage::columns ? -1 : count});
    numbers(place + "/p", p), numbers(place + "/i", i), numbers(place + "/x", x);
  }

  void local(const MatrixXd& W, const Vector& q, const Vector& mu,
             Storage storage = Storage::rows) {
    file.group("/fclib_local"), file.group("/fclib_local/vectors");
    numbers<std::int32_t>("/fclib_local/spacedim", {3});
    matrix("/fclib_local/W", W, storage);
    numbers("/fclib_local/vectors/q", q);
    numbers("/fclib_local/vectors/mu", mu);
  }

  void global(const MatrixXd& M, const MatrixXd& H, const Vector& f, const Vector& w,
              const Vector& mu) {
    file.group("/fclib_global"), file.group("/fclib_global/vectors");
    numbers<std::int32_t>("/fclib_global/spacedim", {3});
    matrix("/fclib_global/M", M, Storage::triplets);
    matrix("/fclib_global/H", H, Storage::columns);
    numbers("/fclib_global/vectors/f", f);
    numbers("/fclib_global/vectors/w", w);
    numbers("/fclib_global/vectors/mu", mu);
  }

  hdf5::Writer file;
};

class FclibFiles : public InDirectory {
 protected:
  std::filesystem::path path = directory / "problem.hdf5";
  RandomStream random{7, 0};
  const Vector mu{{0.3, 0.0}};
  const MatrixXd W = random_positive_definite(6, random);
  const Vector q = random_matrix(6, 1, random);

  /// Reads and reduces what a test wrote.
  FrictionContactProblem problem(LawKind kind = LawKind::coulomb) const {
    return delassus_problem(read_fclib(path), kind);
  }
  std::string complaint() const {
    try {
      problem();
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }
};

TEST_F(FclibFiles, HoldTheSameProblemHoweverTheMatrixIsStored) {
  for (const Storage storage :
       {Storage::triplets, Storage::triplets_in_two_parts, Storage::columns, Storage::rows}) {
    Sketch sketch(path);
    sketch.local(W, q, mu, storage);
    sketch.file.finish();
    const FrictionContactProblem read = problem();
    EXPECT_EQ(MatrixXd(read.W), W) << "storage " << static_cast<int>(storage);
    EXPECT_EQ(read.q, q);
    ASSERT_EQ(read.laws.size(), 1U);
    EXPECT_EQ(std::get<std::vector<Coulomb>>(read.laws[0]), (std::vector<Coulomb>{{0.3}, {0.0}}));
  }
}

TEST_F(FclibFiles, MayStoreTheirNumbersInOtherTypes) {
  const MatrixXd whole = (8 * W).array().round();
  Sketch sketch(path);
  sketch.local(whole, q, mu);
  sketch.file.remove("/fclib_local/W");
  sketch.matrix<std::int64_t, std::uint16_t>("/fclib_local/W", whole.cwiseAbs());
  sketch.numbers<std::int64_t>("/fclib_local/vectors/mu", {1, 0});
  sketch.numbers<double>("/fclib_local/spacedim", {3.0});
  sketch.file.finish();
  EXPECT_EQ(MatrixXd(problem().W), whole.cwiseAbs());
  EXPECT_EQ(read_fclib(path).mu, (Vector{{1, 0}}));
}

TEST_F(FclibFiles, GiveTheLawThatIsAskedFor) {
  Sketch sketch(path);
  sketch.local(W, q, mu);
  sketch.file.finish();
  for (const LawKind kind : kRigidLawKinds)
    std::visit(
        [&]<class Law>(const Law&) {
          const FrictionContactProblem read = problem(kind);
          ASSERT_EQ(read.laws.size(), 1U);
          EXPECT_TRUE(std::holds_alternative<std::vector<Law>>(read.laws[0])) << name(kind);
        },
        law_of({.kind = kind}));
}

TEST_F(FclibFiles, OfAGlobalProblemGiveItsDelassusOperator) {
  MatrixXd M = random_mass(3, random);
  // gyroscopic
  M.block(0, 0, 3, 3) += 0.5 * (MatrixXd(3, 3) << 0, 1, -2, -1, 0, 3, 2, -3, 0).finished();
  MatrixXd H = random_matrix(9, 6, random);
  H.block(6, 0, 3, 3).setZero();  // the first contact does not touch the third body
  const Vector f = random_matrix(9, 1, random), w = random_matrix(6, 1, random);
  Sketch sketch(path);
  sketch.global(M, H, f, w, mu);
  sketch.file.finish();
  const FrictionContactProblem read = problem();
  const MatrixXd inverse = M.inverse();
  EXPECT_LE((MatrixXd(read.W) - H.transpose() * inverse * H).norm(), 1e-13);
  EXPECT_LE((read.q - H.transpose() * inverse * f - w).norm(), 1e-13);
}

TEST_F(FclibFiles, AreUnderstoodIfTheyStoreOneTriangleOfTheMassMatrix) {
  const MatrixXd M = random_mass(2, random), H = random_matrix(6, 6, random);
  const Vector f = random_matrix(6, 1, random), w = random_matrix(6, 1, random);
  for (const bool upper : {false, true}) {
    Sketch sketch(path);
    sketch.global(upper ? MatrixXd(M.triangularView<Eigen::Upper>())
                        : MatrixXd(M.triangularView<Eigen::Lower>()),
                  H, f, w, mu);
    sketch.file.finish();
    EXPECT_LE((MatrixXd(problem().W) - H.transpose() * M.inverse() * H).norm(), 1e-13);
  }
}

TEST_F(FclibFiles, HaveJointsAfterTheContacts) {
  const MatrixXd M = random_mass(3, random), H = random_matrix(9, 6, random),
                 G = random_matrix(9, 2, random);
  const Vector f = random_matrix(9, 1, random), w = random_matrix(6, 1, random),
               b = random_matrix(2, 1, random);
  Sketch sketch(path);
  sketch.global(M, H, f, w, mu);
  sketch.matrix("/fclib_global/G", G);
  sketch.numbers("/fclib_global/vectors/b", b);
  sketch.file.finish();
  MatrixXd both(9, 8);
  both << H, G;
  Vector shift(8);
  shift << w, b;
  const FrictionContactProblem read = problem();
  EXPECT_LE((MatrixXd(read.W) - both.transpose() * M.inverse() * both).norm(), 1e-13);
  EXPECT_LE((read.q - both.transpose() * M.inverse() * f - shift).norm(), 1e-13);
  ASSERT_EQ(read.laws.size(), 2U);
  const auto& joints = std::get<std::vector<JointRows>>(read.laws[1]);
  ASSERT_EQ(joints.size(), 2U);
  EXPECT_EQ(joints[0].rows + joints[1].rows, 2);
}

TEST_F(FclibFiles, WrittenHereAreReadBackToTheSameBits) {
  // Contacts, joints and contacts again: in the file, joints stand apart.
  const MatrixXd all = random_positive_definite(12, random);
  FrictionContactProblem written{all.sparseView(), random_matrix(12, 1, random), {}};
  written.laws = {std::vector<MaxDissipation>{{0.25}}, std::vector<JointRows>{{2}, {1}},
                  std::vector<Coulomb>{{0.5}}, std::vector<Frictionless>{{}}};
  write_fclib(path, written, "a title", "what it is");
  const FclibFile file = read_fclib(path);
  EXPECT_EQ(file.title, "a title");
  EXPECT_EQ(file.description, "what it is");
  EXPECT_EQ(file.math_info, "");
  EXPECT_EQ(file.mu, (Vector{{0.25, 0.5, 0}}));
  const std::vector<int> order{0, 1, 2, 6, 7, 8, 9, 10, 11, 3, 4, 5};
  const FrictionContactProblem read = problem();
  EXPECT_EQ(MatrixXd(read.W), MatrixXd(all(order, order)));
  EXPECT_EQ(read.q, Vector(written.q(order)));
}

TEST_F(FclibFiles, OfOthersAreReadWithTheirDescription) {
  const FclibFile rover = read_fclib(SCREE_TEST_DATA "/fclib/Rover3865.hdf5");
  EXPECT_EQ(rover.title, "Rover3865");
  EXPECT_EQ(rover.mu, Vector::Constant(5, 0.7));
  const auto& equations = std::get<FclibLocal>(rover.equations);
  EXPECT_EQ(equations.W.nonZeros(), 225);
  EXPECT_EQ(equations.V.cols(), 0);
  const FclibFile global =
      read_fclib(SCREE_TEST_DATA "/fclib/LMGC_GlobalFrictionContactProblem00046.hdf5");
  EXPECT_EQ(std::get<FclibGlobal>(global.equations).H.rows(), 162);
  EXPECT_EQ(delassus_problem(global, LawKind::coulomb).q.size(), 27);
}

TEST_F(FclibFiles, TakeASolutionBesideTheirProblem) {
  const std::filesystem::path source =
      SCREE_TEST_DATA "/fclib/LMGC_GlobalFrictionContactProblem00046.hdf5";
  const FclibFile file = read_fclib(source);
  const Vector r = random_matrix(27, 1, random), u = random_matrix(27, 1, random);
  write_fclib_solution(file, r, u, path);
  // replaces the other one, and its own file
  write_fclib_solution(read_fclib(path), 2 * r, u, path);

  const FclibFile again = read_fclib(path);
  const auto &before = std::get<FclibGlobal>(file.equations),
             &after = std::get<FclibGlobal>(again.equations);
  EXPECT_EQ((before.M - after.M).norm(), 0);
  EXPECT_EQ(before.f, after.f);
  const hdf5::Reader solution(path, "solution");
  const std::vector<double> v = solution.numbers("/solution/v"),
                            r_read = solution.numbers("/solution/r"),
                            u_read = solution.numbers("/solution/u");
  EXPECT_EQ(Vector(2 * r), Eigen::Map<const Vector>(r_read.data(), 27));
  EXPECT_EQ(u, Eigen::Map<const Vector>(u_read.data(), 27));
  EXPECT_FALSE(solution.has("/solution/l"));
  ASSERT_EQ(v.size(), 162U);
  const Vector defect =
      after.M * Eigen::Map<const Vector>(v.data(), 162) - after.H * (2 * r) - after.f;
  EXPECT_LE(defect.norm(), 1e-12 * (after.H * (2 * r) + after.f).norm());
}

TEST_F(FclibFiles, TakeTheImpulsesOfJointsApart) {
  FrictionContactProblem written{
      MatrixXd(random_positive_definite(5, random)).sparseView(), random_matrix(5, 1, random), {}};
  written.laws = {std::vector<Coulomb>{{0.5}}, std::vector<JointRows>{{2}}};
  write_fclib(path, written, "", "");
  const Vector r = random_matrix(5, 1, random), u = random_matrix(5, 1, random);
  write_fclib_solution(read_fclib(path), r, u, directory / "solved.hdf5");
  const hdf5::Reader solution(directory / "solved.hdf5", "solution");
  EXPECT_EQ(solution.numbers("/solution/r"), std::vector<double>(r.begin(), r.begin() + 3));
  EXPECT_EQ(solution.numbers("/solution/u"), std::vector<double>(u.begin(), u.begin() + 3));
  EXPECT_EQ(solution.numbers("/solution/l"), std::vector<double>(r.begin() + 3, r.end()));
  EXPECT_FALSE(solution.has("/solution/v"));
}

TEST_F(FclibFiles, AreRefusedWithThePlaceAndWhatToDo) {
  struct Case {
    std::string name;
    std::function<void(Sketch&)> spoil;
    std::string complaint;
  };
  const auto put = []<class T>(const std::string& place, const std::vector<T>& values) {
    return [=](Sketch& s) { s.numbers("/fclib_local/" + place, values); };
  };
  const auto drop = [](const std::string& place) {
    return [=](Sketch& s) { s.file.remove(place); };
  };
  using Integers = std::vector<std::int32_t>;
  using Reals = std::vector<double>;
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const Case cases[] = {
      {"no group", drop("/fclib_local"), "neither a group /fclib_local nor /fclib_global"},
      {"two problems", [](Sketch& s) { s.file.group("/fclib_global"); },
       "a file holds one problem"},
      {"no matrix", drop("/fclib_local/W"), "it lacks /fclib_local/W/m"},
      {"no indices", drop("/fclib_local/W/p"), "it lacks /fclib_local/W/p"},
      {"a group for a dataset",
       [](Sketch& s) { s.file.remove("/fclib_local/W/p"), s.file.group("/fclib_local/W/p"); },
       "/fclib_local/W/p"},
      {"text",
       [](Sketch& s) { s.file.remove("/fclib_local/W/x"), s.file.text("/fclib_local/W/x", "ten"); },
       "does not hold numbers"},
      {"the plane", put("spacedim", Integers{2}),
       "/fclib_local/spacedim: is 2; give each contact a second tangent"},
      {"two dimensions", put("spacedim", Integers{3, 3}),
       "/fclib_local/spacedim: has 2 numbers; one is needed"},
      {"more friction", put("vectors/mu", Reals{0.1, 0.2, 0.3}),
       "/fclib_local/vectors/q: has 6 numbers; three for each coefficient"},
      {"negative friction", put("vectors/mu", Reals{0.1, -0.2}),
       "/fclib_local/vectors/mu: -0.2 at 1, counted from 0; a friction"},
      {"nan", put("vectors/q", Reals{0, 1, 2, nan, 4, 5}), "/fclib_local/vectors/q: nan at 3"},
      {"infinity in W", put("W/x", Reals(36, infinity)), "/fclib_local/W/x: inf at 0"},
      {"another size", put("W/m", Integers{7}),
       "/fclib_local/W: is 7 × 6, but the vectors need 6 × 6"},
      {"a huge size", put("W/n", Integers{2147483647}), "is 6 × 2147483647"},
      {"a negative size", put("W/n", Integers{-6}), "is 6 × -6"},
      {"half a row", put("W/m", Reals{6.5}),
       "/fclib_local/W/m: 6.5 at 0, counted from 0; an integer"},
      {"unknown storage", put("W/nz", Integers{-3}),
       "/fclib_local/W/nz: -3 is not a storage format; write -2"},
      {"more triplets than there are", put("W/nz", Integers{1000000000}),
       "has 36 numbers, and 1000000000 are needed"},
      {"few values", put("W/x", Reals(35, 1.0)),
       "/fclib_local/W/x: has 35 numbers, and 36 are needed"},
      {"few starts", put("W/p", Integers{0, 36}),
       "/fclib_local/W/p: has 2 numbers, and 7 are needed"},
      {"falling starts", put("W/p", Integers{0, 6, 12, 6, 24, 30, 36}),
       "/fclib_local/W/p: decreases from 12 to 6 at 2"},
      {"a start below", put("W/p", Integers{-6, 6, 12, 18, 24, 30, 36}),
       "/fclib_local/W/p: begins with -6"},
      {"a start beyond", put("W/p", Integers{0, 6, 12, 18, 24, 30, 2000000000}),
       "and 2000000000 are needed"},
      {"a column beyond", put("W/i", Integers(36, 6)),
       "/fclib_local/W: has an entry in row 0, column 6, but is 6 × 6"},
      {"a column below", put("W/i", Integers(36, -1)), "column -1"},
      {"contacts that move nothing", put("W/x", Reals(36, 0.0)),
       "block 0 of W, counted from 0, has the trace 0"},
      {"half of the joints", [](Sketch& s) { s.file.group("/fclib_local/V"); },
       "has only one of V and R"},
  };
  for (const Case& each : cases) {
    Sketch sketch(path);
    sketch.local(W, q, mu);
    each.spoil(sketch);
    sketch.file.finish();
    const std::string found = complaint();
    EXPECT_NE(found.find(each.complaint), std::string::npos) << each.name << ": " << found;
    EXPECT_NE(found.find(path.string()), std::string::npos) << each.name;
  }
}

TEST(FclibProblems, TellHowFarWIsFromSymmetric) {
  FclibFile file = read_fclib(SCREE_TEST_DATA "/fclib/NESpheres_30_1.hdf5");
  SparseMatrix& W = std::get<FclibLocal>(file.equations).W;
  EXPECT_LT(asymmetry_of(W).share, 1e-15);
  const double largest = W.coeffs().abs().maxCoeff(), entry = W.coeff(0, 3);
  W.coeffRef(0, 3) = entry + 0.01 * largest;
  const Asymmetry found = asymmetry_of(delassus_problem(file, LawKind::coulomb).W);
  EXPECT_NEAR(found.share, 0.01, 1e-12);
  EXPECT_EQ(std::minmax(found.row, found.column), std::minmax(0, 3));
}

TEST_F(FclibFiles, AreRefusedIfAMassIsLacking) {
  const MatrixXd H = random_matrix(9, 6, random);
  const Vector f = Vector::Zero(9), w = Vector::Zero(6);
  MatrixXd no_row = random_mass(3, random), dependent = no_row;
  no_row.row(4).setZero(), no_row.col(4).setZero();
  dependent.block(3, 3, 3, 3) =
      1e-9 * (MatrixXd(3, 3) << 2, -1, -1, -1, 2, -1, -1, -1, 2).finished() / 3.1;  // of rank 2
  for (const MatrixXd& M : {no_row, dependent}) {
    Sketch sketch(path);
    sketch.global(M, H, f, w, mu);
    sketch.file.finish();
    EXPECT_NE(complaint().find("/fclib_global/M: is singular in row "), std::string::npos)
        << complaint();
  }
  // Small is not singular.
  Sketch sketch(path);
  MatrixXd light = random_mass(3, random);
  light.block(3, 3, 3, 3) *= 1e-30;
  sketch.global(light, H, f, w, mu);
  sketch.file.finish();
  EXPECT_EQ(complaint(), "none");
}

TEST_F(FclibFiles, AreRefusedIfTheyClaimMoreThanTheyHold) {
  // A dataset without written numbers needs no space, whatever extent it claims.
  Sketch sketch(path);
  sketch.local(W, q, mu);
  sketch.file.remove("/fclib_local/vectors/mu");
  sketch.file.begin<double>("/fclib_local/vectors/mu", std::size_t{1} << 40);
  sketch.file.finish();
  EXPECT_NE(complaint().find("/fclib_local/vectors/mu claims to have 1099511627776 elements"),
            std::string::npos)
      << complaint();
}

TEST_F(FclibFiles, ThatAreNoneAreRefused) {
  std::ofstream(path) << "no HDF5 at all";
  EXPECT_NE(complaint().find(
                "is not a problem of FCLIB, or is damaged: it cannot be opened as an HDF5 file"),
            std::string::npos);
  EXPECT_THROW(read_fclib(directory / "nowhere.hdf5"), OutputError);
  const std::string whole = text_of(SCREE_TEST_DATA "/fclib/Rover3865.hdf5");
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, length);
    EXPECT_NE(complaint(), "none") << length;
  }
}

}  // namespace
}  // namespace scree
