import HTTPTypes
import Interception
import Testing

@testable import Downloads

@Suite("The policy of a download")
struct DownloadPolicyTests {
  private func decision(
    on error: NetworkError, _ policy: DownloadPolicy = DownloadPolicy()
  ) -> TransferFailures.Decision {
    var failures = TransferFailures(policy, offset: 0)
    return failures.decide(
      onDownload: error,
      at: .init(offset: 0, remaining: nil, now: WallTime(secondsSince1970: 784_111_777), random: 1))
  }

  @Test(
    "Of statuses only those that may pass are survived, after the wait that the server asks for",
    arguments: [
      (503, [:], .retry(after: .seconds(1))), (429, [.retryAfter: "7"], .retry(after: .seconds(8))),
      (503, [.retryAfter: "61"], .end(.retryAfterTooLong)), (404, [:], .end(nil)), (500, [:], .end(nil)),
    ] as [(Int, HTTPFields, TransferFailures.Decision)])
  func statuses(code: Int, fields: HTTPFields, expected: TransferFailures.Decision) {
    let head = HTTPResponse(status: .init(code: code), headerFields: fields)
    #expect(decision(on: .download(.status(head))) == expected)
  }

  @Test("A lost connection is survived, and a fault of the disk or the server's protocol ends the run")
  func faults() {
    #expect(decision(on: NetworkError(.transport, "Lost.")) == .retry(after: .seconds(1)))
    for fault in [DownloadFault.noSpace, .noPermission, .occupied, .digestMissing] {
      #expect(decision(on: .download(fault)) == .end(nil))
    }
    #expect(decision(on: NetworkError(.protocolViolation, "It failed.")) == .end(nil))
  }

  @Test("A policy of one attempt ends the run at once, and its numbers have minimums and maximums")
  func bounds() {
    #expect(decision(on: NetworkError(.transport, "Lost."), .oneAttempt) == .end(nil))
    #expect(DownloadPolicy(failureLimit: -3).failureLimit == 1)
    #expect(DownloadPolicy(parts: 0).parts == 1)
    #expect(DownloadPolicy(parts: 99).parts == 16)
  }
}
