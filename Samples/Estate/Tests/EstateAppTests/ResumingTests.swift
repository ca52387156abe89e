import EstateApp
import EstateWeb
import Foundation
import Switchyard
import Testing

@Suite("Resuming", .timeLimit(.minutes(5)), .server)
final class ResumingTests: ServerTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "screens-\(UUID()).json").path

  private func shell(_ console: RecordingConsole) throws -> EstateShell {
    try server.shell(console, answers: Array(EstateShell.tourAnswers.dropFirst()), host: WebHost())
  }

  @Test("F18: The open screens of one run are opened in the next, except those a guest may not see")
  func resume() async throws {
    defer { try? FileManager.default.removeItem(atPath: file) }
    let first = try shell(RecordingConsole())
    await first.openAll(
      "estate://listings/condo", "estate://favourites", "estate://home/42",
      "https://api.estate.test/help.html")
    try first.save(to: file)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)

    let second = try shell(console)
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
  }

  @Test("An invalid or missing file opens no screens")
  func garbage() async throws {
    defer { try? FileManager.default.removeItem(atPath: file) }
    let shell = try shell(console)
    await shell.resume(from: file)
    #expect(console.lines.isEmpty)
    for text in ["", "{", #"{"version":7,"tabs":[],"modals":[]}"#, String(repeating: "[", count: 100_000)] {
      try Data(text.utf8).write(to: URL(filePath: file))
      await shell.resume(from: file)
      #expect(console.lines.last?.contains("are not opened") == true)
      #expect(shell.navigator.state.count == 0)
    }
  }
}
