/// The command line of scree analyse.
#include <CLI/CLI.hpp>
#include <limits>

#include "command_options.hpp"

namespace scree::cli {

namespace {

constexpr const char* kAnalyseFooter =
    "Examples:\n"
    "  scree analyse out/settled_bed --min-contacts 2\n"
    "  scree analyse out/settled_bed --frames 1 --region 0.001,0.001,0.001,0.006,0.006,0.003\n"
    "  scree analyse out/channel_quick --frames 10 --cells 40,1,20 --out out/channel_profile\n"
    "  scree analyse out/channel_quick --plane 0.04,0,0,1,0,0 --from 0.1\n"
    "  scree analyse out/channel_quick --fields 40,1,10 --from 0.1\n"
    "  scree analyse out/drum --drum y --from 1\n\n"
    "The command writes tables (CSV) and a picture (PNG) of each. Over time: solid_fraction,\n"
    "bed, coordination, stress, energy; on request force_chains, discharge, mixing, heap, drum,\n"
    "residence. Over all frames: velocity_profile, rdf, force_distribution, fields.\n"
    "docs/guide/analysis.md lists columns and units.\n";

/// The frames and the region to analyse.
void add_samples(CLI::App& analyse, AnalyseOptions& o) {
  analyse
      .add_option("--region", o.region,
                  "Box to analyse [m] (default: the box of all bodies' centres)")
      ->type_name("XMIN,YMIN,ZMIN,XMAX,YMAX,ZMAX")
      ->delimiter(',')
      ->expected(6);
  analyse.add_option("--frames,-n", o.frames, "Number of last frames to use (default: all)")
      ->type_name("N")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()));
  analyse.add_option("--from", o.from, "Time of the first frame and sample [s] (default: all)")
      ->type_name("T");
  analyse.add_option("--to", o.to, "Time of the last frame and sample [s] (default: all)")
      ->type_name("T");
}

/// Settings of the tables that are always written.
void add_tables(CLI::App& analyse, AnalyseOptions& o) {
  analyse.add_option("--bins", o.bins, "Number of bins of distances and of forces")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  analyse
      .add_option("--cells", o.cells,
                  "Numbers of cells of the velocity profile along x, y, z (default: 1,1,20)")
      ->type_name("NX,NY,NZ")
      ->delimiter(',')
      ->expected(3)
      ->check(CLI::Range(1, 1000));
  analyse
      .add_option("--min-contacts", o.min_contacts,
                  "Minimum number of loaded contacts; a body with fewer is a rattler")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  analyse
      .add_option("--r-max", o.r_max,
                  "Maximum distance of the radial distribution function [m] (default: 5 diameters)")
      ->type_name("R");
}

/// Tables that are written on request.
void add_requests(CLI::App& analyse, AnalyseOptions& o) {
  analyse
      .add_option("--plane", o.plane, "Plane of the discharge: a point [m] and the forward normal")
      ->type_name("PX,PY,PZ,NX,NY,NZ")
      ->delimiter(',')
      ->expected(6);
  auto* fields =
      analyse
          .add_option("--fields", o.fields,
                      "Numbers of cells along x, y, z for fields of density, velocity, stress and "
                      "granular temperature")
          ->type_name("NX,NY,NZ")
          ->delimiter(',')
          ->expected(3)
          ->check(CLI::Range(1, 1000));
  analyse
      .add_option("--width", o.width,
                  "Standard deviation of the kernel of --fields [m] (default: half a mean "
                  "diameter)")
      ->type_name("W")
      ->needs(fields);
  analyse.add_flag("--heap", o.heap, "Write the angle of a round heap to heap.csv");
  analyse
      .add_option("--drum", o.drum,
                  "Axis of a drum; the angle of its surface is written to drum.csv")
      ->type_name("x|y|z")
      ->check(CLI::IsMember({"x", "y", "z"}));
  analyse.add_flag("--residence", o.residence,
                   "Write the times that bodies stay in the region to residence.csv");
  analyse.add_flag("--force-chains", o.force_chains, "Write force chains for ParaView");
}

}  // namespace

void add_analyse_options(CLI::App& analyse, AnalyseOptions& o) {
  analyse.add_option("DIR", o.run, "Directory of a run")->required();
  add_samples(analyse, o);
  add_tables(analyse, o);
  add_requests(analyse, o);
  analyse.add_flag("--even-so", o.even_so,
                   "Analyse the sound frames of a failed or changed run; list those left out");
  analyse.add_flag("!--no-pictures", o.pictures, "Draw no pictures of the tables");
  analyse.add_option("--out,-o", o.out, "Directory to write (default: DIR/analysis)")
      ->check(not_empty);
  add_json(analyse, o.json);
  analyse.footer(kAnalyseFooter);
}

}  // namespace scree::cli
