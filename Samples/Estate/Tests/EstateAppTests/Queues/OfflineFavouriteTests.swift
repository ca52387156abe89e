import Account
import EstateApp
import Switchyard
import SwitchyardTesting
import Testing

@Suite("Favourites without a network", .timeLimit(.minutes(5)), .server)
final class OfflineFavouriteTests: ServerTests {
  private func posts(_ console: RecordingConsole) -> [String] {
    console.lines.filter { $0.contains("POST https://api.estate.test/v1/favourites") }
  }

  @Test("A favourite that was added without a network is delivered once, after a restart and the login")
  func restart() async throws {
    let before = RecordingConsole()
    let first = try server.shell(before, answers: [.demo], hasQueues: true)
    for (url, answer) in [
      ("estate://login", "  = true"), ("estate://settings/network/offline", nil),
      ("estate://favourites/add/77", "  = queued until there is a network, 1 waiting"),
      ("estate://favourites/add/77", "  = queued until there is a network, 1 waiting"),
      ("estate://favourites/add/78", "  = queued until there is a network, 2 waiting"),
    ] {
      #expect(await first.open(url) == .done)
      if let answer { #expect(before.lines.last == answer) }
    }
    let start = before.lines.count
    #expect(await first.open("estate://favourites") == .done)
    let waiting = before.lines[start...].filter { $0.contains("waiting for the network") }
    #expect(waiting.count == 2 && waiting.first?.contains("#77") == true, "\(waiting)")
    for answer in ["  = true", "  = false"] {
      #expect(await first.open("estate://favourites/cancel/78") == .done)
      #expect(before.lines.last == answer)
    }
    await first.finish()
    #expect(posts(before) == [])

    let second = try server.shell(console, answers: [.demo], hasQueues: true)
    // There is a network, but no member yet.
    #expect(await second.open("estate://visit") == .done)
    #expect(posts(console) == [])
    #expect(await second.open("estate://login") == .done)
    // Delivered by another task.
    try await waitUntil("the favourite is delivered") {
      console.lines.contains("  · favourites/77 was delivered")
    }
    #expect(posts(console).count == 1 && posts(console).first?.contains("→ 201") == true)
    #expect(await second.open("estate://favourites") == .done)
    let listed = console.step("estate://favourites").filter { $0.contains("#7") }
    #expect(listed.count == 1 && listed.first?.contains("#77") == true, "\(listed)")
    await second.finish()

    let after = RecordingConsole()
    let third = try server.shell(after, answers: [.demo], hasQueues: true)
    await third.openAll("estate://login", "estate://favourites")
    #expect(!after.lines.contains { $0.contains("waiting for the network") })
    #expect(posts(after) == [])
    await third.finish()
  }

  @Test("What waits is delivered when the network returns, and what the server refuses is reported")
  func network() async throws {
    let shell = try server.shell(console, answers: [.demo], hasQueues: true)
    await shell.openAll(
      "estate://login", "estate://settings/network/offline", "estate://favourites/add/100000",
      "estate://favourites/add/7", "estate://settings/network/online")
    for line in ["favourites/7 was delivered", "favourites/100000 was refused, status 404"] {
      try await waitUntil("the line \"\(line)\" is written") { console.lines.contains("  · \(line)") }
    }
    #expect(await shell.open("estate://favourites/add/8") == .done)
    #expect(console.lines.last == "  = added, 2 in all")
    await shell.finish()
  }

  @Test("A guest can neither list nor cancel what waits")
  func guest() async throws {
    let shell = try server.shell(console, hasQueues: true)
    for url in ["estate://favourites", "estate://favourites/add/7", "estate://favourites/cancel/7"] {
      #expect(await shell.open(url) == .failed("refused_by_guard"))
    }
    await shell.finish()
  }
}
