/// The web server of a viewer. The only source that includes the web library.
#include "view/viewer.hpp"

#include <array>
#include <chrono>
#include <fmt/format.h>
#include <httplib.h>
#include <sys/random.h>
#include <thread>

#include "scree/core/csv.hpp"
#include "scree/core/error.hpp"
#include "scree/io/files.hpp"
#include "view/answers.hpp"
#include "view/body_values.hpp"
#include "view/table_series.hpp"

namespace scree {
namespace {

using namespace view;

constexpr const char* kLoopback = "127.0.0.1";

/// 32 random hexadecimal digits.
std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw OutputError("the system has no random numbers for the viewer's address");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

/// Compares all characters, so that the time does not tell how many agree.
bool is_same(const std::string& given, const std::string& token) {
  if (given.size() != token.size()) return false;
  unsigned difference = 0;
  for (std::size_t k = 0; k < token.size(); ++k)
    difference |= static_cast<unsigned>(given[k] ^ token[k]);
  return difference == 0;
}

/// The body of a response, sent as it is: through a provider, because the library would compress
/// texts, which takes longer than to send them.
void answer(httplib::Response& response, std::string bytes, const char* type) {
  const auto content = std::make_shared<const std::string>(std::move(bytes));
  response.set_content_provider(
      content->size(), type,
      [content](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        sink.write(content->data() + offset, length);
        return true;
      });
}

void answer(httplib::Response& response, const Json& json) {
  answer(response, json.dump(-1, ' ', false, Json::error_handler_t::replace), "application/json");
}

/// A parameter that is a whole number ≥ 0. Throws InputError.
std::size_t number_in(const httplib::Request& request, const char* key) {
  const auto value = read_number(request.get_param_value(key));
  if (!value || *value < 0 || *value > 1e15 ||
      *value != static_cast<double>(static_cast<std::size_t>(*value)))
    throw InputError(fmt::format("'{}' must be a whole number", key));
  return static_cast<std::size_t>(*value);
}

}  // namespace

struct Viewer::Server {
  explicit Server(const ViewerSettings& settings)
      : run(settings.run), cache(run), page(read_file(settings.page)), token(random_token()) {
    set_up();
    port = settings.port == 0                            ? http.bind_to_any_port(kLoopback)
           : http.bind_to_port(kLoopback, settings.port) ? settings.port
                                                         : -1;
    if (port < 0)
      throw InputError(
          fmt::format("port {} is in use; choose another one with --port", settings.port));
    address = fmt::format("http://{}:{}/{}/", kLoopback, port, token);
  }

  /// A response, or the error as text.
  using Respond = void (Server::*)(const httplib::Request&, httplib::Response&);
  void get(const char* name, Respond respond) {
    http.Get(fmt::format("/([^/]*)/{}", name),
             [this, respond](const httplib::Request& request, httplib::Response& response) {
               try {
                 (this->*respond)(request, response);
               } catch (const InputError& error) {
                 fail(response, 422, error.what());
               } catch (const std::exception& error) {
                 fail(response, 500, error.what());
               }
             });
  }
  static void fail(httplib::Response& response, int status, const std::string& why) {
    response.status = status;
    response.set_content(why, "text/plain; charset=utf-8");
  }

  void set_up() {
    // A second program must not share the port, as the library's own options allow.
    http.set_socket_options([](socket_t) {});
    // A browser keeps up to six connections open, and each takes a thread.
    http.new_task_queue = [] { return new httplib::ThreadPool(32); };
    http.set_keep_alive_timeout(2);
    http.set_payload_max_length(0);
    http.set_default_headers({{"Cache-Control", "no-store"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"X-Frame-Options", "DENY"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cross-Origin-Resource-Policy", "same-origin"}});
    http.set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          const std::size_t end = request.path.find('/', 1);
          if (end != std::string::npos && is_same(request.path.substr(1, end - 1), token))
            return httplib::Server::HandlerResponse::Unhandled;
          fail(response, 403, "This address lacks the token that `scree view` printed.\n");
          return httplib::Server::HandlerResponse::Handled;
        });
    get("", &Server::send_page);
    get("run", &Server::send_run);
    get("frame", &Server::send_frame);
    get("shapes", &Server::send_shapes);
    get("body", &Server::send_body);
    get("contact", &Server::send_contact);
    get("series", &Server::send_series);
  }

  void send_page(const httplib::Request&, httplib::Response& response) {
    answer(response, page, "text/html; charset=utf-8");
  }
  void send_run(const httplib::Request& request, httplib::Response& response) {
    run.refresh();
    Json description = run.description(number_in(request, "first_frame"));
    description["values"] = list_of_values();
    answer(response, description);
  }
  void send_frame(const httplib::Request& request, httplib::Response& response) {
    answer(response,
           frame_answer(run, cache,
                        {number_in(request, "frame"), request.get_param_value("colour"),
                         request.get_param_value("contacts") == "1",
                         request.get_param_value("known_obstacles")}),
           "application/octet-stream");
  }
  void send_shapes(const httplib::Request& request, httplib::Response& response) {
    answer(response, shapes_answer(cache, number_in(request, "frame")));
  }
  void send_body(const httplib::Request& request, httplib::Response& response) {
    const std::size_t frame = number_in(request, "frame");
    answer(response, request.has_param("row")
                         ? body_in_row_answer(run, cache, frame, number_in(request, "row"))
                         : body_answer(run, cache, frame, number_in(request, "id")));
  }
  void send_contact(const httplib::Request& request, httplib::Response& response) {
    answer(response,
           contact_answer(run, cache, number_in(request, "frame"), number_in(request, "contact")));
  }
  void send_series(const httplib::Request& request, httplib::Response& response) {
    answer(response,
           series_of(run, request.get_param_value("table"), request.get_param_value("column")));
  }

  RunFiles run;
  FrameCache cache;
  std::string page, token, address;
  int port = 0;
  httplib::Server http;
};

Viewer::Viewer(const ViewerSettings& settings) : server_(std::make_unique<Server>(settings)) {}
Viewer::~Viewer() = default;

const std::string& Viewer::address() const { return server_->address; }
int Viewer::port() const { return server_->port; }

void Viewer::serve(const std::function<bool()>& stop_requested) {
  std::thread listener([this] { server_->http.listen_after_bind(); });
  // The library forgets a stop() that comes before it listens.
  while (!stop_requested() || !server_->http.is_running())
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  server_->http.stop();
  listener.join();
}

}  // namespace scree
