/// The command line of scree analyse.
#include <CLI/CLI.hpp>
#include <limits>

#include "command_options.hpp"

namespace scree::cli {

void add_analyse_options(CLI::App& analyse, AnalyseOptions& o) {
  analyse.add_option("DIR", o.run, "Directory of a run")->required();
  analyse
      .add_option("--region", o.region,
                  "Box to look at, in metres (default: the box of the centres of all bodies)")
      ->type_name("XMIN,YMIN,ZMIN,XMAX,YMAX,ZMAX")
      ->delimiter(',')
      ->expected(6);
  analyse.add_option("--frames,-n", o.frames, "Only the last N frames (default: all)")
      ->type_name("N")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()));
  analyse.add_option("--from", o.from, "Only frames and samples from this time on, in seconds")
      ->type_name("T");
  analyse.add_option("--to", o.to, "Only frames and samples up to this time, in seconds")
      ->type_name("T");
  analyse.add_option("--bins", o.bins, "Bins of distances and of forces")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  analyse
      .add_option("--cells", o.cells,
                  "Cells of the velocity profile along x, y, z (default: 1,1,20)")
      ->type_name("NX,NY,NZ")
      ->delimiter(',')
      ->expected(3)
      ->check(CLI::Range(1, 1000));
  analyse
      .add_option("--min-contacts", o.min_contacts,
                  "Bodies with fewer loaded contacts are rattlers")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  analyse
      .add_option(
          "--r-max", o.r_max,
          "How far the radial distribution function reaches, in metres (default: 5 diameters)")
      ->type_name("R");
  analyse
      .add_option("--plane", o.plane,
                  "Plane for the discharge: a point in metres, and the way that counts as forward")
      ->type_name("PX,PY,PZ,NX,NY,NZ")
      ->delimiter(',')
      ->expected(6);
  auto* fields =
      analyse
          .add_option("--fields", o.fields,
                      "Write density, velocity, stress and granular temperature in so many cells "
                      "along x, y, z")
          ->type_name("NX,NY,NZ")
          ->delimiter(',')
          ->expected(3)
          ->check(CLI::Range(1, 1000));
  analyse
      .add_option("--width", o.width,
                  "Standard deviation of the kernel of --fields, in metres (default: half a mean "
                  "diameter)")
      ->type_name("W")
      ->needs(fields);
  analyse.add_flag("--heap", o.heap, "Measure the angle of a round heap, as heap.csv");
  analyse
      .add_option("--drum", o.drum,
                  "Measure the angle of the surface in a drum along this axis, as drum.csv")
      ->type_name("x|y|z")
      ->check(CLI::IsMember({"x", "y", "z"}));
  analyse.add_flag("--residence", o.residence,
                   "Measure how long bodies stay in the region, as residence.csv");
  analyse.add_flag("--force-chains", o.force_chains, "Write force chains for ParaView, too");
  analyse.add_flag("--even-so", o.even_so,
                   "Analyse what is sound of a run that failed, or whose files were changed; say "
                   "what is left out");
  analyse.add_flag("!--no-pictures", o.pictures, "Do not draw the tables");
  analyse.add_option("--out,-o", o.out, "Directory to write (default: DIR/analysis)")
      ->check(not_empty);
  analyse.add_flag("--json", o.json, "Print the result as one JSON object on standard output");
  analyse.footer(
      "Examples:\n"
      "  scree analyse out/settled_bed --min-contacts 2\n"
      "  scree analyse out/settled_bed --frames 1 --region 0.001,0.001,0.001,0.006,0.006,0.003\n"
      "  scree analyse out/channel_quick --frames 10 --cells 40,1,20 --out out/channel_profile\n"
      "  scree analyse out/channel_quick --plane 0.04,0,0,1,0,0 --from 0.1\n"
      "  scree analyse out/channel_quick --fields 40,1,10 --from 0.1\n"
      "  scree analyse out/drum --drum y --from 1\n\n"
      "Tables (CSV) and their pictures (PNG). Over time: solid_fraction, bed, coordination,\n"
      "stress, energy, and force_chains, discharge, mixing, heap, drum, residence where asked\n"
      "for. Over all frames: velocity_profile, rdf, force_distribution, fields. Columns and\n"
      "units: "
      "docs/guide/analysis.md.\n");
}

}  // namespace scree::cli
