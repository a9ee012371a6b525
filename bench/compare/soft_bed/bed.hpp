/// A settled soft bed that scree and other programs step.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/scene/scene.hpp"

namespace scree::compare {

inline constexpr int kRuns = 10, kStepsInRun = 100;
inline constexpr double kWidth = 0.352;  ///< width of the box [m]

/// A law that all programs have, between grains and at walls.
struct BedLaw {
  std::string name;
  LawKind kind;
  double k_n, k_t;                   ///< stiffness [N/m] or [Pa]
  double damping, damping_at_walls;  ///< coefficients of normal dashpots [N s/m]
  double local_damping;              ///< [-]
};

struct Outcome {
  double body_steps = 0;        ///< per second of CPU time, in the fastest section of the run [1/s]
  std::vector<Vec3> positions;  ///< by id, at the end [m]
};

/// Body-steps per second of a section that took this CPU time [s].
inline double body_steps_per_second(const Scene& scene, double seconds) {
  return kStepsInRun * static_cast<double>(scene.state.bodies.size()) / seconds;
}

/// Runs a command of the shell; throws std::runtime_error with it if its status is not 0.
void run_command(const std::string& command);

/// Directory for files of a program; removed at the end.
class Directory {
 public:
  Directory();
  ~Directory();
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// Steps the bed by LAMMPS with a pair style such as `hooke/history`. Its dashpots are γ [1/s]
/// times the effective mass and, for Hertz springs, √(R* δ) [1/(m s)].
Outcome run_lammps(const Scene& scene, const BedLaw& law, const std::string& style, double gamma,
                   double gamma_at_walls);

/// Steps the bed by Yade: with dashpots by ViscElPhys_Basic, else by FrictPhys_CundallStrack.
Outcome run_yade(const Scene& scene, const BedLaw& law);

}  // namespace scree::compare
