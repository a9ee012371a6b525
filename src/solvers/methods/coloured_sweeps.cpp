/// Sweeps of Gauss–Seidel [Jean99] over colours, their certificate and momentum. Our own: chunks of
/// a colour in SIMD lanes, one law at a time.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "scree/solvers/gauss_seidel.hpp"
#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/kernels/joint_blocks.hpp"
#include "solvers/methods/coloured_chunks.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

using kernels::Kernels;

/// Calls f(relax of the law, the law, begin, end) for each run of one law among the blocks of a
/// chunk.
template <class F>
void for_each_law(const Kernels& kernel, ContactProblem& problem, const Chunk& chunk, F&& f) {
  for (std::uint32_t begin = chunk.begin; begin < chunk.end;) {
    const std::uint32_t law = problem.contact_blocks[begin].law;
    std::uint32_t end = begin + 1;
    while (end < chunk.end && problem.contact_blocks[end].law == law) ++end;
    const void* parameters =
        std::visit([](const auto& l) -> const void* { return &l; }, problem.laws[law]);
    f(kernel.relax_contacts[problem.laws[law].index()], parameters, &problem.contact_blocks[begin],
      problem.contact_blocks.data() + end);
    begin = end;
  }
}

/// The same as certify_contacts() for sphere blocks.
double certify_spheres(const Kernels& kernel, const ContactProblem& problem, const Chunk& chunk,
                       double limit, double* squared, kernels::CertificateSums& sums) {
  double largest = 0;
  for (std::uint32_t b = chunk.begin; b < chunk.end; ++b) {
    kernels::BlockVerdict verdict;
    kernel.certify(problem.blocks[b], problem.bodies.data(), verdict);
    for (int k = 0; k < kBlock; ++k) {
      squared[std::size_t{kBlock} * b + static_cast<std::size_t>(k)] = verdict.squared[k];
      sums.squared.add(verdict.squared[k]);
      sums.bias_work.add(verdict.bias_work[k]);
      largest = std::max(largest, verdict.squared[k]);
      sums.loaded += verdict.normal[k] > 0;
      sums.sliding += verdict.normal[k] > 0 && verdict.beyond[k] >= 0;
      sums.over_tolerance += verdict.squared[k] > limit;
    }
  }
  return largest;
}

double certify_joint(const ContactProblem& problem, const JointBlock& joint, double limit,
                     kernels::CertificateSums& sums) {
  const kernels::JointVector u = kernels::relative_velocity(problem.bodies, joint);
  const double squared = kernels::residual(joint, problem.bodies, u);
  sums.squared.add(squared);
  sums.over_tolerance += squared > limit;
  // A given impulse does work by its velocity too; other rows by their bias alone.
  for (int k = 0; k < joint.rows; ++k) {
    const bool is_given =
        joint.kind == JointBlock::Kind::driven && joint.min_impulse[k] == joint.max_impulse[k];
    sums.bias_work.add(((is_given ? u[k] : 0) - joint.bias[k]) * joint.impulse[k]);
  }
  return squared;
}

}  // namespace

const Kernels& kernels::kernels_of([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return avx512_kernels;
  if (set == InstructionSet::avx2) return avx2_kernels;
#endif
  return scalar_kernels;
}

void SolveResult::take_worse(const SolveResult& other) {
  if (other.certificate.residual > certificate.residual)
    convergence_ratio = other.convergence_ratio;
  certificate.residual = std::max(certificate.residual, other.certificate.residual);
  certificate.worst_residual =
      std::max(certificate.worst_residual, other.certificate.worst_residual);
  certificate.over_tolerance =
      std::max(certificate.over_tolerance, other.certificate.over_tolerance);
  certificate.local_failures += other.certificate.local_failures;
  certificate.several_solutions += other.certificate.several_solutions;
  converged = converged && other.converged;
}

void GaussSeidel::apply_warm_start(ContactProblem& problem, ThreadPool& pool) {
  const Kernels& kernel = kernels::kernels_of(pool.instruction_set());
  const SphereContactBlock* last = problem.blocks.data() + problem.blocks.size();
  const auto apply_spheres = [&](std::uint32_t c) {
    const Chunk& chunk = problem.chunks[c];
    kernel.apply(&problem.blocks[chunk.begin], problem.blocks.data() + chunk.end, last,
                 problem.bodies.data(), problem.free_bodies);
  };
  const auto apply_contacts = [&](std::uint32_t c) {
    const Chunk& chunk = problem.contact_chunks[c];
    kernel.apply_contacts(&problem.contact_blocks[chunk.begin],
                          problem.contact_blocks.data() + chunk.end, problem.bodies.data(),
                          problem.free_bodies);
  };
  const auto apply_rolling = [&](std::uint32_t c) {
    const Chunk& chunk = problem.rolling_chunks[c];
    kernel.apply_rolling(&problem.rolling[chunk.begin], problem.rolling.data() + chunk.end,
                         problem.bodies.data(), problem.free_bodies);
  };
  for_each_group(problem, GroupOrder::forward, pool, apply_spheres, apply_contacts, apply_rolling);
  for (const JointBlock& joint : problem.joints)
    kernels::apply(joint, problem.bodies, problem.free_bodies);
}

double GaussSeidel::sweep(ContactProblem& problem, ThreadPool& pool, double island_tolerance) {
  const Kernels& kernel = kernels::kernels_of(pool.instruction_set());
  const std::size_t chunks = problem.chunks.size(),
                    first_rolling = chunks + problem.contact_chunks.size();
  largest_.resize(first_rolling + problem.rolling_chunks.size());
  const SphereContactBlock* last = problem.blocks.data() + problem.blocks.size();
  const auto relax_spheres = [&](std::uint32_t c) {
    const Chunk& chunk = problem.chunks[c];
    double lanes[kBlock] = {};
    kernel.relax(&problem.blocks[chunk.begin], problem.blocks.data() + chunk.end, last,
                 problem.bodies.data(), problem.free_bodies, lanes);
    largest_[c] = largest_of(lanes);
  };
  const auto relax_contacts = [&](std::uint32_t c) {
    double lanes[kBlock] = {};
    for_each_law(kernel, problem, problem.contact_chunks[c],
                 [&](auto relax, const void* law, ContactBlock* begin, ContactBlock* end) {
                   relax(law, begin, end, problem.bodies.data(), problem.free_bodies, lanes);
                 });
    largest_[chunks + c] = largest_of(lanes);
  };
  const auto relax_rolling = [&](std::uint32_t c) {
    const Chunk& chunk = problem.rolling_chunks[c];
    double lanes[kBlock] = {};
    kernel.relax_rolling(problem.contact_blocks.data(), &problem.rolling[chunk.begin],
                         problem.rolling.data() + chunk.end, problem.bodies.data(),
                         problem.free_bodies, lanes);
    largest_[first_rolling + c] = largest_of(lanes);
  };
  // No sweep is needed if islands solve everything.
  if (problem.joints.empty() || !joints_.has_all(problem))
    for_each_group(problem, GroupOrder::forward, pool, relax_spheres, relax_contacts, relax_rolling,
                   [&](std::uint32_t group) { shared_.after_group(problem, group); });
  else
    std::ranges::fill(largest_, 0.0);
  const double of_joints =
      problem.joints.empty() ? 0 : joints_.solve(problem, pool, island_tolerance);
  return std::sqrt(std::max(shared_.largest(largest_of(largest_)), of_joints));
}

Certificate GaussSeidel::certify(const ContactProblem& problem, double tolerance,
                                 ThreadPool& pool) {
  const Kernels& kernel = kernels::kernels_of(pool.instruction_set());
  const ResidualScale scale = problem.residual_scale();
  // The share of the tolerance of one contact, squared.
  const double allowed = scale.allowed(tolerance);
  const double limit =
      allowed * allowed /
      static_cast<double>(std::max<std::size_t>(problem.contacts + problem.joints.size(), 1));
  const std::size_t chunks = problem.chunks.size(),
                    first_joint = chunks + problem.contact_chunks.size();
  largest_.resize(first_joint + problem.joints.size());
  const std::size_t first_full = kBlock * problem.blocks.size(),
                    joints = first_full + kBlock * problem.contact_blocks.size();
  squared_.resize(joints + problem.joints.size());
  sums_.assign((largest_.size() + kCertifiedChunksPerTask - 1) / kCertifiedChunksPerTask, {});
  const auto certify_chunks = [&](std::size_t begin, std::size_t end) {
    kernels::CertificateSums& sums = sums_[begin / kCertifiedChunksPerTask];
    for (std::size_t c = begin; c < end; ++c) {
      if (c < chunks) {
        largest_[c] =
            certify_spheres(kernel, problem, problem.chunks[c], limit, squared_.data(), sums);
      } else if (c < first_joint) {
        largest_[c] = kernels::certify_contacts(kernel, problem, problem.contact_chunks[c - chunks],
                                                limit, squared_.data() + first_full, sums);
      } else {
        const std::size_t joint = c - first_joint;
        largest_[c] = squared_[joints + joint] =
            certify_joint(problem, problem.joints[joint], limit, sums);
      }
    }
  };
  pool.for_each_range(largest_.size(), kCertifiedChunksPerTask, certify_chunks);
  Certificate certificate = certificate_of_ranks();
  certificate.residual = scale.scaled(certificate.error);
  return certificate;
}

/// Adds up the sums and the largest e² of certify(), of all ranks that share the problem.
Certificate GaussSeidel::certificate_of_ranks() {
  RankVerdict mine{{}, -1, 0};
  for (const kernels::CertificateSums& of_task : sums_) mine.sums += of_task;
  const auto worst = std::ranges::max_element(largest_);
  const auto chunk = static_cast<std::uint32_t>(worst - largest_.begin());
  if (worst != largest_.end()) mine.worst = *worst;
  mine.worst_chunk = worst == largest_.end() ? chunk : shared_.number_of(chunk);
  shared_.gather(mine, verdicts_);
  RankVerdict all = verdicts_.front();
  for (const RankVerdict& of_rank : std::span(verdicts_).subspan(1)) {
    all.sums += of_rank.sums;
    if (of_rank.worst < all.worst) continue;
    if (of_rank.worst == all.worst && of_rank.worst_chunk > all.worst_chunk) continue;
    all.worst = of_rank.worst;
    all.worst_chunk = of_rank.worst_chunk;
  }
  Certificate certificate;
  certificate.loaded = all.sums.loaded;
  certificate.sliding = all.sums.sliding;
  certificate.over_tolerance = all.sums.over_tolerance;
  certificate.local_failures = all.sums.local_failures;
  certificate.several_solutions = all.sums.several_solutions;
  certificate.other_choices = all.sums.other_choices;
  certificate.bias_work = all.sums.bias_work.value();
  certificate.worst_chunk = all.worst_chunk;
  certificate.worst_residual = all.worst == -1 ? 0 : std::sqrt(all.worst);
  certificate.error = std::sqrt(all.sums.squared.value());
  return certificate;
}

void Momentum::start() {
  sequence_.restart();
  share_against_.reset();
}

std::size_t Momentum::bytes() const {
  return bodies_.capacity() * sizeof(Motion) + impulses_.capacity() * sizeof(Impulses) +
         votes_.capacity() * sizeof(Votes) + joint_impulses_.capacity() * sizeof(double);
}

std::size_t GaussSeidel::bytes() const {
  return momentum_.bytes() + shared_.bytes() + sums_.capacity() * sizeof(kernels::CertificateSums) +
         (largest_.capacity() + squared_.capacity()) * sizeof(double);
}

namespace {

/// Extrapolates the lanes of x for which `takes` is true, stores in `last` their values for the
/// next extrapolation, and returns the votes on the previous one.
template <class Last, class Takes>
Votes extrapolate_block(double (&x)[3][kBlock], Last& last, double beta, const Takes& takes) {
  double reversal[kBlock] = {};
  for (int k = 0; k < 3; ++k)
    for (int lane = 0; lane < kBlock; ++lane) {
      if (!takes(lane)) continue;
      const double swept = x[k][lane], before = last.swept[k][lane];
      reversal[lane] += (last.extrapolated[k][lane] - swept) * (swept - before);
      last.swept[k][lane] = swept;
      x[k][lane] = last.extrapolated[k][lane] = extrapolated(swept, before, beta);
    }
  Votes votes;
  for (const double of_lane : reversal) votes.count(of_lane);
  return votes;
}

}  // namespace

void Momentum::extrapolate(ContactProblem& problem, ThreadPool& pool, SharedContacts& shared) {
  const double beta = sequence_.next(share_against_.value_or(0));
  // Momentum would extrapolate the release of preload.
  const bool any_tight = !problem.near_tight.empty();
  bodies_.resize(problem.free_bodies);
  impulses_.resize(problem.blocks.size() + problem.contact_blocks.size() + problem.rolling.size());
  joint_impulses_.resize(JointBlock::kMaxRows * problem.joints.size());
  const auto step = [beta](auto& x, auto& last) {
    const auto now = x;
    x = extrapolated(now, last, beta);
    last = now;
  };
  const auto step_body = [&](std::size_t k) {
    if (any_tight && problem.near_tight[k] != 0) return;
    step(problem.bodies[k].velocity, bodies_[k].velocity);
    step(problem.bodies[k].spin, bodies_[k].spin);
  };
  const bool is_part = !problem.part_bodies.empty() || shared.is_taken();
  pool.for_each_range(is_part ? problem.part_bodies.size() : problem.free_bodies,
                      kMomentumBodiesPerTask, [&](std::size_t begin, std::size_t end) {
                        for (std::size_t k = begin; k < end; ++k)
                          step_body(is_part ? problem.part_bodies[k] : k);
                      });
  Votes votes;
  const auto step_run = [&](auto& blocks, std::size_t first, std::size_t begin, std::size_t end) {
    Votes of_run;
    for (std::size_t k = begin; k < end; ++k) {
      if (k + kMomentumBlocksAhead < end)
        for (const auto& component : blocks[k + kMomentumBlocksAhead].impulse)
          __builtin_prefetch(component, 1);
      auto& block = blocks[k];
      Impulses& last = impulses_[first + k];
      of_run +=
          any_tight
              ? extrapolate_block(
                    block.impulse, last, beta,
                    [&](int lane) { return !problem.is_near_tight(block.a[lane], block.b[lane]); })
              : extrapolate_block(block.impulse, last, beta, [](int) { return true; });
    }
    return of_run;
  };
  const auto step_blocks = [&](auto& blocks, std::span<const Chunk> chunks, std::size_t first) {
    const std::size_t count = is_part ? chunks.size() : blocks.size(),
                      per_task = is_part ? kMomentumChunksPerTask : kMomentumBlocksPerTask;
    votes_.assign((count + per_task - 1) / per_task, {});
    pool.for_each_range(count, per_task, [&](std::size_t begin, std::size_t end) {
      Votes& of_task = votes_[begin / per_task];
      if (!is_part) {
        of_task = step_run(blocks, first, begin, end);
        return;
      }
      for (const Chunk& chunk : chunks.subspan(begin, end - begin))
        of_task += step_run(blocks, first, chunk.begin, chunk.end);
    });
    for (const Votes& of_task : votes_) votes += of_task;
  };
  step_blocks(problem.blocks, problem.chunks, 0);
  step_blocks(problem.contact_blocks, problem.contact_chunks, problem.blocks.size());
  step_blocks(problem.rolling, problem.rolling_chunks,
              problem.blocks.size() + problem.contact_blocks.size());
  for (std::size_t k = 0; k < problem.joints.size(); ++k)
    for (int row = 0; row < problem.joints[k].rows; ++row)
      if (!problem.is_near_tight(problem.joints[k].a, problem.joints[k].b))
        step(problem.joints[k].impulse[row], joint_impulses_[JointBlock::kMaxRows * k + row]);
  // The first extrapolation has no previous one to vote on.
  votes = shared.sum(votes);
  share_against_ = share_against_ ? votes.share_against() : 0;
}

SolveResult GaussSeidel::solve(ContactProblem& problem, const SolverSettings& settings,
                               ThreadPool& pool, double goal) {
  const bool is_shared = shared_.take(problem, pool.ranks());
  const SolveResult result = sweep_to(goal, problem, settings, pool);
  if (is_shared) shared_.give_back(problem, squared_);
  return result;
}

SolveResult GaussSeidel::sweep_to(double goal, ContactProblem& problem,
                                  const SolverSettings& settings, ThreadPool& pool) {
  SolveResult result;
  const bool any = !problem.is_empty();
  joints_.prepare(problem, pool);
  // The change per sweep predicts when the residual is worth measuring; every few sweeps it is
  // measured in any case.
  double per_change = std::sqrt(static_cast<double>(problem.contacts + problem.joints.size()));
  const ResidualScale scale = problem.residual_scale();
  const bool accelerated = settings.acceleration == Acceleration::nesterov;
  // Momentum can keep a wedged set from settling: where it no longer helps, it pauses.
  constexpr double kAnything = std::numeric_limits<double>::infinity();
  double falling_from = kAnything;
  int fell_at = 0, paused_until = 0;
  const int max_sweeps = problem.contacts > 0
                             ? settings.max_sweeps
                             : std::min(settings.max_sweeps, kMaxSweepsWithoutContacts);
  double half_way = 0;
  // If islands hold everything, one sweep solves it to a fraction of the tolerance, and is measured
  // at once. The fraction becomes smaller if that was not enough.
  const bool at_once = !problem.joints.empty() && joints_.has_all(problem);
  double fraction = kIslandToleranceFraction;
  // Preload of tight bodies is found without friction of the walls first.
  const int max_smooth = std::min(kMaxSmoothSweeps, max_sweeps / 3);
  bool smooth = !problem.tight.empty() && !at_once;
  double first_change = 0;
  momentum_.start();
  const auto certified = [&](double change) {
    result.certificate = certify(problem, settings.tolerance, pool);
    if (change > 0) per_change = result.certificate.error / change;
    result.converged = result.certificate.residual <= settings.tolerance;
    if (2 * result.sweeps <= max_sweeps) half_way = result.certificate.error;
    if (half_way > 0) result.convergence_ratio = result.certificate.error / half_way;
  };
  while (any && result.sweeps < max_sweeps) {
    const double change =
        sweep(problem, pool, fraction * scale.allowed(std::min(goal, kIslandResidual)));
    ++result.sweeps;
    if (result.sweeps == 1) first_change = change;
    smooth = smooth && result.sweeps < max_smooth && change > kSmoothChange * first_change;
    if (!problem.tight.empty()) release_squeeze(problem, smooth);
    if (smooth) continue;
    const bool promising = at_once || per_change * change <= scale.allowed(goal);
    if (promising || result.sweeps % kSweepsBetweenChecks == 0) {
      certified(change);
      if (result.certificate.residual <= goal) return result;
      if (result.certificate.error < kMomentumProgress * falling_from) {
        falling_from = result.certificate.error;
        fell_at = result.sweeps;
      }
      if (result.sweeps >= paused_until && result.sweeps - fell_at >= kMomentumPatience)
        paused_until = result.sweeps + kMomentumPause;
      fraction = std::max(kIslandToleranceFraction * fraction, kMinIslandToleranceFraction);
    }
    if (result.sweeps == paused_until) {
      momentum_.start();
      falling_from = kAnything;
      fell_at = result.sweeps;
    }
    if (accelerated && !at_once && problem.contacts > 0 && result.sweeps >= paused_until &&
        result.sweeps < max_sweeps)
      momentum_.extrapolate(problem, pool, shared_);
  }
  if (!any || result.sweeps % kSweepsBetweenChecks != 0) certified(0);
  return result;
}

}  // namespace scree
