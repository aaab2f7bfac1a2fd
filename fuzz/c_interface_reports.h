// Calls of the C interface that check, repair and exchange skins, with any arguments: a part of c_interface_fuzzer.cpp.
#pragma once

#include <array>
#include <cstring>
#include <functional>

#include "fuzz/fuzz_input.h"
#include "sinew/sinew_c.h"

namespace sinew::fuzz {

class ReportCalls {
 public:
  // `character` and `result` choose one of those that there are, living or not.
  ReportCalls(Input& input, std::function<sinew_character*()> character, std::function<sinew_result*()> result)
      : input_(input), character_(std::move(character)), result_(std::move(result)), own_(sinew_result_create()) {}
  ~ReportCalls() {
    for (sinew_check_report* report : checks_) sinew_check_report_destroy(report);
    sinew_fix_report_destroy(fixed_);
    sinew_result_destroy(own_);
  }
  ReportCalls(const ReportCalls&) = delete;
  ReportCalls& operator=(const ReportCalls&) = delete;

  void generate() {
    sinew_generate_options options;
    sinew_generate_options_defaults(&options, sizeof options);
    size_of(options);
    options.cells = static_cast<int>(input_.below(64));
    options.keep_axes = input_.below(2) == 0;
    options.density = input_.below(4) == 0 ? input_.take<double>() : 1;
    if (input_.below(4) == 0) options.up[input_.below(3)] = input_.take<double>();
    options.threads = 1;
    sinew_generate_skeleton(character_(), &options, nullptr, result_());
  }

  void recognise() {
    sinew_recognise_options options;
    sinew_recognise_options_defaults(&options, sizeof options);
    size_of(options);
    options.cells = static_cast<int>(input_.below(64));
    if (input_.below(4) == 0) options.up[input_.below(3)] = input_.take<double>();
    if (input_.below(4) == 0) options.forward[input_.below(3)] = input_.take<double>();
    options.threads = 1;
    sinew_body body = {};
    body.struct_size = sizeof(body);
    size_of(body);
    sinew_recognise(character_(), &options, nullptr, input_.below(2) == 0 ? nullptr : &body, result_());
  }

  void check() {
    const sinew_check_options options = check_options();
    sinew_check_report* made = nullptr;
    if (input_.below(4) == 0) {
      sinew_range_of_motion(character_(), &made, result_());
    } else {
      sinew_check(character_(), &options, nullptr, &made, result_());
    }
    if (made == nullptr) return;
    sinew_check_report_destroy(checks_[0]);
    checks_[0] = made;
  }

  void fix() {
    const sinew_check_options check = check_options();
    sinew_fix_options options;
    sinew_fix_options_defaults(&options, sizeof options);
    size_of(options);
    options.check = input_.below(2) == 0 ? nullptr : &check;
    options.max_repairs = static_cast<int>(input_.below(3));
    options.threads = 1;
    sinew_fix_report* made = nullptr;
    if (sinew_fix(character_(), &options, nullptr, input_.below(4) == 0 ? nullptr : &made, result_()) == SINEW_OK) {
      sinew_fix_report_destroy(fixed_);
      fixed_ = made;
    }
    sinew_check_report* before = nullptr;
    sinew_get_fix_checks(fixed_, input_.below(2) == 0 ? nullptr : &before, nullptr, result_());
    sinew_check_report_destroy(checks_[1]);
    checks_[1] = before;
    sinew_repair repair{};
    size_of(repair);
    sinew_get_repair(fixed_, input_.below(3), nullptr, &repair, result_());
    sinew_fix_info info{};
    size_of(info);
    sinew_get_fix_info(fixed_, &info, result_());
    if (input_.below(8) == 0) sinew_fix_report_destroy(fixed_);
  }

  void look_at_check() {
    const sinew_check_report* looked = checks_[input_.below(checks_.size())];
    sinew_check_info info{};
    size_of(info);
    sinew_get_check_info(looked, &info, result_());
    sinew_finding finding{};
    size_of(finding);
    if (sinew_get_finding(looked, input_.below(3), &finding, result_()) == SINEW_OK &&
        finding.struct_size == sizeof finding) {
      double sum = static_cast<double>(std::strlen(finding.what) + std::strlen(finding.kind));
      for (std::size_t i = 0; i < finding.vertex_count; ++i) sum += finding.vertices[i];
      keep_ = sum;
    }
    sinew_check_pose pose{};
    size_of(pose);
    sinew_get_check_pose(looked, input_.below(4), &pose, result_());
    std::vector<sinew_joint_transform> posed(most);
    sinew_take_check_pose(looked, input_.below(4), posed.data(), input_.below(most), result_());
    sinew_finding_picture_options options;
    sinew_finding_picture_options_defaults(&options, sizeof options);
    options.width = static_cast<int>(input_.below(6)) - 1;
    options.height = 4;
    options.samples = 1;
    options.threads = 1;
    sinew_picture_finding(looked, input_.below(3), &options, nullptr, result_());
    if (input_.below(4) == 0) sinew_make_check_page(looked, &options, nullptr, result_());
    if (input_.below(8) == 0) sinew_check_report_destroy(checks_[0]);
  }

  void weights_from_others() {
    const std::array<std::uint32_t, 1> vertices{static_cast<std::uint32_t>(input_.below(most))};
    sinew_weight_selection selection{};
    size_of(selection);
    selection.vertex_count = input_.below(2);
    selection.vertices = vertices.data();
    if (input_.below(4) == 0) selection.parts = input_.below(2) == 0 ? "part" : "*,-";
    if (input_.below(4) == 0) selection.locked_joints = "joint";
    sinew_transfer_options transfer;
    sinew_transfer_options_defaults(&transfer, sizeof transfer);
    transfer.selection = input_.below(2) == 0 ? nullptr : &selection;
    transfer.max_distance = input_.below(4) == 0 ? input_.take<double>() : 1;
    transfer.threads = 1;
    sinew_transfer_weights(character_(), character_(), &transfer, nullptr, result_());
    sinew_copy_options copy;
    sinew_copy_options_defaults(&copy, sizeof copy);
    copy.selection = transfer.selection;
    copy.tolerance = input_.below(4) == 0 ? input_.take<double>() : 0.1;
    copy.threads = 1;
    sinew_copy_weights(character_(), character_(), &copy, nullptr, result_());
    const std::vector<float> mask = input_.coordinates(most);
    const sinew_weight_layer layer{character_(), input_.below(4) == 0 ? "part" : nullptr, input_.below(most),
                                   maybe(input_, mask)};
    sinew_combine_weights(character_(), &layer, input_.below(2), nullptr, nullptr, result_());
    sinew_mask_from_colors(character_(), input_.below(2) == 0 ? "red" : "no such", result_());
    sinew_twist_options twist;
    sinew_twist_options_defaults(&twist, sizeof twist);
    twist.per_limb = static_cast<int>(input_.below(5));
    sinew_add_twist_joints(character_(), &twist, result_());
  }

  void edit_weights() {
    const std::array<std::uint32_t, 2> vertices{static_cast<std::uint32_t>(input_.below(most)), 0};
    const std::array<std::int32_t, 1> joints{static_cast<std::int32_t>(input_.below(most)) - 1};
    sinew_weight_selection selection{};
    size_of(selection);
    selection.vertex_count = input_.below(3);
    selection.vertices = input_.below(16) == 0 ? nullptr : vertices.data();
    selection.locked_count = input_.below(2);
    selection.locked = joints.data();
    const sinew_weight_selection* chosen = input_.below(2) == 0 ? nullptr : &selection;
    const double number = input_.below(4) == 0 ? input_.take<double>() : 0.3;
    switch (input_.below(4)) {
      case 0: {
        sinew_mirror_options options;
        sinew_mirror_options_defaults(&options, sizeof options);
        size_of(options);
        options.selection = chosen;
        options.by_topology = static_cast<int>(input_.below(2));
        options.reach = number;
        options.threads = 1;
        sinew_mirror_weights(character_(), &options, nullptr, result_());
        return;
      }
      case 1: {
        sinew_smooth_options options;
        sinew_smooth_options_defaults(&options, sizeof options);
        size_of(options);
        options.selection = chosen;
        options.joint_count = input_.below(2);
        options.joints = joints.data();
        options.strength = number;
        options.iterations = static_cast<int>(input_.below(6)) - 1;
        options.max_influences = static_cast<int>(input_.below(20)) - 1;
        options.threads = 1;
        sinew_smooth_weights(character_(), &options, nullptr, result_());
        return;
      }
      case 2: {
        sinew_prune_options options;
        sinew_prune_options_defaults(&options, sizeof options);
        size_of(options);
        options.selection = chosen;
        options.joint_count = input_.below(2);
        options.joints = joints.data();
        options.threshold = number;
        options.threads = 1;
        sinew_prune_weights(character_(), &options, nullptr, result_());
        return;
      }
      default: {
        sinew_limit_options options;
        sinew_limit_options_defaults(&options, sizeof options);
        size_of(options);
        options.selection = chosen;
        options.max_influences = static_cast<int>(input_.below(6)) - 1;
        options.poses = static_cast<int>(input_.below(4)) - 1;
        options.threads = 1;
        sinew_limit_influences(character_(), &options, nullptr, result_());
      }
    }
  }

  void train() {
    const std::array<const sinew_character*, 2> characters{character_(), character_()};
    const std::array<const char*, 2> groups{"a", input_.below(8) == 0 ? nullptr : "b"};
    sinew_train_weights_options options;
    sinew_train_weights_options_defaults(&options, sizeof options);
    size_of(options);
    options.vertices = 49 + static_cast<int>(input_.below(3));
    options.epochs = static_cast<int>(input_.below(2));
    options.hidden = 8;
    options.members = static_cast<int>(input_.below(3));
    options.apart_count = input_.below(2);
    options.apart = characters.data();
    options.threads = 1;
    sinew_train_weights(input_.below(16) == 0 ? nullptr : characters.data(),
                        input_.below(2) == 0 ? nullptr : groups.data(), input_.below(3), &options, nullptr, result_());
  }

  void weights_as_text() {
    static constexpr const char* forms[] = {"json", "csv", "no such"};
    const std::vector<char> rubbish = input_.array<char>(input_.below(16));
    sinew_import_weights(character_(), rubbish.data(), rubbish.size(), nullptr, result_());
    if (sinew_export_weights(character_(), forms[input_.below(std::size(forms))], own_) != SINEW_OK) return;
    const void* bytes = nullptr;
    std::size_t size = 0;
    if (sinew_result_file(own_, 0, nullptr, &bytes, &size) != SINEW_OK) return;
    sinew_import_weights(character_(), static_cast<const char*>(bytes), size, nullptr, result_());
  }

 private:
  static constexpr std::size_t most = 12;  // of vertices and joints, as in the characters

  template <typename Struct>
  void size_of(Struct& arrays) {
    arrays.struct_size = input_.below(32) == 0 ? input_.take<std::uint8_t>() : sizeof arrays;
  }

  sinew_check_options check_options() {
    static constexpr const char* names[] = {"bleed", "spike", "unweighted", "no such", nullptr};
    sinew_check_options options;
    sinew_check_options_defaults(&options, sizeof options);
    size_of(options);
    options.max_influences = static_cast<int>(input_.below(6)) - 1;
    options.tolerance = input_.below(4) == 0 ? input_.take<double>() : 0.02;
    kind_ = names[input_.below(std::size(names))];
    options.kinds = &kind_;
    options.kind_count = input_.below(4) == 0 ? 1 : 0;
    options.threads = 1;
    return options;
  }

  Input& input_;
  std::function<sinew_character*()> character_;
  std::function<sinew_result*()> result_;
  sinew_result* own_;
  std::array<sinew_check_report*, 2> checks_{};
  sinew_fix_report* fixed_ = nullptr;
  const char* kind_ = nullptr;
  volatile double keep_ = 0;
};

}  // namespace sinew::fuzz
