import EstateApp
import EstateWeb
import Logging
import Navigation
import Testing

@Suite("Links that open the app", .timeLimit(.minutes(5)))
@MainActor struct LinkTests {
  private func shell(_ server: RunningServer, _ console: RecordingConsole, _ host: WebHost?) throws
    -> EstateShell
  {
    try EstateShell(
      AppConfiguration(server: server.url, state: server.state), console: console, prompt: ScriptedPrompt([]),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, host: host)
  }

  /// Lets other tasks run until a line was written; the suite's time limit ends a wait for nothing.
  private func wait(for line: String, _ console: RecordingConsole) async {
    while !console.lines.contains(line) { await Task.yield() }
  }

  @Test("links wait until there is a host, then open in their order, and no more of them than links may")
  func waiting() async throws {
    let server = try await RunningServer()
    let console = RecordingConsole()
    let shell = try shell(server, console, WebHost())
    let links = ["estate://listings/condo", "https://www.estate.test/homes/42", "estate://logout"]
    var arriving: [Task<StepResult, Never>] = []
    for link in links {
      arriving.append(Task { await shell.receive(link) })
      await wait(for: "  · \(link) waits until the app can show it", console)
    }
    #expect(shell.navigator.state.count == 0)
    #expect(!console.lines.contains { $0.contains("GET ") })
    shell.ready()
    var results: [StepResult] = []
    for link in arriving { results.append(await link.value) }
    #expect(results == [.done, .done, .failed("unknown_route")])
    #expect(
      shell.navigator.state.entries.map(\.url) == [links[0], "https://www.estate.test/homes/42"])

    // Later ones open at once, until the app is left.
    #expect(await shell.receive("estate://home/7") == .done)
    shell.hold()
    let held = Task { await shell.receive("estate://home/8") }
    await wait(for: "  · estate://home/8 waits until the app can show it", console)
    #expect(shell.navigator.state.count == 3)
    held.cancel()
    #expect(await held.value == .failed("cancelled"))
    await server.stop()
  }

  @Test("a terminal is there at once, and so no link waits")
  func terminal() async throws {
    let server = try await RunningServer()
    let console = RecordingConsole()
    let shell = try shell(server, console, nil)
    #expect(await shell.receive("estate://home/42") == .done)
    #expect(!console.lines.contains { $0.contains("waits") })
    await server.stop()
  }
}
