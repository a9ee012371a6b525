/// The command line of scree pair.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "command_options.hpp"

namespace scree::cli {
namespace {

/// Adds options whose texts become keys of a law or a material; `prefix` begins their names.
void add_texts(CLI::App& command, std::vector<std::pair<std::string, std::string>>& to,
               std::initializer_list<std::pair<const char*, const char*>> keys,
               const char* prefix = "") {
  for (const auto& [key, description] : keys)
    command
        .add_option_function<std::string>(
            fmt::format("--{}{}", prefix, key),
            [&to, name = std::string(key)](const std::string& text) {
              to.emplace_back(name, text);
            },
            description)
        ->type_name("VALUE");
}

constexpr const char* kPairFooter =
    "Positions are at t, velocities at t - h/2, as in a leapfrog. In the output, un is the\n"
    "overlap [m] and n the normal from body 1 to body 2. Fn and Fs are the forces on body 2 "
    "[N],\n"
    "f and t the forces and torques on both. Energies [J] are the energy of the springs and the\n"
    "losses to dashpots, friction and rolling since the start; work is that of the forces on\n"
    "the bodies.\n\n"
    "Example:\n"
    "  scree pair tests/data/yade/i_a_press_shear.csv.gz --law cundall_strack \\\n"
    "      --k_n 1e5 --k_t 3e4 --friction 0.4 --radius 5mm,5mm --h 10us \\\n"
    "      --out forces.csv --plot\n\n"
    "Exit status:\n"
    "  0  done\n"
    "  2  bad rows or options, nothing computed\n"
    "  4  output failed\n";

/// The law, and the material of the bodies.
void add_law(CLI::App& pair, PairOptions& o) {
  add_texts(
      pair, o.pair.law,
      {{"law", "Contact law: cundall_strack, hertz_mindlin, spring_dashpot"},
       {"k_n", "Normal stiffness [N/m]; for hertz_mindlin [Pa]"},
       {"k_t", "Tangential stiffness [N/m]; for hertz_mindlin [Pa]"},
       {"friction", "Friction coefficient"},
       {"restitution",
        "Coefficient of restitution, from which the dashpot follows (default: 1, none)"},
       {"normal_damping", "Coefficient of the normal dashpot [N s/m], in place of --restitution"},
       {"tangential_damping", "Coefficient of the tangential dashpot [N s/m]"},
       {"damping_ratio", "Tangential over normal coefficient of the dashpots"},
       {"attraction", "true: the dashpot may pull at the end of an impact"},
       {"rotations", "exact, or first_order as in Yade"},
       {"branch", "ratcheting_free or contact_point"},
       {"cohesion", "Constant attraction of bodies in contact [N]"},
       {"adhesion", "Work of adhesion of hertz_mindlin (JKR) [J/m2]"},
       {"rolling_friction", "Length of rolling friction [m]"},
       {"spinning_friction", "Length of spinning friction [m]"},
       {"rolling_stiffness", "Rolling stiffness [N m]"},
       {"spinning_stiffness", "Spinning stiffness [N m]"},
       {"rolling_damping", "Rolling and spinning damping, over the critical damping"}});
  add_texts(pair, o.pair.material,
            {{"density", "Density of the bodies, for a dashpot from --restitution [kg/m3]"},
             {"young", "Young's modulus, for hertz_mindlin [Pa]"},
             {"poisson", "Poisson's ratio"}});
}

/// The two bodies, or the body and the wall, and the time step.
void add_bodies(CLI::App& pair, PairOptions& o) {
  pair.add_option("--radius", o.pair.radius, "Radius of both bodies, or of each: 5mm,5mm")
      ->required()
      ->delimiter(',');
  pair.add_option("--h", o.pair.h, "Time step between two rows, such as 10us")->required();
  pair.add_option("--wall", o.pair.wall,
                  "Normal, towards body 2, of a plane in place of body 1, through its position; "
                  "0,0,1 without a value")
      ->expected(0, 1)
      ->default_str("0,0,1")
      ->type_name("X,Y,Z");
  add_texts(pair, o.pair.wall_material,
            {{"young", "Young's modulus of the wall [Pa], or rigid (default: that of --young)"},
             {"poisson", "Poisson's ratio of the wall (default: that of --poisson)"}},
            "wall_");
}

}  // namespace

void add_pair_options(CLI::App& pair, PairOptions& o) {
  pair.add_option("IN", o.input,
                  "Motion (CSV, plain or gzip), a row for each step: columns named "
                  "x1,y1,z1,x2,y2,z2,vx1,…,vx2,…,wx1,…,wx2,…")
      ->required();
  add_law(pair, o);
  add_bodies(pair, o);
  pair.add_option("--every", o.every, "Interval N of the written rows: every N-th")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000'000}))
      ->capture_default_str();
  pair.add_option("--out,-o", o.out,
                  "File to write (default: standard output); replaced if it exists")
      ->check(not_empty);
  pair.add_option("--plot", o.picture,
                  "File for a picture (PNG) of the forces over the motion (default: the name of "
                  "--out with .png); needs --out")
      ->expected(0, 1)
      ->default_str(kBesideOut)
      ->check(not_empty);
  pair.footer(kPairFooter);
}

}  // namespace scree::cli
