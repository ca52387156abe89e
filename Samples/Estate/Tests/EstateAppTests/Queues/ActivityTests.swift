import Account
import EstateApp
import EstateNetwork
import Switchyard
import SwitchyardTesting
import Testing

@Suite("The user's actions", .timeLimit(.minutes(5)), .server)
final class ActivityTests: ServerTests {
  /// The actions on the screen of activity, without their times.
  private func actions(_ lines: [String]) -> [String] {
    lines.compactMap { $0.wholeMatch(of: /\ +│ \d\d:\d\d:\d\d +(.+)/).map { String($0.1) } }
  }

  @Test(
    "The user's actions reach the server once and in order, also those of an earlier run without a network")
  func leftovers() async throws {
    let before = RecordingConsole()
    let first = try server.shell(before, answers: [.demo], hasQueues: true)
    await first.openAll("estate://settings/network/offline", "estate://settings/downgrade/condos.list")
    await first.finish()
    #expect(before.lines.contains("Actions: 2 waiting, 0 delivered, 0 set aside, 0 lost"))

    let second = try server.shell(console, answers: [.demo], hasQueues: true)
    #expect(await second.open("estate://login") == .done)
    // The wait after the failed upload continues in this run.
    let journal = try #require(second.journal)
    try await waitUntil("the events are uploaded") { await journal.flush() }
    #expect(await second.open("estate://settings/activity") == .done)
    let screen = console.step("estate://settings/activity")
    #expect(
      actions(screen) == [
        "opened NetworkRoute of Settings", "opened DowngradeRoute of Settings",
        "opened LoginRoute of Account", "screen.entered LoginRoute of Account", "logged in",
        "screen.left LoginRoute of Account", "opened ActivityRoute of Settings",
      ])
    #expect(screen.contains { $0.contains("Actions: 0 waiting, 7 delivered, 0 set aside, 0 lost") })
    #expect(screen.contains { $0.contains("The server has received 7; the last ones:") })
    // Uploads have a pipeline of their own, which is not traced.
    #expect(!console.lines.contains { $0.contains("POST https://api.estate.test/v1/activity") })
    await second.finish()
  }

  @Test("Each visit of a screen is recorded once when it is entered and once when it is left")
  func screens() async throws {
    let shell = try server.shell(console, answers: [.demo], hasQueues: true)
    await shell.openAll("estate://about", "estate://about")
    // Back to the first one, which is covered and uncovered by other tabs.
    shell.back()
    await shell.openAll("estate://settings", "estate://settings/activity")
    #expect(
      actions(console.step("estate://settings/activity")).filter { $0.hasPrefix("screen.") } == [
        "screen.entered estate://about of Help", "screen.entered estate://about of Help",
        "screen.left estate://about of Help", "screen.entered SettingsRoute of Settings",
      ])
    await shell.finish()
  }

  @Test("Actions are uploaded when the app enters the background, signed by either scheme")
  func background() async throws {
    let shell = try server.shell(console, answers: [.demo], hasQueues: true)
    let journal = try #require(shell.journal)
    #expect(await shell.open("estate://visit") == .done)
    await shell.enterBackground()
    #expect(journal.lines.first == "Actions: 0 waiting, 1 delivered, 0 set aside, 0 lost")
    #expect(await shell.open("estate://settings/signatures/standard") == .done)
    await shell.enterBackground()
    #expect(journal.lines.first == "Actions: 0 waiting, 2 delivered, 0 set aside, 0 lost")
    #expect(journal.lines.last == "Next upload: none")
    await shell.finish()
  }

  @Test("A second app on the same files runs without them, and says so")
  func occupied() async throws {
    let first = try server.shell(answers: [.demo], hasQueues: true)
    let second = try server.shell(console, answers: [.demo], hasQueues: true)
    for start in ["  ! The user's actions are not recorded: ", "  ! Changes can't wait for the network: "] {
      #expect(console.lines.filter { $0.hasPrefix(start) }.count == 1)
    }
    await second.openAll("estate://home/42", "estate://settings/activity")
    #expect(console.step("estate://settings/activity").contains { $0.contains("actions are not recorded") })
    await second.openAll("estate://login", "estate://settings/network/offline")
    #expect(await second.open("estate://favourites/add/42") == .failed("offline"))
    await first.finish()
  }
}
