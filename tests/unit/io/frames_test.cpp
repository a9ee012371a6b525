#include "scree/io/frames.hpp"

#include <cmath>
#include <fmt/format.h>
#include <hdf5.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "scree/core/error.hpp"
#include "scree/io/files.hpp"
#include "scree/io/frame_checks.hpp"
#include "unit/io/io_fixture.hpp"

namespace scree {
namespace {

using Frames = InDirectory;

/// A dataset read with nothing but HDF5.
template <class T>
std::vector<T> read(const std::filesystem::path& path, const char* name, hid_t type,
                    const std::vector<hsize_t>& extent) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  EXPECT_GE(set, 0) << name;
  const hid_t space = H5Dget_space(set);
  std::vector<hsize_t> found(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, found.data(), nullptr);
  EXPECT_EQ(found, extent) << name;
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Sclose(space), H5Dclose(set), H5Fclose(file);
  return values;
}

const FrameArray& array_named(const FrameSummary& frame, const std::string& name) {
  for (const FrameArray& array : frame.arrays) {
    if (array.name == name) return array;
  }
  throw std::out_of_range(name);
}

TEST_F(Frames, HoldBodiesInTheOrderOfTheirIds) {
  const auto path = directory / "grains.hdf";
  write_grains(path, grains_of(three_bodies(), kSpheres));
  EXPECT_EQ((read<std::int64_t>(path, "/VTKHDF/CellData/id", H5T_NATIVE_INT64, {3})),
            (std::vector<std::int64_t>{2, 7, 9}));
  EXPECT_EQ((read<double>(path, "/VTKHDF/CellData/position", H5T_NATIVE_DOUBLE, {3, 3})),
            (std::vector<double>{2, 0.5, -1, 7, 0.5, -1, 9, 0.5, -1}));
  EXPECT_EQ((read<double>(path, "/VTKHDF/CellData/velocity", H5T_NATIVE_DOUBLE, {3, 3})),
            (std::vector<double>{0, 2, 0, 0, 7, 0, 0, 9, 0}));
  EXPECT_EQ((read<double>(path, "/VTKHDF/CellData/quaternion", H5T_NATIVE_DOUBLE, {3, 4})),
            (std::vector<double>{0.6, 0.8, 0, 0, 0.6, 0.8, 0, 0, 0.6, 0.8, 0, 0}));
}

/// Names of the datasets in a group.
std::vector<std::string> names_of(hid_t file, const char* group_name) {
  std::vector<std::string> names;
  const hid_t group = H5Gopen2(file, group_name, H5P_DEFAULT);
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* all) -> herr_t {
    static_cast<std::vector<std::string>*>(all)->emplace_back(name);
    return 0;
  };
  H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names);
  H5Gclose(group);
  return names;
}

/// Where a dataset lies in its file, and how many names it has.
std::pair<haddr_t, unsigned> address_of(hid_t file, const std::string& name) {
  H5O_info_t info;
  EXPECT_GE(H5Oget_info_by_name1(file, name.c_str(), &info, H5P_DEFAULT), 0) << name;
  return {info.addr, info.rc};
}

TEST_F(Frames, OfSpheresHaveOneDatasetForCellsAndForPoints) {
  const auto path = directory / "grains.hdf";
  write_grains(path, grains_of(three_bodies(), kSpheres));
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const auto names = names_of(file, "/VTKHDF/CellData");
  EXPECT_EQ(names, (std::vector<std::string>{"angular_velocity", "id", "mass", "material",
                                             "position", "quaternion", "radius", "velocity"}));
  EXPECT_EQ(names_of(file, "/VTKHDF/PointData"), names);
  for (const std::string& name : names) {
    const auto of_cells = address_of(file, "/VTKHDF/CellData/" + name);
    EXPECT_EQ(of_cells, address_of(file, "/VTKHDF/PointData/" + name)) << name;
    EXPECT_EQ(of_cells.second, name == "position" ? 3U : 2U) << name;
  }
  EXPECT_EQ(address_of(file, "/VTKHDF/CellData/position"), address_of(file, "/VTKHDF/Points"));
  H5Fclose(file);
}

TEST_F(Frames, AreGridsOfVertexCells) {
  const auto path = directory / "grains.hdf";
  write_grains(path, grains_of(three_bodies(), kSpheres));
  EXPECT_EQ((read<std::int64_t>(path, "/VTKHDF/NumberOfPoints", H5T_NATIVE_INT64, {1})),
            std::vector<std::int64_t>{3});
  EXPECT_EQ((read<std::int64_t>(path, "/VTKHDF/Offsets", H5T_NATIVE_INT64, {4})),
            (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ((read<std::int64_t>(path, "/VTKHDF/Types", H5T_NATIVE_INT64, {3})),
            (std::vector<std::int64_t>{1, 1, 1}));
}

TEST_F(Frames, OfLinesHaveTwoPointsEachWithTheSameValue) {
  const auto path = directory / "lines.hdf";
  write_lines(path, "force_chains",
              {0.5, 7, {{1, 2, 3}, {4, 5, 6}, {0, 0, 0}, {1, 0, 0}}, {{"force", {0.25, 8}}}});
  EXPECT_EQ((read<double>(path, "/VTKHDF/Points", H5T_NATIVE_DOUBLE, {4, 3})),
            (std::vector<double>{1, 2, 3, 4, 5, 6, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ((read<std::int64_t>(path, "/VTKHDF/NumberOfCells", H5T_NATIVE_INT64, {1})),
            std::vector<std::int64_t>{2});
  EXPECT_EQ((read<std::int64_t>(path, "/VTKHDF/Offsets", H5T_NATIVE_INT64, {3})),
            (std::vector<std::int64_t>{0, 2, 4}));
  EXPECT_EQ((read<std::int64_t>(path, "/VTKHDF/Connectivity", H5T_NATIVE_INT64, {4})),
            (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ((read<std::int64_t>(path, "/VTKHDF/Types", H5T_NATIVE_INT64, {2})),
            (std::vector<std::int64_t>{3, 3}));
  EXPECT_EQ((read<double>(path, "/VTKHDF/PointData/force", H5T_NATIVE_DOUBLE, {4})),
            (std::vector<double>{0.25, 0.25, 8, 8}));
  EXPECT_EQ(summarise_frame(path).kind, "force_chains");
  write_lines(directory / "none.hdf", "force_chains", {0.5, 7, {}, {{"force", {}}}});
  EXPECT_EQ(summarise_frame(directory / "none.hdf").points, 0U);
}

TEST_F(Frames, TellWhatTheyHold) {
  const std::vector contacts{contact_between({1}, {2}, 3e-3, ContactClass::sticking),
                             contact_between({2}, obstacle_id(0), 0, ContactClass::separating)};
  write_contacts(directory / "contacts.hdf", contacts, 0.125, 12);
  const FrameSummary frame = summarise_frame(directory / "contacts.hdf");
  EXPECT_EQ(frame.kind, "contacts");
  EXPECT_EQ(frame.time, 0.125);
  EXPECT_EQ(frame.step, 12U);
  EXPECT_EQ(frame.points, 2U);
  EXPECT_EQ(array_named(frame, "impulse").components, 3U);
  EXPECT_EQ(array_named(frame, "impulse").max, 3e-3);
  EXPECT_EQ(array_named(frame, "gap").min, -1e-6);
  EXPECT_EQ(array_named(frame, "class").max, 1);
}

TEST_F(Frames, AreReadAsTheyWereWritten) {
  write_grains(directory / "grains.hdf", grains_of(three_bodies(), kSpheres));
  const GrainsFrame grains = read_grains(directory / "grains.hdf");
  EXPECT_EQ(grains.time, 0.25);
  EXPECT_EQ(grains.step, 50U);
  State again;
  again.time = grains.time, again.step = grains.step, again.bodies = grains.bodies;
  EXPECT_EQ(grains.bodies.id[1], BodyId{7});
  EXPECT_EQ(grains.bodies.material[2], 1);
  EXPECT_EQ(grains.bodies.prototype.size(), 3U);
  write_grains(directory / "again.hdf", grains_of(again, kSpheres));
  EXPECT_EQ(text_of(directory / "grains.hdf"), text_of(directory / "again.hdf"));

  const std::vector contacts{contact_between({1}, {2}, 3e-3, ContactClass::sticking),
                             contact_between({2}, obstacle_id(4), 0, ContactClass::separating)};
  write_contacts(directory / "contacts.hdf", contacts, 0.125, 12);
  const ContactsFrame frame = read_contacts(directory / "contacts.hdf");
  EXPECT_EQ(frame.contacts[1].b, obstacle_id(4));
  EXPECT_EQ(frame.contacts[0].impulse, (Vec3{0, 0, 3e-3}));
  write_contacts(directory / "again.hdf", frame.contacts, frame.time, frame.step);
  EXPECT_EQ(text_of(directory / "contacts.hdf"), text_of(directory / "again.hdf"));
}

TEST_F(Frames, OfContactsAreReadWithAndWithoutTheirCertificates) {
  ContactRecord contact = contact_between({1}, {2}, 3e-3, ContactClass::sliding);
  contact.cone_violation = 1, contact.complementarity_violation = 2, contact.dissipated_energy = -3;
  contact.painleve_number = 4;
  const auto path = directory / "contacts.hdf";
  write_contacts(path, std::vector{contact}, 0.125, 12);
  const auto values = [&] {
    const ContactRecord c = read_contacts(path).contacts.at(0);
    return std::vector{c.cone_violation, c.complementarity_violation, c.dissipated_energy,
                       c.painleve_number};
  };
  EXPECT_EQ(values(), (std::vector<double>{1, 2, -3, 4}));
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  for (const char* name :
       {"cone_violation", "complementarity_violation", "dissipated_energy", "painleve_number"})
    H5Ldelete(file, (std::string("/VTKHDF/PointData/") + name).c_str(), H5P_DEFAULT);
  H5Fclose(file);
  EXPECT_EQ(values(), (std::vector<double>(4))) << "as in frames of before";
}

TEST_F(Frames, OfContactsHaveWhatResistsTurningIfAskedTo) {
  ContactRecord contact = contact_between({1}, {2}, 3e-3, ContactClass::sliding);
  contact.angular_impulse = {1e-5, -2e-5, 3e-5};
  const auto path = directory / "contacts.hdf";
  write_contacts(path, std::vector{contact}, 0.125, 12);
  EXPECT_EQ(read_contacts(path).contacts.at(0).angular_impulse, Vec3{});
  write_contacts(path, std::vector{contact}, 0.125, 12, {.angular_impulse = true});
  EXPECT_EQ(read_contacts(path).contacts.at(0).angular_impulse, contact.angular_impulse);
}

/// Message of the exception from `call`.
template <class Error, class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST_F(Frames, AreRefusedWhenAnArrayIsMissingOrWrong) {
  const auto path = directory / "grains.hdf";
  const auto message = [&] { return refusal<InputError>([&] { (void)read_grains(path); }); };
  const auto change = [&](auto&& how) {
    write_grains(path, grains_of(three_bodies(), kSpheres));
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    how(file);
    H5Fclose(file);
  };
  for (const char* name : {"position", "radius", "mass", "velocity", "angular_velocity",
                           "quaternion", "id", "material"}) {
    const std::string array = std::string("/VTKHDF/CellData/") + name;
    change([&](hid_t file) { H5Ldelete(file, array.c_str(), H5P_DEFAULT); });
    EXPECT_NE(message().find("it lacks " + array), std::string::npos) << message();
  }
  change([](hid_t file) {
    const hid_t set = H5Dopen2(file, "/VTKHDF/CellData/id", H5P_DEFAULT);
    const std::int64_t ids[] = {2, -7, 9};
    H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, ids);
    H5Dclose(set);
  });
  EXPECT_NE(message().find("/VTKHDF/CellData/id has a -7"), std::string::npos) << message();
  write_contacts(path, {}, 0, 0);
  EXPECT_NE(message().find("it holds contacts, not grains"), std::string::npos) << message();
  EXPECT_THROW((void)read_contacts(directory / "none.hdf"), OutputError);
}

TEST_F(Frames, MayBeEmpty) {
  write_grains(directory / "grains.hdf", grains_of(State{}, kSpheres));
  write_contacts(directory / "contacts.hdf", {}, 0, 0);
  EXPECT_EQ(summarise_frame(directory / "grains.hdf").points, 0U);
  EXPECT_EQ(summarise_frame(directory / "contacts.hdf").points, 0U);
  EXPECT_EQ(read_grains(directory / "grains.hdf").bodies.size(), 0U);
  EXPECT_TRUE(read_contacts(directory / "contacts.hdf").contacts.empty());
}

TEST_F(Frames, LeaveNoPartBehind) {
  write_grains(directory / "grains.hdf", grains_of(three_bodies(), kSpheres));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory), {}), 1);
}

TEST_F(Frames, AreTheSameBytesForTheSameState) {
  write_grains(directory / "a.hdf", grains_of(three_bodies(), kSpheres));
  write_grains(directory / "b.hdf", grains_of(three_bodies(), kSpheres));
  EXPECT_EQ(text_of(directory / "a.hdf"), text_of(directory / "b.hdf"));
}

TEST_F(Frames, AreRefusedWhenTheyAreSomethingElse) {
  write_file(directory / "text.hdf", "not HDF5");
  EXPECT_THROW((void)summarise_frame(directory / "text.hdf"), InputError);
  EXPECT_THROW((void)summarise_frame(directory / "none.hdf"), OutputError);
}

TEST_F(Frames, TellWhereTheyCannotBeWritten) {
  try {
    write_grains(directory / "missing" / "grains.hdf", grains_of(three_bodies(), kSpheres));
    FAIL() << "no error";
  } catch (const OutputError& error) {
    EXPECT_NE(std::string(error.what()).find("missing/grains.hdf: No such file or directory; "),
              std::string::npos)
        << error.what();
  }
}

TEST_F(Frames, AreListedWithTheirTimes) {
  FrameSeries series(directory, "grains");
  EXPECT_EQ(series.next_path(), directory / "frames/grains_000000.hdf");
  series.append(0, 1);
  EXPECT_EQ(series.next_path(), directory / "frames/grains_000001.hdf");
  series.append(0.5, 2);
  const std::string text = text_of(directory / "grains.hdf.series");
  EXPECT_NE(text.find("\"file-series-version\": \"1.0\""), std::string::npos);
  EXPECT_NE(text.find("frames/grains_000001.hdf"), std::string::npos);
  EXPECT_NE(text.find("\"time\": 0.5"), std::string::npos);
}

TEST_F(Frames, AreListedInAFileThatIsSeldomWrittenAndLagsLittle) {
  const auto file = directory / "grains.hdf.series";
  FrameSeries series(directory, "grains");
  auto files = nlohmann::json::array();
  std::size_t listed = 0, changes = 0;
  for (std::size_t k = 0; k < 2000; ++k) {
    const double time = static_cast<double>(k) / 3;
    series.append(time, 1);
    files.push_back({{"name", fmt::format("frames/grains_{:06}.hdf", k)}, {"time", time}});
    const std::size_t now = read_series(file).size();
    ASSERT_GE(64 * now, 63 * (k + 1));
    changes += now != listed;
    listed = now;
  }
  EXPECT_LT(changes, 64 * (1 + std::log(2000.0 / 64)));
  series.list_all();
  const nlohmann::ordered_json whole{{"file-series-version", "1.0"}, {"files", files}};
  EXPECT_EQ(text_of(file), whole.dump(1) + "\n");
}

TEST_F(Frames, OfASeriesThatWasCutAreListedAgain) {
  const auto file = directory / "grains.hdf.series";
  FrameSeries series(directory, "grains");
  for (const double time : {0.0, 0.5, 1.0}) series.append(time, 1);
  const std::string whole = text_of(file);
  for (const std::string& damaged : {whole.substr(0, whole.size() - 4), std::string()}) {
    write_file(file, damaged);
    const FrameSeries going_on(directory, "grains", series.mark());
    EXPECT_EQ(text_of(file), whole);
  }
}

TEST_F(Frames, ThatCameBeforeAnyWasToBeKeptAreRemoved) {
  FrameSeries series(directory, "grains");
  const auto nothing = series.mark();
  make_directories(directory / "frames");
  write_file(series.next_path(), "");
  series.append(0, 1);
  const FrameSeries going_on(directory, "grains", nothing);
  EXPECT_FALSE(std::filesystem::exists(directory / "grains.hdf.series"));
  EXPECT_FALSE(std::filesystem::exists(directory / "frames/grains_000000.hdf"));
}

TEST_F(Frames, AreGoneOnWithIfTheyAreWhatWasWritten) {
  FrameSeries series(directory, "grains");
  make_directories(directory / "frames");
  for (const double time : {0.0, 0.5, 1.0}) {
    GrainsFrame frame = grains_of(three_bodies(), kSpheres);
    frame.time = time;
    series.append(time, write_grains(series.next_path(), frame));
  }
  auto mark = series.mark();
  mark.erase(2);
  EXPECT_NO_THROW(series.require(mark));
  const auto second = directory / "frames/grains_000001.hdf";
  const std::string whole = text_of(second);
  write_file(second, whole.substr(0, 100));
  EXPECT_THROW(series.require(mark), InputError);
  write_file(second, whole);
  const FrameSeries going_on(directory, "grains", mark);
  EXPECT_EQ(going_on.mark(), mark);
  EXPECT_EQ(read_series(directory / "grains.hdf.series").size(), 2U);
  EXPECT_FALSE(std::filesystem::exists(directory / "frames/grains_000002.hdf"));
  EXPECT_THROW(going_on.require(series.mark()), InputError);
}

TEST_F(Frames, ThatCannotBeRemovedAreAnErrorOfFiles) {
  make_directories(directory / "grains.hdf.series");
  write_file(directory / "grains.hdf.series/mine", "");
  EXPECT_THROW(FrameSeries(directory, "grains").remove(), OutputError);
}

/// The words on the only fault after one change.
template <class Frame, class Change>
std::string fault_after(Frame frame, Change&& change) {
  change(frame);
  const auto faults = faults_of(frame);
  return faults.size() == 1 ? in_words(faults.front(), frame)
                            : std::to_string(faults.size()) + " faults";
}

TEST(FrameFaults, AreFoundInEachField) {
  const GrainsFrame frame = grains_of(three_bodies(), kSpheres);
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const auto fault = [&](auto change) {
    return fault_after(frame, [&](GrainsFrame& f) { change(f.bodies); });
  };
  EXPECT_TRUE(faults_of(frame).empty());
  EXPECT_EQ(fault([&](Bodies& b) { b.position[0].z = nan; }), "body 2: position is not finite");
  EXPECT_EQ(fault([&](Bodies& b) { b.velocity[1].x = infinity; }),
            "body 7: velocity is not finite");
  EXPECT_EQ(fault([&](Bodies& b) { b.angular_velocity[2].y = nan; }),
            "body 9: angular_velocity is not finite");
  EXPECT_EQ(fault([&](Bodies& b) { b.orientation[2].w = nan; }),
            "body 9: quaternion is not finite");
  EXPECT_EQ(fault([&](Bodies& b) { b.radius[0] = 0; }),
            "body 2: radius is not a finite number > 0");
  EXPECT_EQ(fault([&](Bodies& b) { b.mass[0] = nan; }), "body 2: mass is not a finite number > 0");
  EXPECT_EQ(fault([&](Bodies& b) { b.id[1] = {1}; }), "body 1: id comes after a larger one");
  EXPECT_EQ(fault([&](Bodies& b) { b.id[1] = {2}; }), "2 faults");
}

TEST(FrameFaults, OfContactsAreFoundInEachField) {
  const ContactsFrame frame{0, 1, {contact_between({1}, {2}, 3e-3, ContactClass::sticking)}};
  const double nan = std::nan("");
  const auto fault = [&](auto change) {
    return fault_after(frame, [&](ContactsFrame& f) { change(f.contacts[0]); });
  };
  EXPECT_TRUE(faults_of(frame).empty());
  EXPECT_EQ(fault([&](ContactRecord& c) { c.impulse.x = nan; }),
            "contact of body 1 and body 2: impulse is not finite");
  EXPECT_EQ(fault([&](ContactRecord& c) { c.normal = {}; }),
            "contact of body 1 and body 2: normal is not a unit vector");
  EXPECT_EQ(fault([&](ContactRecord& c) { c.point.y = nan; }),
            "contact of body 1 and body 2: point is not finite");
  EXPECT_EQ(fault([&](ContactRecord& c) { c.gap = nan; }),
            "contact of body 1 and body 2: gap is not finite");
  EXPECT_EQ(fault([&](ContactRecord& c) { c.residual = nan; }),
            "contact of body 1 and body 2: residual is not finite");
  EXPECT_EQ(fault([&](ContactRecord& c) { c.b = {1}; }),
            "contact of body 1 and body 1: id_b is not the id of a body that id_a could touch");
}

TEST(FrameFaults, AreLeftOutRowByRow) {
  GrainsFrame frame = grains_of(three_bodies(), kSpheres);
  frame.bodies.radius[1] = -1;
  remove_faults(frame, faults_of(frame));
  ASSERT_EQ(frame.bodies.size(), 2U);
  EXPECT_EQ(frame.bodies.id[1], BodyId{9});
  EXPECT_EQ(frame.bodies.position[1], (Vec3{9, 0.5, -1}));
  EXPECT_EQ(frame.bodies.mass.size(), 2U);
}

TEST_F(Frames, ThatClaimMoreRowsThanTheyStoreAreRefused) {
  const std::filesystem::path corpus = SCREE_TEST_DATA "/corpus/contacts";
  EXPECT_TRUE(read_contacts(corpus / "contacts_000001.hdf").contacts.empty());
  EXPECT_THROW((void)read_contacts(corpus / "claims_many_rows.hdf"), InputError);
  EXPECT_THROW((void)read_contacts(corpus / "wraps_around.hdf"), InputError);
}

}  // namespace
}  // namespace scree
