#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "command_options.hpp"

namespace scree::cli {
namespace {

/// Keys that go into the law or a material of a pair as they stand; `of` is before them in options.
void add_texts(CLI::App& command, std::vector<std::pair<std::string, std::string>>& to,
               std::initializer_list<std::pair<const char*, const char*>> keys,
               const char* of = "") {
  for (const auto& [key, what] : keys)
    command
        .add_option_function<std::string>(
            fmt::format("--{}{}", of, key),
            [&to, name = std::string(key)](const std::string& text) {
              to.emplace_back(name, text);
            },
            what)
        ->type_name("VALUE");
}

}  // namespace

void add_pair_options(CLI::App& pair, PairOptions& o) {
  pair.add_option("IN", o.input,
                  "Motion, a row a step: columns x1,y1,z1,x2,y2,z2,vx1,…,vx2,…,wx1,…,wx2,… by name "
                  "(CSV, plain or gzip)")
      ->required();
  add_texts(pair, o.pair.law,
            {{"law", "Contact law: cundall_strack, hertz_mindlin, spring_dashpot"},
             {"k_n", "Normal stiffness [N/m]; of hertz_mindlin [Pa]"},
             {"k_t", "Tangential stiffness [N/m]; of hertz_mindlin [Pa]"},
             {"friction", "Friction coefficient"},
             {"restitution", "Coefficient of restitution: gives the dashpot (default: 1, none)"},
             {"normal_damping", "Coefficient of the normal dashpot [N s/m], instead"},
             {"tangential_damping", "Coefficient of the tangential dashpot [N s/m]"},
             {"damping_ratio", "The same over that of the normal one"},
             {"attraction", "true: the dashpot may pull at the end of an impact"},
             {"rotations", "exact, or first_order as in Yade"},
             {"branch", "ratcheting_free or contact_point"},
             {"cohesion", "Constant attraction while in touch [N]"},
             {"adhesion", "Work of adhesion of hertz_mindlin (JKR) [J/m2]"},
             {"rolling_friction", "Length of rolling resistance [m]"},
             {"spinning_friction", "Length of spinning resistance [m]"},
             {"rolling_stiffness", "Of rolling [N m]"},
             {"spinning_stiffness", "Of spinning [N m]"},
             {"rolling_damping", "Of both, over the critical damping"}});
  add_texts(pair, o.pair.material,
            {{"density", "Of the bodies, for a dashpot that follows from restitution [kg/m3]"},
             {"young", "Young's modulus, for hertz_mindlin [Pa]"},
             {"poisson", "Poisson's ratio"}});
  pair.add_option("--radius", o.pair.radius, "Radius of both, or of each: 5mm,5mm")
      ->required()
      ->delimiter(',');
  pair.add_option("--h", o.pair.h, "Time of a step, which each row is, such as 10us")->required();
  pair.add_option("--wall", o.pair.wall,
                  "Body 1 is a plane through its position, with this normal towards body 2; 0,0,1 "
                  "if none is given")
      ->expected(0, 1)
      ->default_str("0,0,1")
      ->type_name("X,Y,Z");
  add_texts(pair, o.pair.wall_material,
            {{"young", "Young's modulus of the wall [Pa], or rigid (default: that of --young)"},
             {"poisson", "Poisson's ratio of the wall (default: that of --poisson)"}},
            "wall_");
  pair.add_option("--every", o.every, "Write each N-th row")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000'000}))
      ->capture_default_str();
  pair.add_option("--out,-o", o.out,
                  "File to write (default: standard output); replaced if it is there")
      ->check(not_empty);
  pair.add_option("--plot", o.picture,
                  "Draw forces over the motion into this file (PNG), by default beside that of "
                  "--out, which it needs")
      ->expected(0, 1)
      ->default_str(kBesideOut)
      ->check(not_empty);
  pair.footer(
      "Positions are those at t, velocities those at t - h/2, as in a leapfrog; un is the overlap "
      "[m],\n"
      "n the normal from body 1 to body 2, Fn and Fs the forces on body 2 [N], f and t the forces "
      "and\n"
      "torques on both. Energies [J]: held by springs, and what dashpots, friction and rolling "
      "took since\n"
      "the start; work is what the forces did on the bodies.\n"
      "Exit status: 0 done; 2 bad rows or options, nothing computed; 4 output failed.\n\n"
      "Examples:\n"
      "  scree pair tests/data/yade/i_a_press_shear.csv.gz --law cundall_strack --k_n 1e5 --k_t "
      "3e4 "
      "\\\n"
      "      --friction 0.4 --radius 5mm,5mm --h 10us --out forces.csv --plot\n");
}

}  // namespace scree::cli
