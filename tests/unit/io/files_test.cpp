#include "scree/io/files.hpp"

#include <algorithm>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scree/io/checksum.hpp"
#include "scree/io/frames.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/io/sha256.hpp"
#include "unit/io/io_fixture.hpp"

namespace scree {
namespace {

using Files = InDirectory;

TEST_F(Files, AreReplacedWhole) {
  write_file(directory / "a", "old");
  write_file(directory / "a", "new");
  EXPECT_EQ(read_file(directory / "a"), "new");
  EXPECT_FALSE(std::filesystem::exists(part_path(directory / "a")));
}

TEST_F(Files, KeepTheOldContentWhenTheNewCannotBeWritten) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere: run this test as another user";
  write_file(directory / "a", "old");
  std::filesystem::permissions(
      directory, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_THROW(write_file(directory / "a", "new"), OutputError);
  std::filesystem::permissions(directory, std::filesystem::perms::owner_all);
  EXPECT_EQ(read_file(directory / "a"), "old");
}

TEST_F(Files, TellWhyTheyCannotBeWritten) {
  write_file(directory / "a", "a file, no directory");
  try {
    make_directories(directory / "a" / "b");
    FAIL() << "no error";
  } catch (const OutputError& error) {
    EXPECT_NE(std::string(error.what()).find("Not a directory; a file is where"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW((void)read_file(directory / "none"), OutputError);
}

TEST_F(Files, BehindALinkAreReplacedAndTheLinkStays) {
  write_file(directory / "a", "old");
  std::filesystem::create_symlink("a", directory / "link");
  std::filesystem::create_symlink(directory / "link", directory / "link_to_link");
  std::filesystem::create_symlink("b", directory / "dangling");
  write_file(directory / "link_to_link", "new");
  write_file(directory / "dangling", "made");
  EXPECT_EQ(read_file(directory / "a"), "new");
  EXPECT_EQ(read_file(directory / "b"), "made");
  for (const char* link : {"link", "link_to_link", "dangling"})
    EXPECT_TRUE(std::filesystem::is_symlink(directory / link)) << link;
  std::filesystem::create_symlink("loop", directory / "loop");
  EXPECT_THROW(write_file(directory / "loop", "none"), OutputError);
}

TEST_F(Files, ThatArePipesTakeTheContentAndStay) {
  const auto pipe = directory / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0666), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  write_file(pipe, "through");
  std::string text(16, '\0');
  text.resize(
      static_cast<std::size_t>(std::max<ssize_t>(0, ::read(reader, text.data(), text.size()))));
  ::close(reader);
  EXPECT_EQ(text, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_THROW(write_file("/dev/full", "x"), OutputError);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

/// A file system of 1 MB.
class FullDisk : public InDirectory {
 protected:
  void SetUp() override {
    disk = directory / "disk";
    std::filesystem::create_directory(disk);
    mounted = ::mount("none", disk.c_str(), "tmpfs", 0, "size=1m") == 0;
    if (!mounted)
      GTEST_SKIP() << "a small file system can be mounted by root only: a full disk was NOT tested";
  }
  void TearDown() override {
    if (mounted) ::umount2(disk.c_str(), MNT_DETACH);
  }
  std::filesystem::path disk;
  bool mounted = false;
};

TEST_F(FullDisk, IsToldAndLeavesNoPartOfAFile) {
  try {
    write_file(disk / "a", std::string(std::size_t{2} << 20, 'a'));
    FAIL() << "no error";
  } catch (const OutputError& error) {
    EXPECT_NE(std::string(error.what()).find("No space left on device; free some space"),
              std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(std::filesystem::is_empty(disk));
}

TEST_F(FullDisk, IsToldAndLeavesNoPartOfAFrame) {
  State state;
  for (std::uint64_t id = 0; id < 20000; ++id)
    state.bodies.push_back({.id = {id}, .radius = 1, .mass = 1});
  for (int attempt = 0; attempt < 3; ++attempt) {
    try {
      write_grains(disk / "grains.hdf", grains_of(state, kSpheres));
      FAIL() << "no error";
    } catch (const OutputError& error) {
      EXPECT_NE(std::string(error.what()).find("No space left on device"), std::string::npos)
          << error.what();
    }
    EXPECT_TRUE(std::filesystem::is_empty(disk));
  }
}

TEST(Sha256, AgreesWithTheExamplesOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheBytesCome) {
  const std::string text(300, 'x');
  for (const std::size_t cut : {0U, 1U, 55U, 56U, 63U, 64U, 65U, 299U}) {
    Sha256 hash;
    hash.add(text.substr(0, cut));
    hash.add(text.substr(cut));
    EXPECT_EQ(hash.finish(), sha256(text)) << cut;
  }
}

TEST_F(Files, TakeNothingFromWhatStandsWhereTheyAreWrittenFirst) {
  write_file(directory / "precious", "mine");
  std::filesystem::create_symlink(directory / "precious", part_path(directory / "a"));
  write_file(directory / "a", "new");
  EXPECT_EQ(read_file(directory / "precious"), "mine");
  EXPECT_EQ(read_file(directory / "a"), "new");
}

TEST_F(Files, TellBeforehandThatADirectoryCannotBeMade) {
  write_file(directory / "a", "a file, no directory");
  EXPECT_THROW(require_writable(directory / "a"), OutputError);
  EXPECT_THROW(require_writable(directory / "a" / "b" / "c"), OutputError);
  EXPECT_NO_THROW(require_writable(directory / "b" / "c"));
  EXPECT_FALSE(std::filesystem::exists(directory / "b"));
}

TEST(Checksums, AgreeWithXxh64) {
  EXPECT_EQ(checksum(""), 0xef46db3751d8e999);
  EXPECT_EQ(checksum("a"), 0xd24ec4f1a98c6e5b);
  EXPECT_EQ(checksum("abc"), 0x44bc2cf5ad770999);
  EXPECT_EQ(checksum("Call me Ishmael. Some years ago--never mind how long precisely-"),
            0x02a2e85470d6fd96);
}

TEST(Checksums, DoNotDependOnHowTheBytesCome) {
  std::string text;
  for (int k = 0; k < 300; ++k) text += static_cast<char>(k * k);
  for (const std::size_t cut : {0U, 1U, 31U, 32U, 33U, 64U, 299U}) {
    Checksum sum;
    sum.add(std::string_view(text).substr(0, cut));
    sum.add(std::string_view(text).substr(cut));
    EXPECT_EQ(sum.value(), checksum(text)) << cut;
  }
}

TEST_F(Files, ThatARunGoesOnWithAreTheOnesItWrote) {
  write_file(directory / "a", "some text");
  EXPECT_NO_THROW(require_content(directory / "a", checksum("some text")));
  EXPECT_THROW(require_content(directory / "a", checksum("some")), InputError);
  EXPECT_EQ(require_content(directory / "a", 4, checksum("some")).value(), checksum("some"));
  EXPECT_THROW(require_content(directory / "a", 5, checksum("some")), InputError);
  EXPECT_THROW(require_content(directory / "a", 10, checksum("some text")), InputError);
  EXPECT_THROW(require_content(directory / "none", checksum("")), InputError);
}

}  // namespace
}  // namespace scree
