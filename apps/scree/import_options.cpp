/// The command line of scree import.
#include <CLI/CLI.hpp>

#include "command_options.hpp"

namespace scree::cli {
namespace {

constexpr const char* kImportFooter =
    "Links become bodies with the masses, centres and moments of the file; links on fixed joints\n"
    "are one body. Joints have its limits, friction and damping. Contacts see the collisions;\n"
    "meshes (.stl, .obj, .dae) count by their convex hulls.\n\n"
    "Faults of the file are repaired. Each repair is reported with its line and listed at the\n"
    "top of the scene; --strict refuses the file instead. Elements that a scene lacks are\n"
    "listed, too.\n\n"
    "MJCF files (root mujoco) also give materials, motors, gears and keyframes.\n\n"
    "A root without mass, with a mass of 0, or named world is fixed; others fall. --run puts\n"
    "them on a floor and reports whether they stand.\n\n"
    "Examples:\n"
    "  scree import scenes/leg.urdf --out leg.yaml\n"
    "  scree import arm.urdf --pose shoulder=0.4,elbow=-1.2 --fixed --out arm.yaml\n"
    "  scree import dog.urdf --motors position --run\n"
    "  scree import dog.xml --pose home --run\n"
    "  scree import arm.urdf --package arm_description=~/ros/arm_description --out arm.yaml\n\n"
    "Exit status:\n"
    "  0    imported, and the scene is valid\n"
    "  2    no robot, a repair with --strict, or a scene that cannot run\n"
    "  3    with --run: some step missed the tolerance\n"
    "  4    a file could not be read or written\n";

void add_repairs(CLI::App& importer, ImportOptions& o) {
  importer.add_flag("--strict", o.strict, "Refuse a file that needs repairs, and list them");
  auto* fixed = importer.add_flag("--fixed", o.fixed, "Fix the base to the world");
  importer.add_flag("--floating", o.floating, "Let the base move freely")->excludes(fixed);
  importer
      .add_option("--density", o.density,
                  "Density of links with a collision but no mass, in kg/m3 (default: 1000)")
      ->check(CLI::PositiveNumber);
  importer
      .add_option("--package", o.packages,
                  "Folder of a package, NAME=DIR, for package://NAME/ in paths of meshes; "
                  "ROS_PACKAGE_PATH and the folders at and above the robot are searched, too")
      ->type_name("NAME=DIR");
  importer.add_flag("--collide-all", o.collide_all,
                    "Let all links touch that no joint connects (default: links up to two joints "
                    "apart, and those that overlap at the start, ignore each other)");
}

void add_motors(CLI::App& importer, ImportOptions& o) {
  auto* motors =
      importer
          .add_option("--motors", o.motors,
                      "Motors that hold the starting pose (position) or speed 0 (velocity), or "
                      "give no effort yet (effort), with the efforts of the file")
          ->type_name("KIND")
          ->check(CLI::IsMember({"position", "velocity", "effort"}));
  importer
      .add_option("--stiffness", o.stiffness,
                  "Stiffness of position motors in N m/rad or N/m (default: the effort over 0.1 "
                  "rad or 1 cm)")
      ->needs(motors)
      ->check(CLI::PositiveNumber);
  importer
      .add_option("--damping", o.damping,
                  "Damping of position motors in N m s/rad or N s/m (default: the effort over "
                  "the velocity of the file)")
      ->needs(motors)
      ->check(CLI::NonNegativeNumber);
}

}  // namespace

void add_import_options(CLI::App& importer, ImportOptions& o) {
  importer.add_option("ROBOT", o.robot, "URDF or MJCF file")->required();
  importer
      .add_option("--pose", o.pose,
                  "Initial coordinates of joints, JOINT=VALUE,... in rad or m (default: 0, or the "
                  "limit nearest to 0); for MJCF, a keyframe may come first: KEYFRAME,...")
      ->delimiter(',');
  importer.add_option("--out,-o", o.out,
                      "Scene file to write (default: standard output; with --run ROBOT.yaml)");
  importer.add_flag("--force", o.force, "Replace the scene file, and the run, if they exist");
  add_repairs(importer, o);
  add_motors(importer, o);
  importer.add_flag("--floor", o.floor, "Add a floor that a robot without a fixed base stands on");
  importer.add_flag("--run", o.run, "Add the floor, run the scene, and report whether it stands");
  importer.footer(kImportFooter);
}

}  // namespace scree::cli
