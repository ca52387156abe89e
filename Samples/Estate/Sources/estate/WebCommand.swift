import ArgumentParser
import EstateApp
import EstateWeb
import Foundation

/// Shows the app in a browser.
struct WebCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Serves the app's screens as pages on 127.0.0.1, until it is interrupted.",
    discussion: """
      When connections are accepted it prints 'estate: the app is at http://127.0.0.1:PORT/'. The traces of \
      the requests that the app makes are shown here, its screens in the browser.
      """)

  @OptionGroup var options: ServerOptions

  @Option(help: "The port on 127.0.0.1; 0 takes any that is free.")
  var port = 0

  @Option(help: "A file that keeps the open screens from one run to the next.")
  var resume: String?

  @Argument(
    help: ArgumentHelp(
      "Links with which the system opens the app, such as estate://home/42; they wait until pages can be seen."
    ))
  var links: [String] = []

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535, not \(port).") }
  }

  @MainActor func run() async throws {
    let (host, prompt) = (WebHost(), WebPrompt())
    let shell = try EstateShell(
      options.configuration(), console: StandardConsole(), prompt: prompt, logger: options.logger, host: host)
    let server = WebServer(
      WebSession(shell, host: host, prompt: prompt), port: port, logger: options.logger)
    options.prepare(shell)
    if let resume { await shell.resume(from: resume) }
    // They arrive before anything can be shown, so each waits; that is why they are not awaited here.
    let arriving = links.map { link in Task { await shell.receive(link) } }
    defer { for link in arriving { link.cancel() } }
    try await server.run { port in
      StandardConsole().write("estate: the app is at http://127.0.0.1:\(port)/")
    }
    if let resume { try shell.save(to: resume) }
    StandardConsole().write("")
    StandardConsole().write(shell.summary)
  }
}
