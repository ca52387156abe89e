import Account
import EstateApp
import EstateWeb
import Switchyard
import SwitchyardTesting
import Testing

@Suite("Links that open the app", .timeLimit(.minutes(5)), .server)
final class LinkTests: ServerTests {
  /// Suspends until a line is written.
  private func wait(for line: String) async throws {
    try await waitUntil("the line \"\(line)\" is written") { console.lines.contains(line) }
  }

  @Test("Links wait until the screens can be shown, then open in order, with the rights of links")
  func waiting() async throws {
    let shell = try server.shell(console, host: WebHost())
    let links = ["estate://listings/condo", "https://www.estate.test/homes/42", "estate://logout"]
    var arriving: [Task<StepResult, Never>] = []
    for link in links {
      arriving.append(Task { await shell.receive(link) })
      try await wait(for: "  · \(link) waits until the app can show it")
    }
    #expect(shell.navigator.state.count == 0)
    #expect(!console.lines.contains { $0.contains("GET ") })
    shell.ready()
    var results: [StepResult] = []
    for link in arriving { results.append(await link.value) }
    #expect(results == [.done, .done, .failed("unknown_route")])
    // A home has the list of houses below it.
    let list = "estate://listings/house"
    #expect(
      shell.navigator.state.entries.map(\.url) == [links[0], list, "https://www.estate.test/homes/42"])

    // Later ones open at once, until the screens can't be shown any more.
    #expect(await shell.receive("estate://home/7") == .done)
    #expect(shell.navigator.state.entries.map(\.url) == [links[0], list, "estate://home/7"])
    shell.hold()
    let held = Task { await shell.receive("estate://home/8") }
    try await wait(for: "  · estate://home/8 waits until the app can show it")
    #expect(shell.navigator.state.count == 3)
    held.cancel()
    #expect(await held.value == .failed("cancelled"))
  }

  @Test("A link that carries another URL opens it with its own permissions")
  func next() async throws {
    let shell = try server.shell(console, answers: [nil, .demo])
    // A guest who does not log in goes nowhere.
    let link = "estate://welcome?next=estate%3A%2F%2Fhome%2F7"
    #expect(await shell.receive(link) == .done)
    #expect(shell.navigator.state.count == 0)
    #expect(await shell.receive(link) == .done)
    #expect(shell.navigator.state.top?.url == "estate://home/7")
    #expect(await shell.receive("estate://welcome?next=estate%3A%2F%2Flogout") == .failed("unknown_route"))
    #expect(await shell.receive("estate://welcome?next=nonsense") == .failed("malformed_url"))
    #expect(await shell.receive("estate://welcome") == .done)
    #expect(shell.navigator.state.top?.url == "estate://home/7")
  }

  @Test("With a terminal no link waits")
  func terminal() async throws {
    let shell = try server.shell(console)
    #expect(await shell.receive("estate://home/42") == .done)
    #expect(!console.lines.contains { $0.contains("waits") })
  }
}
