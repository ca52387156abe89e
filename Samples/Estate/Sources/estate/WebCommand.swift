import ArgumentParser
import EstateApp
import EstateWeb
import Foundation
import HTTPServing

/// Serves the app to a browser.
struct WebCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Serves the app's screens as pages on 127.0.0.1, until it is interrupted.",
    discussion: """
      When connections are accepted it prints 'estate: the app is at http://127.0.0.1:PORT/'. The app's \
      requests are printed here, its screens are shown in the browser. URLs and commands that are typed \
      here change what the browser shows.
      """)

  @OptionGroup var options: ServerOptions

  @Option(help: "The port on 127.0.0.1; 0 for any free one.")
  var port = 0

  @Option(help: "A file that keeps the open screens between runs.")
  var resume: String?

  @Argument(
    help: ArgumentHelp(
      "Links with which the system opens the app, such as estate://home/42; they wait until pages are served."
    ))
  var links: [String] = []

  /// The lines that are typed in the terminal, until the end of the input.
  private static func typedLines() -> AsyncStream<String> {
    let (lines, typed) = AsyncStream.makeStream(of: String.self)
    // A thread of its own, because reading blocks; it ends with the process.
    Thread.detachNewThread {
      while let line = readLine() { typed.yield(line) }
      typed.finish()
    }
    return lines
  }

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535, not \(port).") }
  }

  @MainActor func run() async throws {
    let (host, prompt) = (WebHost(), WebPrompt())
    let shell = try options.shell(prompt: prompt, host: host)
    let session = WebSession(shell, host: host, prompt: prompt)
    let server = WebServer(session, port: UInt16(port), logger: options.logger)
    if let resume { await shell.resume(from: resume) }
    // Not awaited here, because each waits until the server can show it.
    let arriving = links.map { link in Task { await shell.receive(link) } }
    defer { for link in arriving { link.cancel() } }
    let typing = Task {
      for await line in Self.typedLines() {
        guard await shell.perform(line: line) else { return }
        session.noteCommand()
      }
    }
    defer { typing.cancel() }
    // Before the port is announced, because the signal may follow at once.
    let signals = TerminationSignals()
    try await server.run(until: { await signals.received() }) { port in
      StandardConsole().write("estate: the app is at http://127.0.0.1:\(port)/")
    }
    await shell.enterBackground()
    if let resume { try shell.save(to: resume) }
    await shell.finish()
  }
}
