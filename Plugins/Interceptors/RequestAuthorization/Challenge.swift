import Interception

/// A challenge of a server: a scheme that it accepts, with parameters (RFC 9110, section 11.3).
public struct Challenge: Sendable, Hashable {
  /// The name of the scheme in lower case, such as `bearer`.
  public let scheme: String
  /// The parameters by name in lower case; quoted values are unescaped.
  public let parameters: [String: String]
  /// The data of a scheme such as Negotiate, which has no parameters; nil for others.
  public let token68: String?

  /// Creates a challenge.
  public init(scheme: String, parameters: [String: String] = [:], token68: String? = nil) {
    self.scheme = scheme.lowercased()
    self.parameters = parameters
    self.token68 = token68
  }

  /// The protection space within the origin (RFC 9110, section 11.5); nil if the challenge names none.
  public var realm: String? { parameters["realm"] }
}

extension Challenge {
  /// The maximum number of bytes that are read, over all fields of a response.
  static let byteLimit = 16 << 10
  /// The maximum number of challenges, and of parameters of one challenge.
  static let countLimit = 32

  /// Parses the values of `WWW-Authenticate` fields; malformed challenges are omitted.
  ///
  /// The time is linear in the limit of bytes, whatever a server sends.
  static func list(_ values: [String]) -> [Challenge] {
    var challenges: [Challenge] = []
    var remaining = byteLimit
    for value in values {
      let bytes = Array(value.utf8.prefix(remaining))
      // A field that is cut would end in a challenge with a shortened value.
      let isCut = bytes.count < value.utf8.count
      remaining -= bytes.count
      var reader = ChallengeReader(bytes)
      while challenges.count < countLimit, let challenge = reader.next() {
        if isCut, reader.isAtEnd { break }
        challenges.append(challenge)
      }
      guard remaining > 0, challenges.count < countLimit else { break }
    }
    return challenges
  }
}

/// Reads the challenges of one field, from left to right (RFC 9110, section 11.6.1).
///
/// Commas separate both challenges and the parameters of one: an element starts a new challenge unless it is
/// a name followed by an equals sign.
struct ChallengeReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the whole field has been read.
  var isAtEnd: Bool { place == bytes.count }

  /// Returns the next challenge, or nil at the end of the field and where it is malformed.
  mutating func next() -> Challenge? {
    while take(UInt8(ascii: ",")) || skipSpace() {}
    guard let scheme = token() else { return nil }
    let hasSpace = skipSpace()
    if isAtElementEnd { return Challenge(scheme: scheme) }
    guard hasSpace else { return nil }
    if let data = token68() { return Challenge(scheme: scheme, token68: data) }
    return parameters().map { Challenge(scheme: scheme, parameters: $0) }
  }

  /// Reads the parameters up to the next challenge; nil if they are malformed or too many.
  private mutating func parameters() -> [String: String]? {
    var parameters: [String: String] = [:]
    while true {
      let start = place
      guard let name = token()?.lowercased() else { return parameters.isEmpty ? nil : parameters }
      skipSpace()
      guard take(UInt8(ascii: "=")) else {
        // The name is that of the next challenge's scheme.
        place = start
        return parameters.isEmpty ? nil : parameters
      }
      skipSpace()
      // A parameter must occur only once (RFC 9110, section 11.2).
      guard let value = token() ?? quotedString(), parameters[name] == nil,
        parameters.count < Challenge.countLimit
      else { return nil }
      parameters[name] = value
      skipSpace()
      guard isAtElementEnd else { return nil }
      while take(UInt8(ascii: ",")) || skipSpace() {}
    }
  }

  private var isAtElementEnd: Bool { isAtEnd || bytes[place] == UInt8(ascii: ",") }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = place
    while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
    return place > start
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  private mutating func token() -> String? {
    let start = place
    while place < bytes.count, MediaTypeSyntax.isTokenByte(bytes[place]) { place += 1 }
    return place > start ? String(decoding: bytes[start..<place], as: UTF8.self) : nil
  }

  /// Reads the data of a scheme without parameters; nil, without moving, if this isn't all of the element.
  private mutating func token68() -> String? {
    let start = place
    while place < bytes.count, Self.isToken68Byte(bytes[place]) { place += 1 }
    let hasCharacters = place > start
    while place < bytes.count, bytes[place] == UInt8(ascii: "=") { place += 1 }
    let end = place
    skipSpace()
    guard hasCharacters, isAtElementEnd else {
      place = start
      return nil
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private static func isToken68Byte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~+/".utf8.contains(byte)
    }
  }

  private mutating func quotedString() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    var text: [UInt8] = []
    while place < bytes.count {
      var byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        guard place < bytes.count else { return nil }
        byte = bytes[place]
        place += 1
      }
      text.append(byte)
    }
    return nil
  }
}
