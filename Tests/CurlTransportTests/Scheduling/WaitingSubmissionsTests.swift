import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct WaitingSubmissionsTests {
  // Without a request, an owner starts no thread.
  private let owner = LoopOwner(configuration: .init(), library: .loaded(), time: .system)

  private func submission(
    _ number: UInt64, handedOver: Duration = .zero, idle: Duration? = .seconds(20)
  ) throws -> Submission {
    var request = Request(HTTPRequest(method: .get, scheme: "http", authority: "a.test", path: "/"))
    request.options.timeouts.idle = idle
    let plan = try RequestPlan(request, sites: SiteCache(.init(userAgent: nil)))
    return Submission(id: TransferID(number: number), plan: plan, owner: owner, handedOver: handedOver)
  }

  @Test("A request that starts at once is taken, and never waits")
  func startsAtOnce() throws {
    var waiting = WaitingSubmissions()
    let submission = try submission(1)
    waiting.receive(submission)
    #expect(waiting.count == 0)
    #expect(waiting.take(submission.id) === submission)
    #expect(waiting.keepIncoming() == nil)
    #expect(waiting.take(submission.id) == nil)
  }

  @Test("A request that does not start waits until it is taken, also while another one is received")
  func waits() throws {
    var waiting = WaitingSubmissions()
    let (first, second) = (try submission(1), try submission(2))
    waiting.receive(first)
    #expect(waiting.keepIncoming() === first)
    #expect(waiting.count == 1)
    waiting.receive(second)
    #expect(waiting.take(first.id) === first)
    #expect(waiting.take(second.id) === second)
    #expect(waiting.count == 0)
    #expect(waiting.keepIncoming() == nil)
  }

  @Test("Only waiting requests with a limit of silence are blocked by unread streams")
  func blocked() throws {
    var waiting = WaitingSubmissions()
    for submission in [
      try submission(1), try submission(2, idle: nil), try submission(3, handedOver: .seconds(25)),
    ] {
      waiting.receive(submission)
      _ = waiting.keepIncoming()
    }
    let blocked = waiting.blocked(at: .seconds(30)) { _ in .zero }
    #expect(blocked.expired == [TransferID(number: 1)])
    #expect(blocked.nextCheck == .seconds(45))
    let read = waiting.blocked(at: .seconds(30)) { _ in nil }
    #expect(read.expired.isEmpty && read.nextCheck == .seconds(45))
  }
}
