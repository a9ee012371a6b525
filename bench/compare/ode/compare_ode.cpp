// Steps the robot of bench_joints by the Open Dynamics Engine, for the same time and with the same
// bodies, hinges, motors, floor and step. ODE's friction is a pyramid, its motors have no maximum
// torque here, and neither of its steppers reports residuals of contacts.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numbers>
#include <ode/ode.h>
#include <vector>

namespace {

constexpr double kPi = std::numbers::pi, kStep = 1e-3, kDensity = 2000;
constexpr double kStiffness = 800, kDamping = 8;  // of each motor [N m/rad, N m s/rad]

using Point = std::array<double, 3>;

Point operator+(const Point& a, const Point& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

struct Motor {
  dJointID hinge;
  double swing, phase;
};

class Robot {
 public:
  Robot() {
    dWorldSetGravity(world_, 0, 0, -9.81);
    dWorldSetQuickStepNumIterations(world_, 20);  // its default
    dCreatePlane(space_, 0, 0, 1, 0);
    const Point middle{0, 0, 0.56};
    trunk_ = add_box(middle, {0.6, 0.3, 0.12});
    for (const double x : {-0.25, 0.0, 0.25})
      for (const double side : {-1.0, 1.0})
        add_leg(middle + Point{x, 0.2 * side, 0}, x * kPi * 4 + side * kPi / 2);
  }
  ~Robot() {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  Robot(const Robot&) = delete;
  Robot& operator=(const Robot&) = delete;

  /// Makes one step, exactly by pivots or by sweeps. Returns the number of contacts.
  int step(bool quick) {
    time_ += kStep;
    for (const Motor& motor : motors_) {
      // A limit of zero width, as soft as the motor: the same implicit rule.
      const double target = motor.swing * std::sin(8 * time_ + motor.phase);
      dJointSetHingeParam(motor.hinge, dParamLoStop, -target);
      dJointSetHingeParam(motor.hinge, dParamHiStop, -target);
    }
    count_ = 0;
    dSpaceCollide(space_, this, collide);
    quick ? dWorldQuickStep(world_, kStep) : dWorldStep(world_, kStep);
    dJointGroupEmpty(contacts_);
    return count_;
  }
  /// Largest distance between the ends of a hinge [m].
  double error() const {
    double max_difference = 0;
    for (const Motor& motor : motors_) {
      dVector3 one, other;
      dJointGetHingeAnchor(motor.hinge, one);
      dJointGetHingeAnchor2(motor.hinge, other);
      max_difference = std::max(
          max_difference, std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]));
    }
    return max_difference;
  }
  double height() const { return dBodyGetPosition(trunk_)[2]; }

 private:
  static void collide(void* robot, dGeomID a, dGeomID b) {
    // Contacts of bodies of the robot with each other are left out; the floor has no body.
    if (dGeomGetBody(a) && dGeomGetBody(b)) return;
    Robot& self = *static_cast<Robot*>(robot);
    constexpr int kMax = 4;
    dContact contacts[kMax] = {};
    const int found = dCollide(a, b, kMax, &contacts[0].geom, sizeof(dContact));
    for (int k = 0; k < found; ++k) {
      contacts[k].surface.mode = dContactApprox1;
      contacts[k].surface.mu = 0.6;
      dJointAttach(dJointCreateContact(self.world_, self.contacts_, &contacts[k]), dGeomGetBody(a),
                   dGeomGetBody(b));
    }
    self.count_ += found;
  }

  dBodyID add_box(const Point& at, const Point& size) {
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetBox(&mass, kDensity, size[0], size[1], size[2]);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, at[0], at[1], at[2]);
    dGeomSetBody(dCreateBox(space_, size[0], size[1], size[2]), body);
    return body;
  }

  void hinge(dBodyID a, dBodyID b, const Point& at, const Point& axis, double swing, double phase) {
    const dJointID joint = dJointCreateHinge(world_, nullptr);
    dJointAttach(joint, a, b);
    dJointSetHingeAnchor(joint, at[0], at[1], at[2]);
    dJointSetHingeAxis(joint, axis[0], axis[1], axis[2]);
    const double d = kStep * kStiffness + kDamping;
    dJointSetHingeParam(joint, dParamStopERP, kStep * kStiffness / d);
    dJointSetHingeParam(joint, dParamStopCFM, 1 / d);
    motors_.push_back({joint, swing, phase});
  }

  void add_leg(const Point& top, double phase) {
    const auto below = [&](double depth) { return top + Point{0, 0, -depth}; };
    const Point link{0.05, 0.05, 0.2}, small{0.06, 0.06, 0.06};
    const dBodyID hip = add_box(top, small), thigh = add_box(below(0.14), link),
                  shank = add_box(below(0.36), link), ankle = add_box(below(0.5), small),
                  sole = add_box(below(0.55), {0.12, 0.1, 0.02});
    hinge(trunk_, hip, top, {1, 0, 0}, 0.02, phase);
    hinge(hip, thigh, below(0.03), {0, 1, 0}, 0.05, phase);
    hinge(thigh, shank, below(0.25), {0, 1, 0}, 0.1, phase + kPi);
    hinge(shank, ankle, below(0.47), {0, 1, 0}, 0.05, phase);
    hinge(ankle, sole, below(0.53), {1, 0, 0}, 0.02, phase + kPi);
  }

  dWorldID world_ = dWorldCreate();
  dSpaceID space_ = dHashSpaceCreate(nullptr);
  dJointGroupID contacts_ = dJointGroupCreate(0);
  dBodyID trunk_ = nullptr;
  std::vector<Motor> motors_;
  double time_ = 0;
  int count_ = 0;
};

void run(const char* name, bool quick) {
  constexpr int kBefore = 300, kBatches = 5, kSteps = 400;
  Robot robot;
  for (int k = 0; k < kBefore; ++k) robot.step(quick);
  std::vector<double> seconds;
  double contacts = 0, error = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    const std::clock_t start = std::clock();
    for (int k = 0; k < kSteps; ++k) contacts += robot.step(quick);
    error = std::max(error, robot.error());
    seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / kSteps);
  }
  std::ranges::sort(seconds);
  std::printf(
      "%s: %.1f contacts on the mean, trunk at %.4f m, ends %.2g m apart; %.0f steps/s (%.0f to "
      "%.0f)\n",
      name, contacts / (kBatches * kSteps), robot.height(), error, 1 / seconds[kBatches / 2],
      1 / seconds.back(), 1 / seconds.front());
}

}  // namespace

int main() {
  dInitODE2(0);
  run("ODE, dWorldStep", false);
  run("ODE, dWorldQuickStep", true);
  dCloseODE();
}
