#if os(Linux)
import CommandRunning
import DNSBypass
import Foundation
import Interception
import SwitchyardTesting
import Testing

/// The stored list of a program that is killed.
@Suite(.timeLimit(.minutes(5)))
struct AddressListCrashTests {
  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "stored-file-crash").path

  /// Stores a list, lets a program replace it that is killed, and returns the hosts of the next start.
  private func hosts(_ position: Int, _ fault: String) async throws -> (hosts: [String], status: Int32) {
    let folder = try TemporaryFolder(prefix: "list-crash")
    let path = folder.url.appending(path: "list").path
    let record = AddressListRecord(
      refreshed: WallTime(secondsSince1970: 1_000), signed: Array("issued 1000\nold.example 203.0.114.1".utf8)
    )
    try WholeFile(path: path).replace(with: try #require(record.encoded()), isSynchronized: false)
    let outcome = try await Command(Self.program, "list", path, "\(position)", fault).run()
    let bypass = DNSBypassInterceptor(.empty)
    let refresher = AddressListRefresher(
      bypass, file: path, time: TimeSource(TestClock()) { WallTime(secondsSince1970: 3_000) },
      verify: { $0 }, onReport: { #expect($0 != .failed(AddressListError(.damaged(path: path)))) }
    ) { throw CancellationError() }
    refresher.start()
    refresher.stop()
    return (bypass.table.hosts, outcome.status)
  }

  @Test(
    "H9: SIGKILL before and within each change of a file leaves the old or the new list", arguments: 1...4)
  func everyChange(_ position: Int) async throws {
    for fault in ["before", "within"] {
      let (hosts, status) = try await hosts(position, fault)
      #expect(status == SIGKILL)
      // The last change is that of the folder, after the list has its name.
      if position < 4 { #expect(hosts == ["old.example"]) } else { #expect(hosts.count == 20) }
    }
  }

  @Test("Without a fault the new list is stored, by four changes of files and their folder")
  func noFault() async throws {
    let (hosts, status) = try await hosts(5, "before")
    #expect(status == 0)
    #expect(hosts.count == 20 && hosts.first?.hasPrefix("new.example:") == true)
  }

  @Test("H9: SIGKILL at random moments of repeated writes leaves a whole list")
  func randomMoments() async throws {
    for _ in 1...20 {
      let (hosts, status) = try await hosts(.random(in: 0...4_000), "after")
      #expect(status == SIGKILL)
      #expect(hosts.count == 20 && hosts.first?.hasPrefix("new.example:") == true)
    }
  }
}
#endif
