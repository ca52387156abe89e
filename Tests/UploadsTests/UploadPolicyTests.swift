import Testing

@testable import Uploads

@Suite("The policy of an upload")
struct UploadPolicyTests {
  @Test("Its numbers have minimums")
  func bounds() {
    let policy = UploadPolicy(
      failureLimit: -3, firstWait: .seconds(-1), maximumWait: .seconds(-1), retryAfterLimit: .seconds(-1),
      maximumRequestSize: 0)
    #expect(policy.failureLimit == 1)
    #expect(policy.firstWait == .zero && policy.maximumWait == .zero && policy.retryAfterLimit == .zero)
    #expect(policy.maximumRequestSize == 1)
    #expect(UploadPolicy().maximumRequestSize == nil)
  }
}
