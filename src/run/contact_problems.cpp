#include "scree/run/contact_problems.hpp"

#include <fmt/format.h>

#include "run/number_table.hpp"

namespace scree {

std::vector<SingleContactProblem> read_contact_problems(const std::filesystem::path& file) {
  constexpr auto kOptional = NumberColumn::Need::optional;
  const TableFormat format{.columns = {{"W_nn"},
                                       {"W_nt"},
                                       {"W_no"},
                                       {"W_tt"},
                                       {"W_to"},
                                       {"W_oo"},
                                       {"q_n"},
                                       {"q_t"},
                                       {"q_o"},
                                       {"mu"},
                                       {"r0_n", kOptional},
                                       {"r0_t", kOptional},
                                       {"r0_o", kOptional}},
                           .label = "id",
                           .needs_label = true,
                           .first_line = "id,W_nn,W_nt,W_no,W_tt,W_to,W_oo,q_n,q_t,q_o,mu",
                           .undone = "nothing was solved"};
  std::vector<SingleContactProblem> problems;
  read_number_table(file, format, [&](std::string id, std::span<const double> x) -> std::string {
    SingleContactProblem problem;
    problem.id = std::move(id);
    problem.W = {x[0], x[1], x[2], x[3], x[4], x[5]};
    problem.q = {x[6], x[7], x[8]};
    problem.mu = x[9];
    problem.warm = {x[10], x[11], x[12]};
    if (problem.mu < 0)
      return fmt::format("column mu: found {}, expected a number ≥ 0", problem.mu);
    problems.push_back(std::move(problem));
    return {};
  });
  return problems;
}

}  // namespace scree
