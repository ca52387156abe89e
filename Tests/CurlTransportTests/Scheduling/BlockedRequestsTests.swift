import Testing

@testable import CurlTransport

@Suite struct BlockedRequestsTests {
  private let origins = (0..<3).map { WebOrigin(scheme: .https, host: "\($0).test", port: 443) }
  private let limit = Duration.seconds(20)

  @Test("A request expires when the streams in its way were unread for its limit, and not before")
  func expiry() {
    for (handedOver, since, isExpired, next) in [
      (0, 0, true, nil), (0, 10, true, nil), (0, 11, false, 31.25), (0, 15, false, 35), (10, 0, true, nil),
      (11, 0, false, 31.25), (25, 0, false, 45), (0, nil, false, 50),
    ] as [(Int, Int?, Bool, Double?)] {
      var blocked = BlockedRequests(at: .seconds(30))
      blocked.examine(
        TransferID(number: 1), handedOver: .seconds(handedOver), limit: limit, origin: origins[0]
      ) { _ in since.map { .seconds($0) } }
      #expect(blocked.expired.isEmpty != isExpired, "\(handedOver) \(String(describing: since))")
      #expect(blocked.nextCheck == next.map { .seconds($0) }, "\(handedOver) \(String(describing: since))")
    }
  }

  @Test("Of a thousand requests, each origin's transfers are examined once, also if one has a reader")
  func oncePerOrigin() {
    var blocked = BlockedRequests(at: .seconds(30))
    var examined: [WebOrigin] = []
    for number in 0..<1_000 {
      blocked.examine(
        TransferID(number: UInt64(number)), handedOver: .zero, limit: limit, origin: origins[number % 3]
      ) { origin in
        examined.append(origin)
        return origin == origins[0] ? nil : .zero
      }
    }
    #expect(examined.count == 3 && Set(examined) == Set(origins))
    #expect(blocked.expired.count == 666)
    #expect(blocked.nextCheck == .seconds(50))
  }

  @Test("A thousand requests that were called one after the other are examined a few times per limit")
  func passes() {
    var (now, passes) = (Duration.zero, 0)
    while now < .seconds(100) {
      var blocked = BlockedRequests(at: now)
      for number in 0..<1_000 where .milliseconds(number) <= now {
        blocked.examine(
          TransferID(number: UInt64(number)), handedOver: .milliseconds(number), limit: limit,
          origin: origins[0]
        ) { _ in nil }
      }
      passes += 1
      now = blocked.nextCheck ?? .seconds(100)
    }
    // Five limits of 20 s.
    #expect(passes <= 5 * 16)
  }
}
