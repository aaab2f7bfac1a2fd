// The smallest HTTP client: what is sent is exactly what the test says, however wrong.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sinew::test {

struct HttpAnswer {
  int status = 0;  // 0: no connection, or no answer
  std::string head, body;

  nlohmann::json json() const { return nlohmann::json::parse(body, nullptr, false); }
};

// Sends the bytes to host:port and reads until the server closes.
HttpAnswer send_raw(int port, const std::string& bytes, const std::string& host = "127.0.0.1");

HttpAnswer get(int port, const std::string& path);
HttpAnswer post(int port, const std::string& path, const std::string& body);

}  // namespace sinew::test
