import SwitchyardTesting

/// What one request of a soak does, determined by the seed and the request's number.
struct SoakPlan: Sendable {
  /// The request's and the response's bodies, and the server's faults.
  enum Deed: String, Sendable, CaseIterable {
    case small
    case large
    case chunked
    case uploadBytes
    case uploadStream
    case uploadBroken
    case uploadRefused
    case resetAtHead
    case resetInBody
    case shortBody
    case garbage
    case silence

    /// The ones that nginx can serve.
    static let overHTTP2: [Deed] = [
      .small, .large, .uploadBytes, .uploadStream, .uploadBroken, .uploadRefused,
    ]
  }

  /// How a response is read.
  enum Reading: String, Sendable, CaseIterable {
    case buffered
    case streamed
    /// With pauses between the chunks.
    case slowly
    /// The first chunk only, then the stream is released.
    case dropped
    /// The stream is released unread.
    case unread
  }

  let number: Int
  let isHTTP2: Bool
  let deed: Deed
  let reading: Reading
  /// The number of turns of the scheduler after which the caller cancels; nil if it does not.
  let cancelsAfter: Int?
  /// The size of a large body in bytes, in either direction.
  let size: Int

  init(seed: UInt64, number: Int, hasHTTP2: Bool) {
    var random = SeededRandom(seed: seed, number: number)
    self.number = number
    isHTTP2 = hasHTTP2 && Bool.random(using: &random)
    // Half of them have no faults, so that connections live long enough to be shared and reused.
    let deeds = isHTTP2 ? Deed.overHTTP2 : Deed.allCases
    deed = random.oneIn(2) ? .small : deeds.randomElement(using: &random) ?? .small
    reading = random.oneIn(2) ? .buffered : Reading.allCases.randomElement(using: &random) ?? .buffered
    cancelsAfter = random.oneIn(5) ? Int.random(in: 0..<200, using: &random) : nil
    size = Int.random(in: 1...(192 << 10), using: &random)
  }
}
