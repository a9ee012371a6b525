/// Resolved tree → model, state, output settings. Every function reports what is wrong and goes on with the rest.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scene/node.hpp"
#include "scene/problems.hpp"
#include "scree/math/vec3.hpp"
#include "scree/scene/scene.hpp"

namespace scree::scene {

/// Bodies [first, first + count) of the state came from this entry of the scene.
struct BodyGroup {
  const Node* node;
  std::size_t first, count;
};

struct Build {
  const Node& root;
  std::filesystem::path directory;  ///< that file names in the scene are relative to
  Scene& scene;
  Problems& problems;
  std::vector<BodyGroup> groups{};
  std::map<std::string, const Node*> parts{}, outflows{};  ///< obstacles and plates by name, and outflows
};

// --- reading nodes that the schema has found sound ---

Vec3 vec3(const Node& list);
/// None, and reported, if it is a quaternion or an axis of no length.
std::optional<Quaternion> orientation(const Node& node, Problems& problems);
std::int64_t integer(const Node& node);
/// The seed of an entry, noted among the scene's.
std::uint64_t seed_of(Build& build, const Node& entry);
/// The number of a key, or nothing if the key is not there.
std::optional<double> number_if(const Node& map, std::string_view key);

/// Whether max > min along each axis; reports it if not.
bool check_region(const Node& region, Problems& problems);
/// Unit vector along a node's direction; reports a zero length and gives nothing.
std::optional<Vec3> unit_direction(const Node& node, Problems& problems);

// --- names ---

/// Gives every entry without a material the only one there is, and the scene its name. Before resolve().
void fill_names(Node& root, const std::string& stem);
/// The material a key names; nothing if the key is missing or names none, which is reported.
std::optional<MaterialId> material_of(Build& build, const Node& map, std::string_view key = "material");
/// Density of the bodies an entry describes [kg/m³]; nothing, and reported, if neither it nor the material has one.
std::optional<double> density_of(Build& build, const Node& map, MaterialId material);

// --- centres on a lattice ---

struct Lattice {
  Vec3 first, spacing;  ///< first centre and distances [m]
  double count[3];      ///< along each axis; may be too many to make
  double total() const { return count[0] * count[1] * count[2]; }
  Vec3 centre(std::size_t i) const;  ///< z runs fastest
};
/// Of a map with region and spacing; reports a region without room for one cell, and spheres that would overlap.
std::optional<Lattice> read_lattice(Build& build, const Node& map, double radius);

// --- the parts of a scene, in this order ---

void build_settings(Build& build);
void build_materials(Build& build);
void build_obstacles(Build& build);
void build_flows(Build& build);
void build_bodies(Build& build);
void build_output(Build& build);
void check_overlaps(Build& build);

// --- groups of bodies ---

/// Whether n more bodies fit into memory; reports it if not.
bool check_memory(Build& build, const Node& node, double n);
/// Memory for n more bodies and no others; for few among many nothing, because the arrays would be copied for each of many groups.
void make_room(Build& build, std::size_t n);
/// Adds a body with the next id.
void add_body(Build& build, const Body& body);
/// Mass of a solid sphere [kg]; nothing, and reported, if it over- or underflows.
std::optional<double> sphere_mass(Build& build, const Node& node, double radius, double density);
bool hits_obstacle(const Build& build, const Vec3& centre, double radius);
void add_random_filling(Build& build, const Node& node, MaterialId material, double density);
void add_csv(Build& build, const Node& node);

}  // namespace scree::scene
