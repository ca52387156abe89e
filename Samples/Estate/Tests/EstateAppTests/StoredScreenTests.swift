import Account
import AccountRoutes
import EstateApp
import Switchyard
import SwitchyardTesting
import Testing

@Suite("Screens without the server", .timeLimit(.minutes(5)), .server)
final class StoredScreenTests: ServerTests {
  @Test("After a restart without the server a home seen before is shown, with its age, and no other one")
  func restart() async throws {
    let first = try server.shell(hasQueues: true)
    #expect(await first.open("estate://home/42") == .done)
    await first.finish()
    await server.stop(keepingState: true)

    let second = try server.shell(console, hasQueues: true, later: .seconds(2 * 3_600 + 60))
    #expect(await second.open("estate://home/42") == .done)
    let home = console.step("estate://home/42")
    #expect(home.contains { $0.contains("┌─ Home #42, SACRAMENTO 95822 ") }, "\(home)")
    #expect(home.contains("  │ The server can't be reached; this is a stored copy, 2 h old."), "\(home)")
    #expect(home.contains { $0.contains("/v1/homes/42 → 200") && $0.contains("cache: fwd=stale; ttl=-") })
    #expect(await second.open("estate://home/7") == .failed("connect"))
    let missing = console.step("estate://home/7")
    #expect(missing.contains { $0.hasPrefix("  ! connect: ") && $0.contains("check the network") })
    #expect(!missing.contains { $0.contains("┌─") })
    await second.finish()
  }

  @Test("A list seen before is shown after a restart: fresh without a request, and stale for one day")
  func list() async throws {
    let first = try server.shell(hasQueues: true)
    #expect(await first.open("estate://listings/condo") == .done)
    await first.finish()
    await server.stop(keepingState: true)
    let shown: [(Duration, String?)] = [
      (.zero, "This is a stored copy, "),
      (.seconds(20 * 3_600), "The server can't be reached; this is a stored copy, 20 h old."),
      (.seconds(25 * 3_600), nil),
    ]
    for (time, copy) in shown {
      let console = RecordingConsole()
      let shell = try server.shell(console, hasQueues: true, later: time)
      let result = await shell.open("estate://listings/condo")
      #expect(result == (copy == nil ? .failed("connect") : .done))
      if let copy { #expect(console.lines.contains { $0.contains("  │ \(copy)") }, "\(console.lines)") }
      await shell.finish()
    }
  }

  @Test(
    "I6: A member's stored screen is shown with an expired token, without the network and without a refresh")
  func expiredToken() async throws {
    let shell = try server.shell(console, answers: [.demo], hasQueues: true)
    await shell.openAll("estate://login", "estate://home/42", "estate://session/expire")
    await server.stop(keepingState: true)
    #expect(await shell.open("estate://settings/network/offline") == .done)
    let start = console.lines.count
    #expect(await shell.open("estate://home/42") == .done)
    let lines = console.lines[start...]
    #expect(lines.contains { $0.contains("┌─ Home #42, SACRAMENTO 95822 ") }, "\(lines)")
    #expect(lines.contains { $0.contains("/v1/homes/42 → 200") && $0.contains("cache: hit") }, "\(lines)")
    #expect(!lines.contains { $0.contains("/v1/token") })
    await shell.finish()
  }

  @Test("A note about a home removes the stored home, so that the next look has the note")
  func staleHome() async throws {
    let shell = try server.shell(console, hasQueues: true)
    await shell.openAll("estate://home/42", "estate://home/41", "estate://home/42")
    #expect(console.lines.last { $0.contains("/v1/homes/42") }?.contains("cache: hit") == true)
    let note = await shell.attempt("a note") { mediator in
      "\(try await mediator.call(NoteRoute(home: 42, text: "Is it quiet?")))"
    }
    #expect(note.result == .done)
    await shell.openAll("estate://home/42", "estate://home/41")
    #expect(console.lines.last { $0.contains("/v1/homes/42") }?.contains("cache: fwd=uri-miss") == true)
    #expect(console.lines.last { $0.contains("/v1/homes/41") }?.contains("cache: hit") == true)
    #expect(console.lines.contains("  │ Notes about it: 1"))
    await shell.finish()
  }

  @Test("A fault of the folder with the responses is logged, and the screens are not affected")
  func fault() async throws {
    let first = try server.shell(hasQueues: true)
    #expect(await first.open("estate://home/42") == .done)
    let messages = RecordedMessages()
    let second = try server.shell(console, hasQueues: true, logger: messages.logger())
    #expect(await second.open("estate://home/42") == .done)
    let home = console.step("estate://home/42")
    #expect(!home.contains { $0.hasPrefix("  ! ") || $0.contains("stored copy") })
    // Reported by a thread of the store.
    try await waitUntil("the file's second store is reported") {
      messages.all.contains { $0.contains("is in use by another store") }
    }
    await second.finish()
    await first.finish()
  }
}
