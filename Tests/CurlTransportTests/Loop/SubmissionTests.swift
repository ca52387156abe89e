import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(5)))
struct SubmissionTests {
  private func submission(_ owner: LoopOwner) throws -> Submission {
    let head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:1", path: "/")
    let plan = try RequestPlan(Request(head), sites: SiteCache(.init(userAgent: nil)))
    return Submission(id: TransferID(number: 1), plan: plan, owner: owner, handedOver: .zero)
  }

  private func owner() -> LoopOwner {
    LoopOwner(configuration: .init(), library: .loaded(), time: .system)
  }

  @Test("The first response counts, also if it is given before the caller waits")
  func firstResponse() async throws {
    let submission = try submission(owner())
    let first = submission.give(.failure(NetworkError(.transport, "first")))
    let second = submission.give(.failure(NetworkError(.transport, "second")))
    #expect(first == nil && second == nil)
    // The thread's own answer, that nothing listens at port 1, comes too late.
    let error = await failure { () throws(NetworkError) in try await submission.answered() }
    #expect(error?.reason == "first")
  }

  @Test("A request after the thread's end is refused")
  func ended() async throws {
    let owner = owner()
    owner.mailbox.close(grace: .zero)
    await owner.mailbox.waitUntilEnded()
    let submission = try submission(owner)
    let error = await failure { () throws(NetworkError) in try await submission.answered() }
    #expect(error?.kind == .cancelled(.shutdown))
  }
}
