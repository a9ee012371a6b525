/// The subcommands, each a function of its options that returns an exit status.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/core/ranks.hpp"
#include "scree/run/pair_lab.hpp"

namespace scree::cli {

struct RunCommandOptions {
  std::filesystem::path scene;
  std::filesystem::path out;  ///< empty: out/<stem of the scene file>
  std::vector<std::string> overrides;
  std::string until;  ///< as in the scene, with a unit; empty: the scene's
  int threads = 0;    ///< 0: all cores that this process may use
  int ranks = 0;      ///< processes to start; 0: none
  /// Time of the clock for the run, as "23h"; empty: any
  std::string wall_time;
  bool strict_inflow = false;
  bool force = false;
  bool resume = false;
  bool json = false;
  bool pictures = true;
  bool quiet = false;
  std::vector<std::uint64_t> dumped_steps;  ///< their problems are written as FCLIB files
  std::vector<std::string> command_line;
  /// Ranks of scree-mpi; null in scree, which starts scree-mpi where ranks are asked for
  Ranks* of_mpi = nullptr;
};
int run_scene(const RunCommandOptions& options);

struct BatchCommandOptions {
  std::filesystem::path scene;
  std::filesystem::path out;           ///< empty: out/<stem of the scene file>_batch
  std::vector<std::string> over;       ///< PATH=VALUES
  std::vector<std::string> overrides;  ///< PATH=VALUE, for all runs
  std::vector<std::string> columns;    ///< [NAME=]FILE:PLACE
  int jobs = 0;                        ///< simultaneous runs; 0: number of cores
  int threads = 0;                     ///< threads of each run; 0: cores / jobs
  bool dry_run = false;
  bool pictures = false;
  bool plot = true;
  bool json = false;
  bool quiet = false;
};
int run_batch_of(const BatchCommandOptions& options);

struct ReproduceOptions {
  std::filesystem::path run;
  std::filesystem::path out;  ///< empty: the name of the run with .reproduced
  int threads = 0;
  bool force = false;
  bool json = false;
  bool quiet = false;
  std::vector<std::string> command_line;
};
int reproduce_run(const ReproduceOptions& options);

struct CheckOptions {
  std::filesystem::path scene;
  std::vector<std::string> overrides;
  bool json = false;
};
int check_scene(const CheckOptions& options);

struct ImportOptions {
  std::filesystem::path robot;    ///< URDF or MJCF
  std::vector<std::string> pose;  ///< "joint=value": initial coordinates [rad, m]
  std::filesystem::path out;      ///< scene; empty: standard output
  bool force = false;
  bool strict = false;                   ///< refuse files that need repairs
  bool fixed = false, floating = false;  ///< override the base of the file
  double density = 1000;                 ///< of links with a collision but no mass [kg/m³]
  std::vector<std::string> packages;     ///< "name=folder"
  bool collide_all = false;
  std::string motors;                        ///< position, velocity or effort; empty: none
  std::optional<double> stiffness, damping;  ///< of position motors
  bool floor = false;
  bool run = false;  ///< run the scene at once, on a floor
  std::vector<std::string> command_line;
};
int import_robot(const ImportOptions& options);

struct InfoOptions {
  std::filesystem::path path;
  bool json = false;
};
int show_info(const InfoOptions& options);

struct AnalyseOptions {
  std::filesystem::path run;
  std::filesystem::path out;  ///< empty: `analysis` in the run directory
  /// Xmin, ymin, zmin, xmax, ymax, zmax [m]; empty: the box of the centres
  std::vector<double> region;
  std::vector<std::uint32_t> cells{1, 1, 20};
  std::vector<double> plane;       ///< point [m] and normal; empty: none
  std::optional<double> r_max;     ///< range of the radial distribution function [m]
  std::size_t frames = 0;          ///< number of last frames; 0: all
  std::optional<double> from, to;  ///< time range of the frames [s]
  std::size_t bins = 100;
  std::size_t min_contacts = 4;       ///< loaded contacts of a body that is not a rattler
  bool heap = false;                  ///< measure its angle
  std::string drum;                   ///< axis of the drum, x, y or z; empty: no drum
  bool residence = false;             ///< measure the times that bodies stay in the region
  std::vector<std::uint32_t> fields;  ///< numbers of cells of coarse-grained fields; empty: none
  std::optional<double> width;        ///< standard deviation of their kernel [m]
  bool force_chains = false;          ///< write them for ParaView
  bool even_so = false;               ///< analyse the sound frames of an unsound run
  bool pictures = true;
  bool json = false;
};
int analyse(const AnalyseOptions& options);

struct ExportOptions {
  std::filesystem::path run;
  std::filesystem::path out;       ///< empty: `export` in the run directory
  std::string format = "vtp";      ///< or "csv"
  std::optional<double> from, to;  ///< time range of the frames [s]
  std::size_t every = 1;           ///< interval of the written frames in this range
  bool contacts = true;
  bool even_so = false;  ///< export the sound frames of an unsound run
  bool json = false;
};
int export_frames(const ExportOptions& options);

/// Law of joints; it belongs to no pair of materials.
inline constexpr const char* kBilateral = "bilateral";

struct ContactOptions {
  std::filesystem::path input;
  std::filesystem::path out;       ///< empty: standard output
  std::filesystem::path pictures;  ///< directory; empty: none
  std::string law = "coulomb";
  std::optional<int> facets;  ///< facets of a polyhedral cone; none: as in scenes
  std::string policy;         ///< choice of coulomb among several solutions; empty: dissipation
  bool all = false;
  bool json = false;
};
int solve_contacts(const ContactOptions& options);

/// Value of --plot that stands for the name of --out with this extension.
inline constexpr const char* kBesideOut = ".png";
struct PairOptions {
  std::filesystem::path input;
  PairDescription pair;
  std::size_t every = 1;
  std::filesystem::path out;      ///< empty: standard output
  std::filesystem::path picture;  ///< empty: none
};
int compute_pair(const PairOptions& options);

struct SolveCommandOptions {
  std::vector<std::filesystem::path> problems;  ///< files and directories
  /// Solution of one problem, directory of several; empty: see directory_of() in solve_command.cpp
  std::filesystem::path out;
  std::filesystem::path history, contacts;  ///< tables of one problem; empty: none
  std::string law = "coulomb";
  std::optional<int> facets;  ///< facets of a polyhedral cone; none: default of scenes and of lemke
  std::string policy;         ///< choice of coulomb among several solutions; empty: dissipation
  std::vector<std::string> solvers{"auto"};
  double tolerance = 1e-8;  ///< on E_s [-]
  double max_seconds = 60;  ///< wall time of each solve [s]
  std::optional<int> max_iterations;
  std::string acceleration;          ///< acceleration of sweeps; empty: none
  std::optional<double> relaxation;  ///< factor of psor and jacobi [-]
  std::filesystem::path subdomains;  ///< labels of contacts, for jacobi; empty: none
  std::optional<int> threads;        ///< threads of auto; none: one
  bool minimum_norm = false;
  bool pictures = true;
  bool json = false;
};
int solve_problems(const SolveCommandOptions& options);

struct StudyOptions {
  std::string name;           ///< empty: list all studies
  std::filesystem::path out;  ///< empty: out/study_<name>
  int threads = 0;            ///< 0: all cores
  bool quick = false;
};
int run_study(const StudyOptions& options);

struct ViewOptions {
  std::filesystem::path run;
  int port = 0;  ///< 0: any free port
  bool browser = true;
};
int view_run(const ViewOptions& options);

/// Camera, colours and size of scree movie and scree picture.
struct LookOptions {
  std::filesystem::path run;
  std::filesystem::path out;  ///< empty: movie.mp4 or picture.png in the run directory
  std::string plane = "xz", colour = "speed", title;
  std::vector<double> region;           ///< xmin, ymin, zmin, xmax, ymax, zmax [m]; empty: all
  std::vector<double> limits;           ///< of the colours, in SI units; empty: those of the data
  std::vector<double> camera_from;      ///< its position [m]; empty: where everything is seen
  std::vector<double> camera_to;        ///< middle of the picture [m]; empty: that of the bodies
  std::optional<double> field_of_view;  ///< upright [degrees]
  std::vector<int> size;                ///< width and height [pixel]
  int layers = 1;                       ///< panels, each with a layer of the bodies
  bool parts = true;
  bool joints = true;
};
struct MovieOptions : LookOptions {
  std::optional<double> from, to;  ///< time range of the frames [s]
  int every = 1;                   ///< interval of the drawn frames in this range
  std::optional<double> rate;      ///< frames per second of the movie
  std::optional<double> orbit;     ///< rotation of the camera during the movie [degrees]
};
int make_movie(const MovieOptions& options);

struct PictureOptions : LookOptions {
  std::optional<double> time;  ///< of the frame, the nearest one [s]
  std::optional<int> frame;    ///< its number from 0; negative: from the end
};
int make_picture(const PictureOptions& options);

int print_schema();

/// Text of `scree --version`.
std::string version_text();

/// The program: reads the command line, calls a subcommand, returns the exit status. `of_mpi` are
/// the ranks of scree-mpi; null for scree.
int run_program(int argc, char** argv, Ranks* of_mpi);

}  // namespace scree::cli
