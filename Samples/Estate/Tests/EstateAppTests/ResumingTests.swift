import EstateApp
import EstateWeb
import Foundation
import Switchyard
import Testing

@Suite("Resuming", .timeLimit(.minutes(5)))
@MainActor struct ResumingTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "screens-\(UUID()).json").path

  private func shell(_ server: RunningServer, _ console: RecordingConsole) throws -> EstateShell {
    try server.shell(console, answers: Array(EstateShell.tourAnswers.dropFirst()), host: WebHost())
  }

  @Test("F18: The open screens of one run are opened in the next, except those a guest may not see")
  func resume() async throws {
    let server = try await RunningServer()
    defer { try? FileManager.default.removeItem(atPath: file) }
    let first = try shell(server, RecordingConsole())
    for url in [
      "estate://listings/condo", "estate://favourites", "estate://home/42",
      "https://api.estate.test/help.html",
    ] {
      #expect(await first.open(url) == .done)
    }
    try first.save(to: file)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)

    let console = RecordingConsole()
    let second = try shell(server, console)
    await second.resume(from: file)
    let state = second.navigator.state
    #expect(
      state.entries.map(\.url) == [
        "estate://listings/condo", "estate://home/42", "https://api.estate.test/help.html",
      ])
    #expect(
      console.lines.contains("  · 3 of 4 saved screens are open again, with the tab members in front"))
    let faults = console.lines.filter { $0.hasPrefix("  ! ") }
    #expect(
      faults.count == 1
        && faults.first?.hasPrefix("  ! estate://favourites was not restored: Guard \"members\"") == true)
    #expect(state.top.flatMap { second.navigator.screen($0.id) }?.title == "Estate help")
    await server.stop()
  }

  @Test("An invalid or missing file opens no screens")
  func garbage() async throws {
    let server = try await RunningServer()
    defer { try? FileManager.default.removeItem(atPath: file) }
    let console = RecordingConsole()
    let shell = try shell(server, console)
    await shell.resume(from: file)
    #expect(console.lines.isEmpty)
    for text in ["", "{", #"{"version":7,"tabs":[],"modals":[]}"#, String(repeating: "[", count: 100_000)] {
      try Data(text.utf8).write(to: URL(filePath: file))
      await shell.resume(from: file)
      #expect(console.lines.last?.contains("are not opened") == true)
      #expect(shell.navigator.state.count == 0)
    }
    await server.stop()
  }
}
