import ArgumentParser
import EstateApp
import EstateWeb
import Foundation
import HTTPServing

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

  @Flag(help: "Walks through the app first, in the terminal and in the pages; see 'estate tour'.")
  var tour = false

  @Flag(help: "With --tour: ends after it, and exits with 1 if a step did not end as expected.")
  var once = false

  @Flag(help: "Does not wait between the steps of the tour.")
  var noPaging = false

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
    guard tour || !once else { throw ValidationError("--once is for --tour.") }
  }

  @MainActor func run() async throws {
    let (pages, prompt, console) = (WebHost(), WebPrompt(), StandardConsole())
    let script = ScriptedPrompt(tour ? EstateShell.tourAnswers : [], then: prompt)
    let shell = try await options.shell(
      prompt: script, host: tour ? PairedHosts(pages, printingTo: console) : pages)
    let session = WebSession(shell, host: pages, prompt: prompt)
    let server = WebServer(session, port: UInt16(port), logger: options.logger)
    if let resume { await shell.resume(from: resume) }
    // Not awaited here, because each waits until the server can show it.
    let arriving = links.map { link in Task { await shell.receive(link) } }
    defer { for link in arriving { link.cancel() } }
    let (addresses, listening) = AsyncStream.makeStream(of: String.self)
    let touring = Task {
      var listening = addresses.makeAsyncIterator()
      guard tour, let address = await listening.next() else { return true }
      let isAsExpected = await shell.tour(noPaging || once ? .none : .terminal)
      script.skip()
      session.noteCommand()
      if !once { console.write("\nestate: the app stays at \(address) until it is interrupted (Ctrl-C)") }
      return isAsExpected
    }
    defer { touring.cancel() }
    let typing = Task {
      _ = await touring.value
      for await line in Self.typedLines() {
        guard await shell.perform(line: line) else { return }
        session.noteCommand()
      }
    }
    defer { typing.cancel() }
    // Before the port is announced, because the signal may follow at once.
    let signals = TerminationSignals()
    let isEnding = once
    try await server.run(until: {
      await withTaskGroup { group in
        group.addTask { await signals.received() }
        if isEnding { group.addTask { _ = await touring.value } }
        await group.next()
        // Also the tour, whose end the group would wait for.
        touring.cancel()
        group.cancelAll()
      }
    }) { port in
      let address = "http://127.0.0.1:\(port)/"
      console.write("estate: the app is at \(address)")
      listening.yield(address)
    }
    await shell.enterBackground()
    if let resume { try shell.save(to: resume) }
    await shell.finish()
    if once, await !touring.value { throw ExitCode.failure }
  }
}
