#include "tests/viewer/http.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

namespace sinew::test {

HttpAnswer send_raw(int port, const std::string& bytes, const std::string& host) {
  HttpAnswer answer;
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  inet_pton(AF_INET, host.c_str(), &address.sin_addr);
  const timeval patience = {60, 0};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::string received;
  if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    // The server may close before it has read everything; what it answered still counts.
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t now = send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (now <= 0) break;
      sent += static_cast<std::size_t>(now);
    }
    char buffer[65536];
    for (ssize_t size; (size = recv(connection, buffer, sizeof buffer, 0)) > 0;) {
      received.append(buffer, static_cast<std::size_t>(size));
    }
  }
  close(connection);
  const std::size_t end = received.find("\r\n\r\n");
  if (end == std::string::npos || received.rfind("HTTP/1.1 ", 0) != 0) return answer;
  answer.status = std::atoi(received.c_str() + 9);
  answer.head = received.substr(0, end);
  answer.body = received.substr(end + 4);
  return answer;
}

HttpAnswer get(int port, const std::string& path) {
  return send_raw(port, "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n\r\n");
}

HttpAnswer post(int port, const std::string& path, const std::string& body) {
  return send_raw(port, "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                            "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

}  // namespace sinew::test
