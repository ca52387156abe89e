/// What one request of a soak does; it follows from the seed and the request's number alone.
struct SoakPlan: Sendable {
  /// What goes up, what comes down, and what the server does wrong.
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

    /// The deeds that nginx can be the server of.
    static let overHTTP2: [Deed] = [
      .small, .large, .uploadBytes, .uploadStream, .uploadBroken, .uploadRefused,
    ]
  }

  /// How an answer is read.
  enum Reading: String, Sendable, CaseIterable {
    case buffered
    case streamed
    /// With pauses between the chunks.
    case slowly
    /// The first chunk, and then the stream is dropped.
    case dropped
    /// The stream is dropped unread.
    case unread
  }

  let number: Int
  let isHTTP2: Bool
  let deed: Deed
  let reading: Reading
  /// After how many turns of the scheduler the caller gives up; nil when it never does.
  let cancelsAfter: Int?
  /// The bytes of a large body, in either direction.
  let size: Int

  init(seed: UInt64, number: Int, hasHTTP2: Bool) {
    var random = SplitMix(seed: seed, number: number)
    self.number = number
    isHTTP2 = hasHTTP2 && Bool.random(using: &random)
    // Half of all are plain, so that connections live long enough to be shared and reused.
    let deeds = isHTTP2 ? Deed.overHTTP2 : Deed.allCases
    deed = random.oneIn(2) ? .small : deeds.randomElement(using: &random) ?? .small
    reading = random.oneIn(2) ? .buffered : Reading.allCases.randomElement(using: &random) ?? .buffered
    cancelsAfter = random.oneIn(5) ? Int.random(in: 0..<200, using: &random) : nil
    size = Int.random(in: 1...(192 << 10), using: &random)
  }
}
