import Cryptography

/// A challenge of the Digest scheme (RFC 7616, section 3.3) that this library can respond to.
struct DigestChallenge: Sendable, Hashable {
  /// The hash and whether the session variant is used.
  struct Algorithm: Sendable, Hashable {
    let hash: HashAlgorithm
    /// Whether nonce and client nonce are part of the key, `-sess`.
    let isSession: Bool
    /// The registered name.
    let name: String

    static let all = [
      Algorithm(hash: .sha512By256, isSession: false, name: "SHA-512-256"),
      Algorithm(hash: .sha512By256, isSession: true, name: "SHA-512-256-sess"),
      // Not registered, but servers and clients in Python use it.
      Algorithm(hash: .sha512, isSession: false, name: "SHA-512"),
      Algorithm(hash: .sha512, isSession: true, name: "SHA-512-sess"),
      Algorithm(hash: .sha256, isSession: false, name: "SHA-256"),
      Algorithm(hash: .sha256, isSession: true, name: "SHA-256-sess"),
      Algorithm(hash: .md5, isSession: false, name: "MD5"),
      Algorithm(hash: .md5, isSession: true, name: "MD5-sess"),
    ]
    static let byDefault = Algorithm(hash: .md5, isSession: false, name: "MD5")

    /// The strength among the algorithms; higher is better.
    var rank: Int {
      switch hash {
      case .md5: 0
      case .sha256: 1
      case .sha512: 2
      case .sha512By256: 3
      }
    }
  }

  /// What the response protects (RFC 7616, section 3.3, `qop`).
  enum Protection: String, Sendable, Hashable {
    /// The method and the URI.
    case auth
    /// The body too.
    case authInt = "auth-int"
  }

  let realm: String
  let nonce: String
  let opaque: String?
  let algorithm: Algorithm
  /// Whether the challenge names its algorithm, which the credentials then repeat.
  let namesAlgorithm: Bool
  /// The protections offered; empty for a server of RFC 2069, which knows none.
  let protections: Set<Protection>
  /// Whether the credentials were right, but their nonce is too old.
  let isStale: Bool
  /// Whether the user's name is to be sent as a hash.
  let hashesUser: Bool

  /// Reads a challenge; nil if it is of another scheme, or requires what isn't supported.
  init?(_ challenge: Challenge) {
    let parameters = challenge.parameters
    guard challenge.scheme == "digest", let realm = parameters["realm"], let nonce = parameters["nonce"],
      !nonce.isEmpty
    else { return nil }
    let name = parameters["algorithm"]?.lowercased()
    guard
      let algorithm = name == nil
        ? .byDefault : Algorithm.all.first(where: { $0.name.lowercased() == name })
    else { return nil }
    let offered = parameters["qop"].map { qop in
      Set(
        qop.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" })
          .compactMap { Protection(rawValue: $0.lowercased()) })
    }
    // Without a protection there is no client nonce, which the session variant requires.
    guard offered?.isEmpty != true, offered != nil || !algorithm.isSession else { return nil }
    self.realm = realm
    self.nonce = nonce
    opaque = parameters["opaque"]
    self.algorithm = algorithm
    namesAlgorithm = name != nil
    protections = offered ?? []
    isStale = parameters["stale"]?.lowercased() == "true"
    hashesUser = parameters["userhash"]?.lowercased() == "true"
  }

  /// The protection for a request; nil without any, as in RFC 2069.
  ///
  /// `auth` is preferred, because many servers implement only that correctly.
  var protection: Protection? { protections.contains(.auth) ? .auth : protections.first }

  /// Returns the strongest challenge whose hash is available; the first of equally strong ones.
  static func strongest(of challenges: [Challenge]) -> DigestChallenge? {
    let supported = challenges.compactMap { DigestChallenge($0) }
    let available = supported.filter(\.algorithm.hash.isAvailable)
    // If none is available, its hash fails with an error that names the algorithm.
    return (available.isEmpty ? supported : available).reduce(nil) { best, other in
      guard let best else { return other }
      return other.algorithm.rank > best.algorithm.rank ? other : best
    }
  }
}
