#if os(Linux)
import CommandRunning
import Foundation
import Interception
import Testing

@testable import CurlTransport

/// The stored alternative services of a program that is killed.
@Suite("The file of alternative services of a program that is killed", .timeLimit(.minutes(5)))
struct AlternativeServiceCrashTests {
  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "stored-file-crash").path

  /// Stores a service, lets a program replace it that is killed, and returns the ports of the next start.
  private func ports(_ position: Int, _ fault: String) async throws -> (ports: [Int], status: Int32) {
    let folder = try TemporaryFolder(prefix: "alternatives-crash")
    let file = AlternativeServiceFile(folder.url.appending(path: "alt-svc").path) { Issue.record("\($0)") }
    let store = AlternativeServiceStore(file, time: .system)
    store.set(host: "estate.example", port: 1, lifetime: .seconds(86_400))
    store.write()
    let outcome = try await Command(
      Self.program, "alternatives", file.path, "\(position)", fault
    ).run()
    let services = AlternativeServiceStore(file, time: .system).services(at: .zero).services
    return (services.values.flatMap { $0.values.map(\.port) }, outcome.status)
  }

  @Test("H9: SIGKILL before and within each change of a file leaves the old or the new advertisements")
  func everyChange() async throws {
    var position = 1
    while true {
      let (ports, status) = try await ports(position, "before")
      #expect(ports == [status == 0 ? 2 : 1])
      guard status != 0 else { break }
      #expect(status == SIGKILL)
      let within = try await self.ports(position, "within")
      #expect(within.status == SIGKILL)
      #expect(within.ports == [1] || within.ports == [2])
      position += 1
    }
    // The file is written beside the old one, and renamed.
    #expect(position > 2)
  }

  @Test("SIGKILL at random moments of repeated changes leaves a whole file")
  func randomMoments() async throws {
    for _ in 1...20 {
      let (ports, status) = try await ports(.random(in: 0...4_000), "after")
      #expect(status == SIGKILL)
      #expect(ports.count == 1)
    }
  }
}
#endif
