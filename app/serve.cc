// baton serve: the server, until it is told to stop.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/arguments.h"
#include "app/commands.h"
#include "table/log.h"
#include "table/server.h"

namespace baton::app {
namespace {

// The pages lie beside the program where it was installed, or in the build's neighbourhood where it was built.
std::string standard_web() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return {};
  for (const auto& folder : {program.parent_path() / "web", program.parent_path() / ".." / "web"}) {
    if (std::filesystem::exists(folder / "index.html", error)) return std::filesystem::weakly_canonical(folder, error).string();
  }
  return {};
}

}  // namespace

int run_serve(const Words& words, Terminal& terminal) {
  CLI::App command("Serves games on the net until it gets SIGTERM or SIGINT.", "baton serve");
  table::Settings settings;
  std::string port = std::to_string(settings.port), threads = "1", bot_pause, metrics;
  command.add_option("--port", port, "8080 unless given");
  command.add_option("--address", settings.address, "the IP address to listen on; 127.0.0.1 unless given, 0.0.0.0 for everyone");
  command.add_option("--data", settings.folder, "the folder of the database file; baton-data unless given");
  command.add_option("--database", settings.database, "sqlite://PATH or postgresql://USER:PASSWORD@HOST/NAME instead");
  auto* web = command.add_option("--web", settings.web, "the folder of the browser's pages");
  command.add_option("--public-url", settings.public_url,
                     "how people reach this server, for the links in mails and behind a proxy: https://baton.example.org");
  add_repeatable(command, "--origin", settings.origins, "pages of this origin may use the server too");
  command.add_option("--tls-certificate", settings.tls_certificate, "a PEM file with the certificate and its chain");
  command.add_option("--tls-key", settings.tls_key, "a PEM file with its key");
  command.add_option("--smtp", settings.mail.url, "smtp://HOST:PORT or smtps://HOST; without it mailed links appear in the log");
  command.add_option("--smtp-user", settings.mail.user, "the password comes from the environment: BATON_SMTP_PASSWORD");
  command.add_option("--mail-from", settings.mail.from, "the address that mails come from");
  command.add_flag("--local-webhooks", settings.local_webhooks,
                   "people's webhooks may lead into this network, and without TLS: only where you trust everybody");
  command.add_option("--webhook-ca", settings.webhook_authorities,
                     "a PEM file of the authorities whose certificates webhooks may show; the system's unless given");
  command.add_option("--bot-threads", threads, "how many computer players think at once; 1 unless given");
  command.add_option("--bot-pause", bot_pause,
                     "the milliseconds a computer player at least takes for a choice; by chance 350 to 900 unless given");
  command.add_flag("--behind-proxy", settings.behind_proxy, "take people's addresses from X-Forwarded-For");
  command.add_option("--metrics", metrics, "public: show /metrics to everyone, not only on this machine");
  if (const auto code = parse(command, words, terminal)) return *code;

  const auto port_number = whole_number("--port", port, 0, 65535);
  if (!port_number) return refuse(terminal, port_number.error());
  settings.port = static_cast<unsigned short>(*port_number);
  const auto thread_number = whole_number("--bot-threads", threads, 1, 256);
  if (!thread_number) return refuse(terminal, thread_number.error());
  settings.thinking_threads = static_cast<int>(*thread_number);
  if (!bot_pause.empty()) {
    const auto pause = whole_number("--bot-pause", bot_pause, 0, 60'000);
    if (!pause) return refuse(terminal, pause.error());
    settings.bot_wait = {table::Milliseconds{*pause}, table::Milliseconds{*pause}};
  }
  if (!metrics.empty() && metrics != "public") return refuse(terminal, "--metrics can only be \"public\"");
  settings.public_metrics = !metrics.empty();
  if (settings.tls_certificate.empty() != settings.tls_key.empty()) return refuse(terminal, "--tls-certificate and --tls-key go together");
  if (!settings.webhook_authorities.empty() && !std::ifstream(settings.webhook_authorities))
    return refuse(terminal, "--webhook-ca: \"" + settings.webhook_authorities + "\" cannot be read");
  if (const char* password = std::getenv("BATON_SMTP_PASSWORD")) settings.mail.password = password;
  if (web->count() == 0) settings.web = standard_web();

  table::use_log_form();
  auto server = table::Server::open(settings);
  if (!server) return refuse(terminal, server.error());
  terminal.print("Baton is open at {}://{}:{}\n", settings.tls_certificate.empty() ? "http" : "https",
                 settings.address == "0.0.0.0" || settings.address == "127.0.0.1" ? "localhost" : settings.address, (*server)->port());
  terminal.out.flush();
  const auto ended = (*server)->run();
  if (!ended) return refuse(terminal, ended.error());
  return exit_done;
}

}  // namespace baton::app
