/// Converts quantities with units, by UDUNITS-2.
#include "scene/yaml/units.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <mutex>
#include <udunits2.h>

namespace scree::scene {

namespace {

constexpr std::size_t kLongestUnit = 64;

struct UnitDeleter {
  void operator()(ut_unit* unit) const { ut_free(unit); }
};
using Unit = std::unique_ptr<ut_unit, UnitDeleter>;

/// Unit database with a lock, because UDUNITS keeps global state.
struct Database {
  ut_system* system = nullptr;
  std::mutex mutex;
  Database() {
    ut_set_error_message_handler(ut_ignore);
    system = ut_read_xml(nullptr);
    // The database knows only "degree" and "arc_degree"
    if (ut_unit* degree = system ? ut_get_unit_by_name(system, "arc_degree") : nullptr) {
      ut_map_symbol_to_unit("deg", UT_ASCII, degree);
      ut_free(degree);
    }
  }
};

Database& database() {
  static Database instance;
  return instance;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n\r") - first + 1);
}

/// True if a unit contains a number that is not an exponent, as in "650 kg/m3" after a 2: UDUNITS
/// would multiply by it or take it for an origin. "1/s" is a unit.
bool has_number_of_its_own(std::string_view unit) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto ends_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  for (std::size_t k = unit.starts_with("1/") ? 2 : 0; k < unit.size(); ++k) {
    if (!is_digit(unit[k]) || (k > 0 && is_digit(unit[k - 1]))) continue;
    std::size_t before = k;
    if (before > 0 && (unit[before - 1] == '-' || unit[before - 1] == '+')) --before;
    const std::string_view base = unit.substr(0, before);
    const bool exponent =
        base.ends_with('^') || base.ends_with("**") || (!base.empty() && ends_name(base.back()));
    if (!exponent) return true;
  }
  return false;
}

/// Number of SI units in one `unit`; NaN if the dimensions differ or it is not a plain multiple
/// (temperatures, decibels).
double factor_between(ut_system* system, ut_unit* unit, ut_unit* si) {
  const Unit one(ut_get_dimensionless_unit_one(system));
  const Unit ratio(ut_divide(unit, si));
  if (!ratio || !ut_is_dimensionless(ratio.get()) || !ut_are_convertible(ratio.get(), one.get()))
    return std::nan("");
  const std::unique_ptr<cv_converter, decltype(&cv_free)> converter(
      ut_get_converter(ratio.get(), one.get()), &cv_free);
  if (!converter || cv_convert_double(converter.get(), 0) != 0) return std::nan("");
  return cv_convert_double(converter.get(), 1);
}

/// Product value · factor. For factors such as 1e-3, which no double holds, dividing by 1000 gives
/// the nearest number.
double scaled(double value, double factor) {
  const double divisor = std::round(1 / factor);
  if (factor < 1 && std::abs(divisor * factor - 1) < 1e-14) return value / divisor;
  const double multiplier = std::round(factor);
  if (factor >= 1 && std::abs(multiplier / factor - 1) < 1e-14) return value * multiplier;
  return value * factor;
}

}  // namespace

std::variant<double, UnitProblem> convert_quantity(std::string_view text,
                                                   const std::string& si_unit) {
  const std::string_view all = trimmed(text);
  const std::string_view digits = all.starts_with('+') ? all.substr(1) : all;
  double value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (status == std::errc::invalid_argument) return UnitProblem{"does not start with a number"};
  if (status == std::errc::result_out_of_range || !std::isfinite(value))
    return UnitProblem{"has a number that double precision cannot hold"};

  const std::string unit_text(trimmed(std::string_view(end, digits.data() + digits.size() - end)));
  if (unit_text.empty()) return UnitProblem{"has no unit; write plain numbers without quotes"};
  if (unit_text.size() > kLongestUnit) return UnitProblem{"has a unit that is too long"};

  if (has_number_of_its_own(unit_text))
    return UnitProblem{
        fmt::format("has a second number in '{}'; write one number, without spaces in it, and "
                    "then the unit",
                    unit_text)};

  Database& db = database();
  const std::lock_guard lock(db.mutex);
  if (!db.system)
    return UnitProblem{"cannot be converted: the unit database of UDUNITS-2 was not found"};
  const Unit unit(ut_parse(db.system, unit_text.c_str(), UT_UTF8));
  if (!unit) return UnitProblem{fmt::format("has the unknown unit '{}'", unit_text)};
  const Unit si(ut_parse(db.system, si_unit.c_str(), UT_UTF8));
  const double factor = factor_between(db.system, unit.get(), si.get());
  if (!(std::isfinite(factor) && factor > 0)) {
    std::array<char, 128> base{};
    const int n = ut_format(unit.get(), base.data(), base.size() - 1, UT_ASCII | UT_DEFINITION);
    return UnitProblem{
        n > 0 && unit_text != base.data()
            ? fmt::format("has the wrong dimension ({} is {})", unit_text, base.data())
            : fmt::format("has the wrong dimension ({})", unit_text)};
  }
  const double result = scaled(value, factor);
  if (!std::isfinite(result)) return UnitProblem{"is larger than double precision can hold"};
  return result;
}

namespace {

/// True if the unit of a quantity counts revolutions, degrees or radians.
bool counts_angles(std::string_view text) {
  const std::size_t begin = text.find_first_not_of("+-0123456789.eE \t");
  if (begin == std::string_view::npos) return false;
  Database& db = database();
  const std::lock_guard lock(db.mutex);
  const Unit unit(ut_parse(db.system, std::string(text.substr(begin)).c_str(), UT_UTF8));
  if (!unit) return false;
  std::array<char, 128> base{};
  const int n = ut_format(unit.get(), base.data(), base.size() - 1, UT_ASCII | UT_DEFINITION);
  return n > 0 && std::string_view(base.data()).find("rad") != std::string_view::npos;
}

}  // namespace

std::string trouble_of_angles(std::string_view text, std::string_view si_unit) {
  const bool names_an_angle = counts_angles(text);
  if (si_unit == "rad/s" && !names_an_angle)
    return "does not name an angle; write rpm, deg or rad, as in '30 rpm' or '3.14 rad/s'";
  if ((si_unit == "1/s" || si_unit == "Hz") && names_an_angle)
    return "is an angular speed; give a frequency in 1/s, Hz or 1/min";
  return {};
}

std::string expected_quantity(std::string_view si_unit) {
  static const std::map<std::string_view, std::string_view> kExamples{
      {"m", "a length in m, such as 0.001 or '1 mm'"},
      {"s", "a time in s, such as 1e-5 or '10 us'"},
      {"kg", "a mass in kg, such as 0.002 or '2 g'"},
      {"N", "a force in N, such as 0.002 or '2 mN'"},
      {"m/s", "a velocity in m/s, such as 0.5 or '50 cm/s'"},
      {"m/s2", "an acceleration in m/s2, such as -9.81 or '-9.81 m/s2'"},
      {"kg/m3", "a density in kg/m3, such as 2650 or '2.65 g/cm3'"},
      {"rad", "an angle in rad, such as 0.5 or '30 deg'"},
      {"rad/s", "an angular velocity in rad/s, such as 6.3 or '360 deg/s'"}};
  const auto it = kExamples.find(si_unit);
  return it == kExamples.end() ? fmt::format("a quantity in {}", si_unit) : std::string(it->second);
}

}  // namespace scree::scene
