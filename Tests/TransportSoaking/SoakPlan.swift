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

    /// Whether the request has content.
    var isUpload: Bool { [.uploadBytes, .uploadStream, .uploadBroken, .uploadRefused].contains(self) }

    /// Whether a transfer may end before its content was sent.
    ///
    /// Over HTTP/3 such a transfer breaks the connection of all others, and may abort the process, with
    /// libcurl 8.23.0 and ngtcp2 1.25.0: nghttp3 asks for content of a stream whose transfer is gone.
    var endsEarly: Bool { self == .uploadBroken || self == .uploadRefused }
  }

  /// The server of a request, with the version of HTTP that it speaks.
  enum Server: String, Sendable {
    /// The scripted server, over HTTP/1.1.
    case scripted = "HTTP/1.1"
    /// nginx, over HTTP/2.
    case nginx = "HTTP/2"
    /// Caddy, which forwards the requests to the scripted server, over HTTP/3.
    case caddy = "HTTP/3"

    /// What it can serve.
    var deeds: [Deed] {
      switch self {
      case .nginx: [.small, .large, .uploadBytes, .uploadStream, .uploadBroken, .uploadRefused]
      case .scripted: Deed.allCases
      case .caddy: Deed.allCases.filter { !$0.endsEarly }
      }
    }
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
  let server: Server
  let deed: Deed
  let reading: Reading
  /// The number of turns of the scheduler after which the caller cancels; nil if it does not.
  let cancelsAfter: Int?
  /// The size of a large body in bytes, in either direction.
  let size: Int

  init(seed: UInt64, number: Int, servers: [Server]) {
    var random = SeededRandom(seed: seed, number: number)
    self.number = number
    server = servers.randomElement(using: &random) ?? .scripted
    // Half of them have no faults, so that connections live long enough to be shared and reused.
    deed = random.oneIn(2) ? .small : server.deeds.randomElement(using: &random) ?? .small
    reading = random.oneIn(2) ? .buffered : Reading.allCases.randomElement(using: &random) ?? .buffered
    let isCancelled = random.oneIn(5) && !(server == .caddy && deed.isUpload)
    cancelsAfter = isCancelled ? Int.random(in: 0..<200, using: &random) : nil
    size = Int.random(in: 1...(192 << 10), using: &random)
  }
}
