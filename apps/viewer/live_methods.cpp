#include "apps/viewer/live_methods.h"

#include <algorithm>
#include <memory>

#include "sinew/weights/atlas/atlas.h"

namespace sinew::viewer {
namespace {

LiveMethod live_atlas() {
  return {"atlas",
          {{"softness", 0, 2}},
          [](const BindInput& input, const OptionValues& values, const Progress& progress) -> LiveMethod::Solve {
            auto solver = std::make_shared<AtlasSolver>(input, atlas_options(values), progress);
            return [solver](const OptionValues& now, const Progress& on) {
              return solver->solve(atlas_softness(now), on);
            };
          }};
}

bool is_live(const LiveMethod& live, const std::string& option) {
  return std::any_of(live.options.begin(), live.options.end(), [&](const LiveOption& o) { return o.name == option; });
}

}  // namespace

const LiveMethod* find_live_method(const std::string& method) {
  static const std::vector<LiveMethod> methods = {live_atlas()};
  const auto found =
      std::find_if(methods.begin(), methods.end(), [&](const LiveMethod& live) { return live.method == method; });
  return found == methods.end() ? nullptr : &*found;
}

WeightMethod LiveCache::with_memory(const WeightMethod& method, const std::string& situation) {
  const LiveMethod* live = find_live_method(method.name);
  if (!live) return method;
  WeightMethod remembering = method;
  remembering.solve = [this, live, situation](const BindInput& input, const OptionValues& values,
                                              const Progress& progress, Warnings&) {
    std::string key = live->method + '\n' + situation;
    for (const auto& [name, value] : values) {
      if (!is_live(*live, name)) key += '\n' + name + '=' + format_option(value);
    }
    const bool ready = key == key_;
    if (!ready) {
      solve_ = nullptr;
      key_.clear();
      solve_ = live->prepare(input, values, progress.part(0, 0.9));
      key_ = key;
    }
    return solve_(values, ready ? progress : progress.part(0.9, 1));
  };
  return remembering;
}

}  // namespace sinew::viewer
