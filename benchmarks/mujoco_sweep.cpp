// Many runs of Andrews' squeezing mechanism, whose stiffness and masses vary: cases of a sweep on one thread beside a
// loop of MuJoCo (2.2.2, Debian's libmujoco-dev) over the same links, whose closing joints are its soft constraints.
//   raak_mujoco_sweep PLAN.toml [CASES]     a plan over examples/parts/andrews-links.toml that varies k and m1 to m7
//   and
//                                           keeps OF.angle at the end first
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "study/sweep/case_runner.h"

namespace {

using namespace raak;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A link in the table of the file: where its frame begins in that of its parent, as it is found at the start.
struct Link {
  const char* name;
  const char* parent;  // "": the ground
  const char* mass;    // parameter
  double inertia, com_x, com_y;
};
constexpr Link links[] = {{"OF", "", "m1", 2.194e-6, 0.00092, 0.0},        {"EF", "OF", "m2", 4.410e-7, 0.0165, 0.0},
                          {"EBD", "EF", "m3", 5.255e-6, 0.01043, 0.01626}, {"GE", "EBD", "m4", 5.667e-7, 0.00579, 0.0},
                          {"AG", "", "m5", 1.169e-5, 0.02308, 0.00916},    {"HE", "EBD", "m6", 5.667e-7, 0.00579, 0.0},
                          {"AH", "", "m7", 1.912e-5, 0.01228, -0.00449}};

struct Frame {
  double x = 0.0, y = 0.0, angle = 0.0;
  // A point of this frame from outside, and back.
  std::pair<double, double> inside(double px, double py) const {
    const double c = std::cos(angle), s = std::sin(angle), dx = px - x, dy = py - y;
    return {c * dx + s * dy, c * dy - s * dx};
  }
};

// The mechanism in MuJoCo's words, closed as Raak starts it. Each link turns about a pin, which is where its body
// begins: in its own frame `pin`, from outside where the joint lies.
class Peer {
 public:
  Peer(const SweptModel& swept, const Model& model, double step) {
    const Parameters parameters = swept.parameters_of(swept.typical);
    const auto number = [&](const char* name) { return parameters.number(name); };
    State shown;
    model.system->report(consistent_start(model), shown);
    const auto at = [&](const std::string& name) {
      const auto& names = model.system->reported().positions;
      return shown.q[std::find(names.begin(), names.end(), name) - names.begin()];
    };
    const auto frame_of = [&](const Link& link) {
      const std::string name = link.name;
      return Frame{at(name + ".x"), at(name + ".y"), at(name + ".angle")};
    };
    const double e = number("e"), zf = number("zf"), d = number("d");
    // The pin about which each link turns, in its own frame.
    const auto pin = [&](const std::string& name) -> std::pair<double, double> {
      if (name == "EF") return {d, 0.0};   // F
      if (name == "GE") return {e, 0.0};   // E
      if (name == "HE") return {zf, 0.0};  // E
      return {0.0, 0.0};                   // O, E, A and A
    };
    std::string bodies;
    const auto open = [&](const auto& self, const std::string& parent, const Frame& outer) -> void {
      for (const Link& link : links) {
        if (parent != link.parent) continue;
        const Frame own = frame_of(link);
        const auto [x, y] = outer.inside(own.x, own.y);
        const auto [px, py] = pin(link.name);
        const double inertia = link.inertia;
        bodies += fmt::format(
            "<body name='{0}' pos='{1:.17g} {2:.17g} 0' euler='0 0 {3:.17g}'>"
            "<joint name='{0}' type='hinge' axis='0 0 1' pos='{4:.17g} {5:.17g} 0'/>"
            "<inertial pos='{6:.17g} {7:.17g} 0' mass='{8:.17g}' diaginertia='{9:.17g} {9:.17g} {9:.17g}'/>",
            link.name, x, y, own.angle - outer.angle, px, py, link.com_x, link.com_y, number(link.mass), inertia);
        if (std::string(link.name) == "EBD") bodies += "<site name='D' pos='0.02 0.017 0'/>";
        self(self, link.name, own);
        bodies += "</body>";
      }
    };
    open(open, "", Frame{});
    const std::string text = fmt::format(
        "<mujoco><compiler angle='radian' inertiafromgeom='false' boundmass='0' boundinertia='0'/>"
        "<option timestep='{:.17g}' gravity='0 0 0' integrator='RK4' solver='Newton' tolerance='1e-12'/>"
        "<worldbody><site name='C' pos='0.014 0.072 0'/>{}</worldbody>"
        "<tendon><spatial name='spring' stiffness='{:.17g}' springlength='{:.17g}'><site site='C'/><site site='D'/>"
        "</spatial></tendon><actuator><motor joint='OF'/></actuator><equality>"
        "<connect body1='EBD' anchor='0 {:.17g} 0' solref='{:.17g} 1' solimp='0.9999 0.9999 0.001'/>"
        "<connect body1='GE' body2='AG' anchor='0 0 0' solref='{:.17g} 1' solimp='0.9999 0.9999 0.001'/>"
        "<connect body1='HE' body2='AH' anchor='0 0 0' solref='{:.17g} 1' solimp='0.9999 0.9999 0.001'/>"
        "</equality></mujoco>",
        step, bodies, number("k"), number("l0"), number("ss"), 2.0 * step, 2.0 * step, 2.0 * step);
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "andrews.xml", static_cast<int>(text.size()));
    std::memcpy(files->filedata[0], text.data(), text.size());
    char why[1000] = "";
    model_ = mj_loadXML("andrews.xml", files.get(), why, sizeof why);
    mj_deleteVFS(files.get());
    if (model_ == nullptr) throw Error(ErrorKind::computation, fmt::format("MuJoCo refuses the model: {}", why));
    data_ = mj_makeData(model_);
    angle_at_start_ = at("OF.angle");
    torque_ = number("tau");
  }
  ~Peer() {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // OF.angle at the end, or not a number where MuJoCo has given up.
  double run(const SweptModel& swept, const std::vector<double>& numbers, double until) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::string& name = swept.design.factors()[i].name;
      if (name == "k") model_->tendon_stiffness[0] = numbers[i];
      for (std::size_t b = 0; b < std::size(links); ++b)
        if (name == links[b].mass) model_->body_mass[mj_name2id(model_, mjOBJ_BODY, links[b].name)] = numbers[i];
    }
    mj_resetData(model_, data_);
    mj_setConst(model_, data_);
    mj_resetData(model_, data_);
    data_->ctrl[0] = torque_;
    const long steps = std::lround(until / model_->opt.timestep);
    for (long i = 0; i < steps; ++i) mj_step(model_, data_);
    const bool failed = data_->warning[mjWARN_BADQACC].number > 0 || data_->warning[mjWARN_BADQPOS].number > 0;
    return failed ? std::nan("") : angle_at_start_ + data_->qpos[0];
  }

 private:
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  double angle_at_start_ = 0.0, torque_ = 0.0;
};

}  // namespace

int main(int count, char** words) {
  if (count < 2) {
    fmt::print("raak_mujoco_sweep PLAN.toml [CASES]\n");
    return 1;
  }
  try {
    const SweptModel swept = read_swept_model(words[1]);
    const std::uint64_t cases = std::min<std::uint64_t>(count > 2 ? std::stoul(words[2]) : 20, swept.design.cases());
    CaseRunner runner(swept, false);
    const Model model = swept.source.build(swept.parameters_of(swept.typical), swept.form);
    std::vector<double> values(swept.width), numbers(swept.roles.size());
    for (std::uint64_t i = 0; i < 50 && i < swept.design.cases(); ++i) runner.run(i, values);  // makes the machine code
    const double began = seconds();
    std::uint64_t done = 0;
    for (; seconds() - began < 1.0; ++done) runner.run(done % swept.design.cases(), values);
    const double rate = static_cast<double>(done) / (seconds() - began);
    fmt::print("Raak, rtol {:g}: {:.0f} runs/s\n", swept.run.rtol, rate);
    for (const double step : {1e-4, 5e-5, 2e-5, 1e-5, 5e-6}) {
      Peer peer(swept, model, step);
      double largest = 0.0, spent = 0.0;
      for (std::uint64_t i = 0; i < cases; ++i) {
        swept.design.numbers(i, numbers);
        runner.run(i, values);
        const double from = seconds();
        const double found = peer.run(swept, numbers, swept.run.until);
        spent += seconds() - from;
        largest = std::isnan(found) ? found : std::fmax(largest, std::abs(found - values[0]));
        if (std::isnan(largest)) break;
      }
      const double peers = static_cast<double>(cases) / spent;
      fmt::print("MuJoCo {}, RK4, steps of {:g} s: {:.1f} runs/s, OF.angle off by {:.2g} rad; Raak {:.0f} x as many\n",
                 mj_versionString(), step, peers, largest, rate / peers);
    }
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
