import Account
import AccountRoutes
import EstateApp
import Foundation
import Switchyard
import SwitchyardTesting
import Testing

@Suite("What the network layer does by itself", .timeLimit(.minutes(5)), .server)
final class RecoveryTests: ServerTests {
  @Test(
    "A redirect is followed and a server that is away is asked again, which the lines of the requests say")
  func recovery() async throws {
    let shell = try server.shell(console)
    await shell.openAll("estate://fault/moved", "estate://fault/away")
    let moved = console.step("estate://fault/moved").filter { $0.contains("/v1/listings/42 → 301 → 200") }
    #expect(moved.count == 1)
    let away = console.step("estate://fault/away").filter { $0.contains("/away → 200 at attempt ") }
    #expect(away.count == 1)
    #expect(shell.summary.hasPrefix("demo: 2 requests"))
  }

  @Test("An expired token is refreshed once for ten loads at once, and all succeed")
  func expiredToken() async throws {
    let shell = try server.shell(console, answers: [.demo])
    await shell.openAll("estate://favourites", "estate://session/expire")
    let start = console.lines.count
    let attempt = await shell.attempt("ten at once") { mediator in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for home in 1...10 {
          group.addTask { try await mediator.call(AddFavouriteRoute(home: home)).count }
        }
        return "\(try await group.reduce(0, max))"
      }
    }
    #expect(attempt.result == .done && attempt.text == "10")
    let lines = console.lines[start...]
    #expect(lines.filter { $0.contains("POST https://api.estate.test/v1/token → 200") }.count == 1)
    #expect(lines.filter { $0.contains("/v1/favourites → 201") }.count == 10)
    #expect(!lines.contains { $0.contains("401") })
    // The event arrives on a thread of its own.
    try await waitUntil("the refresh is reported") {
      console.lines.contains("  · session: the token was refreshed")
    }
    #expect(await shell.open("estate://session/forget") == .done)
    #expect(await shell.open("estate://favourites") == .failed("needs_login"))
    try await waitUntil("the login is asked for") { console.lines.contains("  · session: a login is needed") }
  }

  @Test("A cookie identifies the device after a restart, and a member's cookies end with the session")
  func cookies() async throws {
    for visits in 1...2 {
      let console = RecordingConsole()
      #expect(await (try server.shell(console)).open("estate://visit") == .done)
      #expect(console.lines.contains("  = \(visits)"))
    }
    let shell = try server.shell(console, answers: [.demo, .demo])
    for (url, answer) in [
      ("estate://login", "true"), ("estate://visit", "1"), ("estate://visit", "2"),
      ("estate://logout", "true"),
      ("estate://visit", "3"), ("estate://login", "true"), ("estate://visit", "1"),
    ] {
      #expect(await shell.open(url) == .done)
      #expect(console.lines.last == "  = \(answer)", "\(url)")
    }
    let file = try Data(contentsOf: URL(filePath: server.state + "/cookies"))
    #expect(String(decoding: file, as: UTF8.self).contains("estate_device"))
    #expect(!console.lines.contains { $0.contains("estate_device") })
  }

  @Test("A sixth note within a minute is refused before it is sent")
  func rateLimit() async throws {
    let shell = try server.shell(console)
    for number in 1...6 {
      let attempt = await shell.attempt("note \(number)") { mediator in
        "\(try await mediator.call(NoteRoute(home: 42, text: "Is it quiet?")))"
      }
      #expect(attempt.result == (number < 6 ? .done : .failed("rejected")))
    }
    #expect(console.lines.filter { $0.contains("/v1/notes → 201") }.count == 5)
    #expect(console.lines.last?.contains("5 requests per 60.0 seconds") == true)
  }

  @Test("After ten failures in a row no request is sent to a server that is down")
  func circuitBreaker() async throws {
    let shell = try server.shell(console)
    await server.stop()
    var results: [StepResult] = []
    while results.last != .failed("rejected"), results.count < 12 {
      results.append(await shell.open("estate://home/1"))
    }
    #expect(results.last == .failed("rejected"))
    #expect(results.dropLast().allSatisfy { $0 == .failed("connect") })
    #expect(console.lines.last { $0.hasPrefix("  ! ") }?.contains("several in a row failed") == true)
  }
}
