import Cryptography

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

  /// Returns the `response` parameter (RFC 7616, section 3.4.1).
  func response() throws(CryptographyError) -> String {
    let key = try sessionKey()
    let target = try targetHash()
    guard let protection = challenge.protection else {
      return try hash("\(key):\(challenge.nonce):\(target)")
    }
    return try hash(
      "\(key):\(challenge.nonce):\(counter):\(clientNonce):\(protection.rawValue):\(target)")
  }

  /// H(A1) (RFC 7616, section 3.4.2).
  func sessionKey() throws(CryptographyError) -> String {
    let key = try hash("\(user):\(challenge.realm):\(password.text)")
    return challenge.algorithm.isSession ? try hash("\(key):\(challenge.nonce):\(clientNonce)") : key
  }

  /// H(A2) (RFC 7616, section 3.4.3).
  func targetHash() throws(CryptographyError) -> String {
    guard challenge.protection == .authInt else { return try hash("\(method):\(uri)") }
    let content = Hexadecimal.encode(try challenge.algorithm.hash.hash(of: body))
    return try hash("\(method):\(uri):\(content)")
  }

  /// Returns the user's name as a hash, in UTF-8, or as a quoted string (RFC 7616, section 3.4.4).
  private func userPart() throws(CryptographyError) -> String {
    if challenge.hashesUser { return "username=\"\(try hash("\(user):\(challenge.realm)"))\"" }
    if user.utf8.allSatisfy({ $0 < 0x80 }) { return "username=\(Self.quoted(user))" }
    return "username*=UTF-8''\(FormEncoding.percentEncoded(user))"
  }

  private var counter: String {
    let digits = String(count, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }

  private func hash(_ text: String) throws(CryptographyError) -> String {
    Hexadecimal.encode(try challenge.algorithm.hash.hash(of: Array(text.utf8)))
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
