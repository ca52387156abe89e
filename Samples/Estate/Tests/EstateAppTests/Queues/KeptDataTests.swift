import Account
import EstateApp
import Foundation
import Switchyard
import SwitchyardTesting
import Testing

@Suite("The users' own data", .timeLimit(.minutes(5)), .server)
final class KeptDataTests: ServerTests {
  /// Opens URLs with an app, and returns the lines of the last one.
  private func use(
    _ urls: [String], answers: [MemberCredentials?] = [.demo],
    results: [StepResult] = [], asJSON: Bool = false
  ) async throws -> [String] {
    let shell = try server.shell(
      console, answers: answers, hasQueues: true, host: asJSON ? JSONHost(console: console) : nil)
    await shell.launch()
    var lines: [String] = []
    for (index, url) in urls.enumerated() {
      let start = console.lines.count
      let result = await shell.open(url)
      #expect(result == (index < results.count ? results[index] : .done), "\(url)")
      lines = Array(console.lines[start...])
    }
    await shell.finish()
    return lines
  }

  @Test(
    "K2: Notes and the last comparison are there after a restart for their member, and not after the logout")
  func notes() async throws {
    _ = try await use(
      ["estate://login", "estate://notes/42?text=MARK-NOTE", "estate://compare?homes=7,9"])
    let next = try await use(["estate://login", "estate://home/42"], asJSON: true)
    #expect(next.contains { $0.contains("You wrote: MARK-NOTE") }, "\(next)")
    #expect(next.contains { $0.contains("estate://compare?homes=7,9") }, "\(next)")
    let guest = try await use(["estate://home/42"], answers: [], asJSON: true)
    #expect(!guest.contains { $0.contains("MARK-NOTE") || $0.contains("homes=7,9") })
    _ = try await use(["estate://login", "estate://logout"])
    let after = try await use(["estate://login", "estate://home/42"], asJSON: true)
    #expect(!after.contains { $0.contains("MARK-NOTE") || $0.contains("homes=7,9") })
    let folder = URL(filePath: server.state + "/data")
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      #expect(try Data(contentsOf: file).firstRange(of: Data("MARK-NOTE".utf8)) == nil)
    }
  }

  @Test("A note that can't be sent is kept, and says so")
  func unsent() async throws {
    _ = try await use(
      ["estate://login", "estate://settings/network/offline", "estate://notes/42?text=MARK"],
      results: [.done, .done, .failed("offline")])
    let lines = try await use(["estate://login", "estate://home/42"])
    #expect(lines.contains { $0.contains("You wrote (not sent): MARK") }, "\(lines)")
  }

  @Test("The choice of the signature is that of the last run")
  func settings() async throws {
    _ = try await use(["estate://settings/signatures/standard"])
    let lines = try await use(["estate://settings"])
    #expect(lines.contains { $0.contains("Signatures: standard") }, "\(lines)")
  }
}
