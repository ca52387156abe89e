import DurableQueues
import HTTPTypes
import Interception
import Testing

@Suite struct DeliveryVerdictTests {
  private let now = WallTime(secondsSince1970: 1_700_000_000)

  @Test(
    "A 2xx accepts, 413 is too large, and other 4xx refuse unless they are temporary or about credentials",
    arguments: [
      (200, .delivered), (204, .delivered), (413, .tooLarge), (400, .refused(status: 400)),
      (403, .refused(status: 403)), (404, .refused(status: 404)), (422, .refused(status: 422)),
      (302, .failed(reason: "status 302", retryAfter: nil)),
      (401, .failed(reason: "status 401", retryAfter: nil)),
      (407, .failed(reason: "status 407", retryAfter: nil)),
      (408, .failed(reason: "status 408", retryAfter: nil)),
      (425, .failed(reason: "status 425", retryAfter: nil)),
      (429, .failed(reason: "status 429", retryAfter: nil)),
      (500, .failed(reason: "status 500", retryAfter: nil)),
      (503, .failed(reason: "status 503", retryAfter: nil)),
    ] as [(Int, DeliveryVerdict)])
  func statuses(_ code: Int, _ verdict: DeliveryVerdict) {
    #expect(DeliveryVerdict(Response(status: .init(code: code)), now: now) == verdict)
  }

  @Test("A temporary response says when to come back, and an error gives its label")
  func retryAfter() {
    let response = Response(status: .tooManyRequests, headerFields: [.retryAfter: "90"])
    #expect(
      DeliveryVerdict(response, now: now) == .failed(reason: "status 429", retryAfter: .seconds(90)))
    let error = NetworkError(.timeout(.connect), "The host \"secret\" did not respond.")
    #expect(DeliveryVerdict(error) == .failed(reason: "timeout_connect", retryAfter: nil))
  }
}
