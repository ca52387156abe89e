import Cryptography
import HTTPTypes
import Interception

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

    /// Reads the options of a list; unknown ones are ignored.
    static func list(_ text: String) -> Set<Protection> {
      Set(text.split { ",; \t".contains($0) }.compactMap { Protection(rawValue: $0.lowercased()) })
    }
  }

  let realm: String
  let nonce: String
  let opaque: String?
  let algorithm: Algorithm
  /// Whether the challenge names its algorithm, which the credentials then repeat.
  let namesAlgorithm: Bool
  /// The protections offered; empty for a server of RFC 2069, which knows none, and for one that offers an
  /// empty list or unknown options alone, which curl answers likewise.
  let protections: Set<Protection>
  /// Whether the credentials were right, but their nonce is too old.
  let isStale: Bool
  /// Whether the user's name is to be sent as a hash.
  let hashesUser: Bool
  /// Whether the server's texts are hashed and sent back in ISO 8859-1, as they came, and not in UTF-8.
  let isLatin1: Bool

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
    let offered = parameters["qop"].map(Protection.list) ?? []
    // Without a protection there is no client nonce, which the session variant requires.
    guard !offered.isEmpty || !algorithm.isSession else { return nil }
    self.realm = realm
    self.nonce = nonce
    opaque = parameters["opaque"]
    self.algorithm = algorithm
    namesAlgorithm = name != nil
    protections = offered
    isStale = parameters["stale"]?.lowercased() == "true"
    hashesUser = parameters["userhash"]?.lowercased() == "true"
    isLatin1 = challenge.isLatin1
  }

  /// The bytes of a text of the server, as they came.
  func bytes(of text: String) -> [UInt8] {
    guard isLatin1 else { return Array(text.utf8) }
    return text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
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

/// The credentials that respond to a challenge of the Digest scheme (RFC 7616, section 3.4).
struct DigestResponse: Sendable {
  let challenge: DigestChallenge
  let user: String
  let password: Secret
  let method: String
  /// The request target as it is sent.
  let uri: String
  /// The content, for the protection `auth-int`.
  var body: [UInt8] = []
  /// The number of requests with this nonce, this one included.
  let count: UInt32
  let clientNonce: String

  /// Returns the value of the Authorization field.
  func fieldValue() throws(CryptographyError) -> String {
    var parts = [try userPart(), "realm=\(Self.quoted(challenge.realm))", "uri=\(Self.quoted(uri))"]
    if challenge.namesAlgorithm { parts.append("algorithm=\(challenge.algorithm.name)") }
    parts.append("nonce=\(Self.quoted(challenge.nonce))")
    if let protection = challenge.protection {
      parts += ["nc=\(counter)", "cnonce=\(Self.quoted(clientNonce))", "qop=\(protection.rawValue)"]
    }
    parts.append("response=\"\(try response())\"")
    if let opaque = challenge.opaque { parts.append("opaque=\(Self.quoted(opaque))") }
    if challenge.hashesUser { parts.append("userhash=true") }
    return "Digest " + parts.joined(separator: ", ")
  }

  /// Returns the Authorization field; what is not a text of the server is ASCII.
  func field() throws(CryptographyError) -> HTTPField {
    HTTPField(name: .authorization, lenientValue: challenge.bytes(of: try fieldValue()))
  }

  /// Returns the `response` parameter (RFC 7616, section 3.4.1).
  func response() throws(CryptographyError) -> String {
    let key = try sessionKey()
    let target = try targetHash()
    guard let protection = challenge.protection else {
      return try hash(key, challenge.nonce, target)
    }
    return try hash(key, challenge.nonce, counter, clientNonce, protection.rawValue, target)
  }

  /// H(A1) (RFC 7616, section 3.4.2).
  func sessionKey() throws(CryptographyError) -> String {
    let key = try hashOfUser(password.text)
    return challenge.algorithm.isSession ? try hash(key, challenge.nonce, clientNonce) : key
  }

  /// H(A2) (RFC 7616, section 3.4.3).
  func targetHash() throws(CryptographyError) -> String {
    guard challenge.protection == .authInt else { return try hash(method, uri) }
    let content = Hexadecimal.encode(try challenge.algorithm.hash.hash(of: body))
    return try hash(method, uri, content)
  }

  /// Returns the user's name as a hash, in UTF-8, or as a quoted string (RFC 7616, section 3.4.4).
  private func userPart() throws(CryptographyError) -> String {
    if challenge.hashesUser { return "username=\"\(try hashOfUser())\"" }
    if user.utf8.allSatisfy({ $0 < 0x80 }) { return "username=\(Self.quoted(user))" }
    return "username*=UTF-8''\(PercentEncoding.component(user))"
  }

  private var counter: String {
    let digits = String(count, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }

  /// Hashes texts, separated by colons; all but the server's are ASCII.
  private func hash(_ texts: String...) throws(CryptographyError) -> String {
    Hexadecimal.encode(
      try challenge.algorithm.hash.hash(of: challenge.bytes(of: texts.joined(separator: ":"))))
  }

  /// Hashes the user's name, the realm and the password, if any: the user's texts in UTF-8.
  private func hashOfUser(_ password: String? = nil) throws(CryptographyError) -> String {
    var bytes = Array("\(user):".utf8) + challenge.bytes(of: challenge.realm)
    if let password { bytes += Array(":\(password)".utf8) }
    return Hexadecimal.encode(try challenge.algorithm.hash.hash(of: bytes))
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
