/// scree movie and scree picture: draw bodies and parts in space, for many frames or for one.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <numbers>

#include "command_options.hpp"
#include "pictures.hpp"
#include "say.hpp"
#include "scree/core/error.hpp"
#include "scree/io/run_manifest.hpp"
#include "scree/run/exit_status.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

void add_vector(CLI::App& app, const char* name, std::vector<double>& values, int count,
                const char* type, const char* help) {
  app.add_option(name, values, help)->type_name(type)->delimiter(',')->expected(count);
}

void add_look(CLI::App& app, LookOptions& o) {
  app.add_option("--colour", o.colour, "Colour of bodies: speed, angular_speed, radius or material")
      ->check(CLI::IsMember({"speed", "angular_speed", "radius", "material"}))
      ->capture_default_str();
  add_vector(app, "--limits", o.limits, 2, "LOW,HIGH",
             "Limits of the colours in SI units (default: those of the data)");
  app.add_option("--plane", o.plane, "Plane that the camera faces: xy, xz or yz")
      ->check(CLI::IsMember({"xy", "xz", "yz"}))
      ->capture_default_str();
  add_vector(app, "--camera-from", o.camera_from, 3, "X,Y,Z",
             "Position of the camera [m] (default: everything is in the picture)");
  add_vector(app, "--camera-to", o.camera_to, 3, "X,Y,Z",
             "Point in the middle of the picture [m] (default: the middle of everything)");
  app.add_option("--field-of-view", o.field_of_view,
                 "Upright angle that the camera sees [degrees]; 0: parallel projection "
                 "(default: 25)")
      ->type_name("ANGLE")
      ->check(CLI::Range(0.0, 150.0));
  add_vector(app, "--region", o.region, 6, "X,Y,Z,X,Y,Z",
             "Draw only bodies with their centres in this box, two corners [m]; cuts a bed open");
  app.add_option("--layers", o.layers,
                 "Cut the bodies into N layers that face the camera, each in a panel of its own")
      ->type_name("N")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  app.add_flag("!--no-parts", o.parts, "Draw no obstacles");
  app.add_flag("!--no-joints", o.joints, "Draw no joints");
  app.add_option("--size", o.size, "Width and height [pixel]")
      ->type_name("W,H")
      ->delimiter(',')
      ->expected(2)
      ->check(CLI::Range(64, 16384));
  app.add_option("--title", o.title, "Title (default: none)");
}

Json corners(const std::vector<double>& box) {
  return {{"min", {box[0], box[1], box[2]}}, {"max", {box[3], box[4], box[5]}}};
}

/// The options in the form that scenes have them.
Json as_scene_options(const LookOptions& o) {
  Json json{{"plane", o.plane},
            {"colour", o.colour},
            {"parts", o.parts},
            {"joints", o.joints},
            {"layers", o.layers}};
  if (!o.title.empty()) json["title"] = o.title;
  if (!o.limits.empty()) json["limits"] = o.limits;
  if (!o.region.empty()) json["region"] = corners(o.region);
  if (!o.size.empty()) json["size"] = o.size;
  if (!o.camera_from.empty()) json["camera"]["from"] = o.camera_from;
  if (!o.camera_to.empty()) json["camera"]["to"] = o.camera_to;
  if (o.field_of_view) json["camera"]["field_of_view"] = *o.field_of_view * std::numbers::pi / 180;
  return json;
}

void check(const LookOptions& o) {
  if (!o.limits.empty() && !(o.limits[0] < o.limits[1]))
    throw InputError("--limits: the first limit must be below the second");
  for (std::size_t k = 0; k < 3 && !o.region.empty(); ++k)
    if (!(o.region[k] < o.region[k + 3]))
      throw InputError("--region: each coordinate of the first corner must be below the second's");
  if (!o.camera_from.empty() && o.camera_from == o.camera_to)
    throw InputError("--camera-from and --camera-to are the same point; move one of them");
  (void)RunManifest(o.run);  // refuses what is not a run
}

int draw(const LookOptions& o, const char* kind, const char* default_name, const Json& options) {
  const fs::path out = o.out.empty() ? o.run / default_name : o.out;
  const bool drawn =
      draw_in_space(o.run, kind, out, options, [](bool is_warning, const std::string& line) {
        if (is_warning)
          warn(line);
        else
          say(stderr, "{}\n", line);
      });
  return drawn ? kDone : kInputOutputFailure;
}

}  // namespace

void add_movie_options(CLI::App& movie, MovieOptions& o) {
  movie.add_option("DIR", o.run, "Run directory")->required();
  movie
      .add_option("--out,-o", o.out,
                  "File .mp4, .webm, .gif or .webp; a name without an end is a directory of PNG "
                  "files (default: DIR/movie.mp4)")
      ->check(not_empty);
  movie.add_option("--from", o.from, "Time of the first frame [s] (default: all)")->type_name("T");
  movie.add_option("--to", o.to, "Time of the last frame [s] (default: all)")->type_name("T");
  movie
      .add_option("--every", o.every,
                  "Interval N: the first of these frames and every N-th after it")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000000));
  movie.add_option("--rate", o.rate, "Frames per second of the movie (default: 25)")
      ->type_name("N")
      ->check(CLI::Range(0.1, 240.0));
  movie
      .add_option("--orbit", o.orbit,
                  "Angle through which the camera goes around the middle [degrees] (default: 0)")
      ->type_name("ANGLE");
  add_look(movie, o);
  movie.footer(
      "The colours have the same limits in all frames. Walls between the camera and the bodies\n"
      "are transparent. The scale bar is exact in the plane through the middle of the picture,\n"
      "and everywhere with --field-of-view 0.\n\n"
      "Examples:\n"
      "  scree movie out/hopper\n"
      "  scree movie out/hopper --orbit 90 --limits 0,0.5\n"
      "  scree movie out/hopper --out loop.webp --size 640,480 --every 2 --rate 20\n\n"
      "MP4, WebM, GIF and WebP need ffmpeg: apt install ffmpeg. Without it, the movie is a\n"
      "directory of numbered PNG files.\n");
}

int make_movie(const MovieOptions& o) {
  check(o);
  if (o.from && o.to && !(*o.from <= *o.to))
    throw InputError(
        fmt::format("--from, {} s, is later than --to, {} s; swap them", *o.from, *o.to));
  Json options = as_scene_options(o);
  options["every"] = o.every;
  if (o.from) options["first"] = *o.from;
  if (o.to) options["last"] = *o.to;
  if (o.rate) options["rate"] = *o.rate;
  if (o.orbit) options["camera"]["orbit"] = *o.orbit * std::numbers::pi / 180;
  return draw(o, "movie", "movie.mp4", options);
}

void add_picture_options(CLI::App& picture, PictureOptions& o) {
  picture.add_option("DIR", o.run, "Run directory")->required();
  picture.add_option("--out,-o", o.out, "File .png, .pdf or .svg (default: DIR/picture.png)")
      ->check(not_empty);
  auto* time =
      picture.add_option("--time", o.time, "Time [s]; the nearest frame is drawn")->type_name("T");
  picture
      .add_option("--frame", o.frame,
                  "Number of the frame, from 0; -1 is the last (default: the last)")
      ->type_name("N")
      ->excludes(time);
  add_look(picture, o);
  picture.footer(
      "Examples:\n"
      "  scree picture out/hopper --time 1.5\n"
      "  scree picture out/blade_mixer --colour material --region=-0.05,0,0,0.05,0.05,0.16\n"
      "  scree picture out/blade_mixer --colour material --plane xy --layers 3\n"
      "  scree picture out/drum --plane xz --field-of-view 0 --out drum.pdf\n");
}

int make_picture(const PictureOptions& o) {
  check(o);
  Json options = as_scene_options(o);
  if (o.time) options["time"] = *o.time;
  if (o.frame) options["frame"] = *o.frame;
  return draw(o, "picture", "picture.png", options);
}

}  // namespace scree::cli
