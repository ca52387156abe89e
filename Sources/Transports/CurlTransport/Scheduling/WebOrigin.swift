/// Scheme, host and port (RFC 6454); requests to the same origin share connections.
struct WebOrigin: Sendable, Hashable, CustomStringConvertible {
  enum Scheme: String, Sendable, Hashable {
    case http
    case https

    var defaultPort: Int { self == .http ? 80 : 443 }
  }

  let scheme: Scheme
  /// In lower case; an IPv6 address is in brackets.
  let host: String
  let port: Int
  /// Whether it is http, and its server is known to speak HTTP/2.
  var hasPriorKnowledge = false

  /// Whether its connections may carry several requests each.
  var mayMultiplex: Bool { scheme == .https || hasPriorKnowledge }

  var description: String { "\(host):\(port)" }

  /// The index of the thread, out of `count`, that carries this origin's requests.
  func lane(of count: Int) -> Int {
    guard count > 1 else { return 0 }
    // FNV-1a: the standard library's hash differs between runs, and measurements must be repeatable.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in host.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ UInt64(port)) &* 0x100_0000_01B3
    return Int((hash ^ (hash >> 32)) % UInt64(count))
  }
}
