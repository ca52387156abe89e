#if os(Linux)
import CommandRunning
import Foundation
import HTTPTypes
import Interception
import Testing

@testable import CookieKeeping

/// The stored cookies of a program that is killed.
@Suite(.timeLimit(.minutes(5)))
struct CookieCrashTests {
  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "stored-file-crash").path

  /// Stores a cookie, lets a program replace it that is killed, and returns that of the next start.
  private func cookie(_ position: Int, _ fault: String) async throws -> (value: String?, status: Int32) {
    let folder = try TemporaryFolder(prefix: "cookie-crash")
    let path = folder.url.appending(path: "cookies").path
    let request = Request(authority: "estate.example", path: "/")
    CookieStore(file: path) { Issue.record("\($0)") }.store(["session=old; Max-Age=86400"], from: request)
    let outcome = try await Command(Self.program, "cookies", path, "\(position)", fault).run()
    let next = CookieStore(file: path) { Issue.record("\($0)") }
    return (next.field(for: request.head, in: request.context.partition)?.description, outcome.status)
  }

  @Test("H9: SIGKILL before and within each change of a file leaves the old or the new cookies")
  func everyChange() async throws {
    var position = 1
    while true {
      let (value, status) = try await cookie(position, "before")
      #expect(value == (status == 0 ? "session=new1" : "session=old"))
      guard status != 0 else { break }
      #expect(status == SIGKILL)
      let within = try await cookie(position, "within")
      #expect(within.status == SIGKILL)
      #expect(within.value == "session=old" || within.value == "session=new1")
      position += 1
    }
    // The file is written beside the old one, and renamed.
    #expect(position > 2)
  }

  @Test("H9: SIGKILL at random moments of repeated changes leaves the old or the new cookies")
  func randomMoments() async throws {
    for _ in 1...20 {
      let (value, status) = try await cookie(.random(in: 0...4_000), "after")
      #expect(status == SIGKILL)
      #expect(value == "session=old" || value?.hasPrefix("session=new") == true)
    }
  }
}
#endif
