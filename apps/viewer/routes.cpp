// Every request of the page (docs/formats/viewer-protocol.md).
#include <nlohmann/json.hpp>

#include "apps/viewer/files.h"
#include "apps/viewer/fitting.h"
#include "apps/viewer/packet.h"
#include "apps/viewer/requests.h"
#include "apps/viewer/server_state.h"

namespace sinew::viewer {

using httplib::Request;
using httplib::Response;
using nlohmann::json;

namespace {

void send_packet(Response& response, const std::string& bytes) {
  response.set_content(bytes, "application/octet-stream");
}

json mirror_to_json(const JointMirror& mirror) {
  const Vec3d& n = mirror.normal;
  return {{"joints", mirror.joints}, {"normal", {n.x(), n.y(), n.z()}}, {"offset", mirror.offset}};
}

std::string opened_packet(const OpenedCharacter& opened) {
  json header = {{"generation", opened.generation},
                 {"rig", opened.rig},
                 {"has_materials", opened.character.source != nullptr},
                 {"mirror", mirror_to_json(mirror_joints(opened.character.skeleton))}};
  std::vector<float> before;
  if (opened.fitted) {
    const Skeleton& skeleton = opened.fitted->source.skeleton;
    json held = json::array();
    for (const HeldJoint& joint : opened.fitted->held) {
      const Vec3d& p = joint.position;
      held.push_back({{"joint", joint.joint}, {"position", {p.x(), p.y(), p.z()}}});
    }
    header["fitted"] = {{"confidence", opened.fitted->confidence}, {"held", std::move(held)}};
    for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
      for (int axis = 0; axis < 3; ++axis) before.push_back(static_cast<float>(skeleton.position(joint)[axis]));
    }
  }
  Packet packet = character_packet(opened.character, std::move(header));
  if (!before.empty()) packet.add("before", before);
  return packet.bytes();
}

}  // namespace

// The document's state, and what else there is for the open character.
json Server::State::state() const {
  const std::shared_ptr<const OpenedCharacter> opened = document.opened();
  json object = document.state();
  object.update(correctives.describe(*opened));
  object["levels"] = levels.describe(*opened);
  return object;
}

void Server::State::start_job(Response& response, Worker::Job job) {
  const int id = worker.start(std::move(job));
  if (id == 0) {
    const Error busy(ErrorCode::not_now, "something else is being computed", "wait for it or cancel it");
    return refuse(response, 409, busy);
  }
  answer(response, {{"job", id}}, 202);
}

void Server::State::add_page() {
  for (const PageFile& file : options.page) {
    http.Get("/" + token + "/" + file.path,
             [&file](const Request&, Response& response) { response.set_content(file.bytes, file.type); });
  }
}

void Server::State::add_reading() {
  const std::string api = "/" + token + "/api/";
  http.Get(api + "methods", [](const Request&, Response& response) { answer(response, describe_methods()); });
  http.Get(api + "state", [this](const Request&, Response& response) { answer(response, state()); });
  http.Get(api + "character",
           [this](const Request&, Response& response) { send_packet(response, opened_packet(*document.opened())); });
  http.Get(api + "opened.glb", [this](const Request&, Response& response) {
    response.set_content(opened_glb(document), "model/gltf-binary");
  });
  http.Get(api + "result.glb", [this](const Request&, Response& response) {
    response.set_content(result_glb(document), "model/gltf-binary");
  });
  http.Get(api + "result.pins.json", [this](const Request&, Response& response) {
    const EntryPointer entry = document.current();
    response.set_content(write_pins(entry->pins, entry->opened->character.skeleton), "application/json");
  });
  http.Get(api + "result.skincells", [this](const Request&, Response& response) {
    const EntryPointer entry = document.current();
    if (entry->field.empty()) {
      return refuse(response, 404,
                    Error(ErrorCode::not_now, "these weights do not come from a field", "bind with skincells"));
    }
    response.set_content(reinterpret_cast<const char*>(entry->field.data()), entry->field.size(),
                         "application/octet-stream");
  });
  http.Get(api + "weights/([0-9]{1,9})", [this](const Request& request, Response& response) {
    const auto entry = document.find(static_cast<int>(whole_number(request.matches[1])));
    if (!entry) return refuse(response, 404, Error(ErrorCode::not_now, "these weights are no longer there"));
    std::vector<std::uint32_t> pins;
    for (const WeightPin& pin : entry->pins) pins.push_back(pin.vertex);
    send_packet(response, weights_packet(entry->weights, pins, {{"id", entry->id}}));
  });
  http.Get(api + "level/([0-9]{1,9})", [this](const Request& request, Response& response) {
    const std::size_t level = whole_number(request.matches[1]);
    send_packet(response, level_packet(levels.character(*document.current(), level), {{"level", level}}));
  });
  http.Get(api + "truth", [this](const Request&, Response& response) {
    send_packet(response, correctives.truth_poses(*document.opened()));
  });
  // Answers when something changed since `after`, or after a second: the page asks again and again.
  http.Get(api + "job", [this](const Request& request, Response& response) {
    if (!request.has_param("after")) return answer(response, to_json(worker.status()));
    const std::uint64_t after = whole_number(request.get_param_value("after"));
    answer(response, to_json(worker.status(after, std::chrono::seconds(1))));
  });
}

void Server::State::add_changes() {
  const std::string api = "/" + token + "/api/";
  http.Post(api + "bind", [this](const Request& request, Response& response) {
    BindRequest parsed = parse_bind_request(request.body, options.seed);
    start_job(response, [this, parsed = std::move(parsed)](const Progress& progress) {
      run_bind(document, binder, parsed, progress);
    });
  });
  http.Post(api + "paint", [this](const Request& request, Response& response) {
    PaintRequest parsed = parse_paint_request(request.body, document.opened()->character);
    start_job(response, [this, parsed = std::move(parsed)](const Progress& progress) {
      painter.paint(document, parsed, options.seed, progress);
    });
  });
  http.Post(api + "fit", [this](const Request& request, Response& response) {
    FitRequest parsed = parse_fit_request(request.body);
    start_job(response,
              [this, parsed = std::move(parsed)](const Progress& progress) { run_fit(document, parsed, progress); });
  });
  http.Post(api + "levels", [this](const Request&, Response& response) {
    start_job(response, [this](const Progress& progress) { levels.make(document, progress); });
  });
  http.Post(api + "open", [this](const Request& request, Response& response) {
    DroppedFile dropped;
    dropped.name = request.get_param_value("name");
    if (dropped.name.empty() || dropped.name.size() > 255 || dropped.name.find('\0') != std::string::npos) {
      return refuse(response, 400, refused("the file needs a name of 1 … 255 bytes"));
    }
    dropped.bytes = request.body;
    dropped.take_skeleton = request.get_param_value("take") == "skeleton";
    start_job(response, [this, dropped = std::make_shared<DroppedFile>(std::move(dropped))](const Progress& progress) {
      run_open(document, correctives, *dropped, options.seed, progress);
    });
  });
  // A frame of correctives takes less than a millisecond: answered at once, not as a job.
  http.Post(api + "pose", [this](const Request& request, Response& response) {
    send_packet(response, correctives.pose(*document.current(), request.body));
  });
  http.Post(api + "cancel/([0-9]{1,9})", [this](const Request& request, Response& response) {
    answer(response, {{"cancelled", worker.cancel(static_cast<int>(whole_number(request.matches[1])))}});
  });
  http.Post(api + "undo", [this](const Request&, Response& response) {
    document.undo();
    answer(response, state());
  });
  http.Post(api + "redo", [this](const Request&, Response& response) {
    document.redo();
    answer(response, state());
  });
}

}  // namespace sinew::viewer
