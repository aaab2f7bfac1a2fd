// Whom the server does not answer: every request that is not the page's own.
#include <gtest/gtest.h>

#include "apps/viewer/server.h"
#include "tests/viewer/http.h"
#include "tests/viewer/limb.h"

namespace sinew {
namespace {

using test::HttpAnswer;
using test::send_raw;

class Refusals : public testing::Test {
 protected:
  std::string host() const { return "127.0.0.1:" + std::to_string(server_.port()); }
  std::string api(const std::string& name) const { return "/" + server_.token() + "/api/" + name; }
  HttpAnswer get(const std::string& path) const { return test::get(server_.port(), path); }
  HttpAnswer bind(const std::string& body) const { return test::post(server_.port(), api("bind"), body); }
  // A GET of the state, which is answered, with other or more header lines.
  int status_with(const std::string& headers) const {
    return send_raw(server_.port(), "GET " + api("state") + " HTTP/1.1\r\n" + headers + "\r\n").status;
  }

  viewer::Server server_{test::limb(), "limb.glb", {.max_request_bytes = 4096, .max_file_bytes = 1 << 16}};
};

TEST_F(Refusals, TheTokenIsLongAndNewEveryTime) {
  EXPECT_EQ(server_.token().size(), 32u);
  const viewer::Server other(test::limb(), "limb.glb");
  EXPECT_NE(other.token(), server_.token());
  EXPECT_EQ(server_.address(), "http://" + host() + "/" + server_.token() + "/");
  EXPECT_EQ(get(api("state")).status, 200);
}

TEST_F(Refusals, NothingIsAnsweredWithoutTheToken) {
  std::string wrong = server_.token();
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  for (const std::string& path :
       {std::string("/"), std::string("/api/state"), "/" + wrong + "/api/state", "/" + server_.token().substr(1) + "/",
        "/" + server_.token() + "0/api/state", "/x/" + server_.token() + "/api/state", "/api/state?" + server_.token(),
        std::string("/favicon.ico"), "/" + server_.token()}) {
    EXPECT_EQ(get(path).status, 403) << path;
  }
}

TEST_F(Refusals, HostAndOriginMustBeTheServersOwn) {
  const std::string good = "Host: " + host() + "\r\n", port = std::to_string(server_.port());
  EXPECT_EQ(status_with(good), 200);
  EXPECT_EQ(status_with("Host: localhost:" + port + "\r\n"), 200);
  EXPECT_EQ(status_with(good + "Origin: http://" + host() + "\r\n"), 200);
  for (const std::string& headers :
       {std::string(), std::string("Host: example.com\r\n"), "Host: example.com:" + port + "\r\n",
        std::string("Host: 127.0.0.1\r\n"), "Host: 127.0.0.1.example.com:" + port + "\r\n",
        good + "Host: example.com\r\n", good + "Origin: http://example.com\r\n", good + "Origin: null\r\n",
        good + "Origin: https://" + host() + "\r\n", good + "Origin: http://localhost:" + port + "\r\n",
        good + "Sec-Fetch-Site: cross-site\r\n", good + "Sec-Fetch-Site: same-site\r\n"}) {
    EXPECT_EQ(status_with(headers), 403) << headers;
  }
}

TEST_F(Refusals, OnlyThisMachineCanConnect) {
  const std::string request = "GET " + api("state") + " HTTP/1.1\r\nHost: " + host() + "\r\n\r\n";
  EXPECT_EQ(send_raw(server_.port(), request).status, 200);
  // Another address of the loopback device: a server on all interfaces would answer.
  EXPECT_EQ(send_raw(server_.port(), request, "127.0.0.2").status, 0);
}

TEST_F(Refusals, PathsLeadNowhereElse) {
  const std::string root = "/" + server_.token() + "/";
  for (const char* path :
       {"../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "api/../../etc/passwd",
        "api/weights/../../../etc/passwd", "api/weights/-1", "api/weights/1e3", "api/weights/99999999999999999999",
        "api/weights/1%00", "api/", "page.js/", "index.html", "limb.glb", "file:///etc/passwd", "api/opened.glb/x"}) {
    const HttpAnswer answer = get(root + path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_EQ(answer.body.find("root:"), std::string::npos) << path;
  }
  EXPECT_EQ(get(root + "api/weights/77").status, 404);
  EXPECT_EQ(get(api("job") + "?after=many").status, 400);
}

TEST_F(Refusals, OnlyGetAndPost) {
  for (const char* method : {"PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"}) {
    const std::string request =
        std::string(method) + " " + api("state") + " HTTP/1.1\r\nHost: " + host() + "\r\nContent-Length: 0\r\n\r\n";
    EXPECT_EQ(send_raw(server_.port(), request).status, 405) << method;
  }
}

TEST_F(Refusals, BodiesThatAreTooLongOrOfUnknownLength) {
  const std::string start = "POST " + api("bind") + " HTTP/1.1\r\nHost: " + host() + "\r\n";
  EXPECT_EQ(bind(std::string(4097, ' ')).status, 413);
  EXPECT_EQ(bind(std::string(4096, ' ')).status, 400);  // not JSON, but not too long
  EXPECT_EQ(test::post(server_.port(), api("open") + "?name=a.obj", std::string((1 << 16) + 1, 'v')).status, 413);
  EXPECT_EQ(send_raw(server_.port(), start + "Content-Length: 99999999999999999999\r\n\r\n").status, 400);
  EXPECT_EQ(send_raw(server_.port(), start + "Content-Length: -1\r\n\r\n").status, 400);
  EXPECT_EQ(send_raw(server_.port(), start + "Content-Length: 18446744073709551615\r\n\r\n").status, 413);
  EXPECT_EQ(send_raw(server_.port(), start + "\r\n").status, 411);
  EXPECT_EQ(send_raw(server_.port(), start + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n").status, 411);
  EXPECT_EQ(send_raw(server_.port(), start + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}").status, 415);
  EXPECT_EQ(send_raw(server_.port(), start + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}").status, 400);
}

TEST_F(Refusals, WhatFollowsARefusedBodyIsNoRequest) {
  const std::string smuggled = "GET " + api("state") + " HTTP/1.1\r\nHost: " + host() + "\r\n\r\n";
  const HttpAnswer answer = bind(std::string(5000, ' ') + smuggled);
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(answer.body.find("HTTP/1.1"), std::string::npos);
}

TEST_F(Refusals, MalformedBindRequests) {
  for (const char* body : {"",
                           "{",
                           "[]",
                           "null",
                           "1",
                           "\"heat\"",
                           "{}",
                           R"({"method": 3})",
                           R"({"method": "magic"})",
                           R"({"method": "heat", "colour": 1})",
                           R"({"method": "heat", "options": []})",
                           R"({"method": "heat", "options": {"magic": 1}})",
                           R"({"method": "heat", "max_influences": 0})",
                           R"({"method": "heat", "max_influences": 17})",
                           R"({"method": "heat", "max_influences": 2.5})",
                           R"({"method": "heat", "max_influences": 1e300})",
                           R"({"method": "heat", "joints": 7})",
                           R"({"method": "atlas", "options": {"softness": "soft"}})",
                           R"({"method": "atlas", "options": {"softness": -1}})",
                           R"({"method": "atlas", "options": {"softness": 1e300}})",
                           R"({"method": "atlas", "options": {"planes": 1.5}})",
                           R"({"method": "atlas", "options": {"planes": 1e18}})",
                           R"({"method": "atlas", "options": {"distance": "far"}})",
                           R"({"method": "atlas", "options": {"distance": 1}})",
                           "{\"method\": \"\xff\xfe\"}"}) {
    const HttpAnswer answer = bind(body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_FALSE(answer.json()["error"]["message"].get<std::string>().empty()) << body;
  }
  EXPECT_EQ(bind(std::string(4000, '[')).status, 400);
  EXPECT_EQ(get(api("job")).json()["id"], 0) << "none of these may start anything";
}

TEST_F(Refusals, NoOptionNamesAFile) {
  for (const char* option : {"softness-file", "pins", "model", "checkpoint", "field", "body"}) {
    const HttpAnswer answer =
        bind(nlohmann::json{{"method", "skincells"}, {"options", {{option, "/etc/passwd"}}}}.dump());
    EXPECT_EQ(answer.status, 400) << option;
  }
  for (const nlohmann::json& method : get(api("methods")).json()) {
    for (const nlohmann::json& option : method["options"]) {
      EXPECT_TRUE(option["type"] != "choice" || !option["choices"].empty()) << option;
    }
  }
}

TEST_F(Refusals, AnswersForbidOtherSitesToUseThem) {
  const std::string head = get("/" + server_.token() + "/").head;
  for (const char* header : {"Content-Security-Policy: default-src 'none'", "X-Frame-Options: DENY",
                             "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin"}) {
    EXPECT_NE(head.find(header), std::string::npos) << header;
  }
  EXPECT_EQ(head.find("Access-Control-Allow"), std::string::npos);
}

}  // namespace
}  // namespace sinew
