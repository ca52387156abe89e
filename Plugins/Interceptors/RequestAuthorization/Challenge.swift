import HTTPTypes
import Interception

/// A challenge of a server: a scheme that it accepts, with parameters (RFC 9110, section 11.3).
package struct Challenge: Sendable, Hashable {
  /// The name of the scheme in lower case, such as `bearer`.
  package let scheme: String
  /// The parameters by name in lower case; quoted values are unescaped.
  ///
  /// A field that isn't UTF-8 is read as ISO 8859-1.
  package let parameters: [String: String]
  /// The data of a scheme such as Negotiate, which has no parameters; nil for others.
  package let token68: String?
  /// Whether the parameters are those of a field that isn't UTF-8.
  let isLatin1: Bool

  /// Creates a challenge.
  package init(scheme: String, parameters: [String: String] = [:], token68: String? = nil) {
    self.init(scheme: scheme, parameters: parameters, token68: token68, isLatin1: false)
  }

  init(scheme: String, parameters: [String: String] = [:], token68: String? = nil, isLatin1: Bool) {
    self.scheme = scheme.lowercased()
    self.parameters = parameters
    self.token68 = token68
    self.isLatin1 = isLatin1
  }

  /// The protection space within the origin (RFC 9110, section 11.5); nil if the challenge names none.
  package var realm: String? { parameters["realm"] }
}

extension Challenge {
  /// The maximum number of bytes that are read, over all fields of a response.
  static let byteLimit = 16 << 10
  /// The maximum number of challenges, and of parameters of one challenge.
  static let countLimit = 32

  /// Parses the values of `WWW-Authenticate` fields; malformed challenges are omitted.
  static func list(_ values: [String]) -> [Challenge] { list(of: values.map { Array($0.utf8) }) }

  /// Parses `WWW-Authenticate` fields; malformed challenges are omitted.
  static func list(_ fields: some Sequence<HTTPField>) -> [Challenge] {
    list(of: fields.map(\.bytes))
  }

  /// Parses values in a time that is linear in the limit of bytes, whatever a server sends.
  private static func list(of values: [[UInt8]]) -> [Challenge] {
    var challenges: [Challenge] = []
    var remaining = byteLimit
    for value in values {
      let bytes = Array(value.prefix(remaining))
      // A field that is cut would end in a challenge with a shortened value.
      let isCut = bytes.count < value.count
      remaining -= bytes.count
      var reader = ChallengeReader(bytes, isLatin1: String(validating: value, as: UTF8.self) == nil)
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
/// a name followed by an equals sign. What servers write beside the grammar is read where it has one reading:
/// parameters that are separated by spaces, values that lack their quotes, empty values, and a parameter that
/// is repeated with the same value.
struct ChallengeReader {
  private let bytes: [UInt8]
  private let isLatin1: Bool
  private var place = 0

  init(_ bytes: [UInt8], isLatin1: Bool) {
    self.bytes = bytes
    self.isLatin1 = isLatin1
  }

  /// Whether the whole field has been read.
  var isAtEnd: Bool { place == bytes.count }

  /// Returns the next challenge, or nil at the end of the field and where it is malformed.
  mutating func next() -> Challenge? {
    skipSeparators()
    guard let scheme = token() else { return nil }
    let hasSpace = skipSpace()
    if isAtElementEnd {
      // The list of parameters may begin with empty elements, and a parameter can't begin a challenge.
      skipSeparators()
      guard isAtParameter else { return Challenge(scheme: scheme, isLatin1: isLatin1) }
    } else {
      guard hasSpace else { return nil }
      if let data = token68() { return Challenge(scheme: scheme, token68: data, isLatin1: isLatin1) }
    }
    return parameters().map { Challenge(scheme: scheme, parameters: $0, isLatin1: isLatin1) }
  }

  /// Reads the parameters up to the next challenge; nil if they are malformed or too many.
  private mutating func parameters() -> [String: String]? {
    var parameters: [String: String] = [:]
    while let name = parameterName() {
      guard let value = value(of: name), parameters.count < Challenge.countLimit,
        // A parameter must occur only once (RFC 9110, section 11.2).
        parameters.updateValue(value, forKey: name) ?? value == value
      else { return nil }
      skipSeparators()
    }
    return parameters.isEmpty ? nil : parameters
  }

  /// Whether the next element is a parameter.
  private var isAtParameter: Bool {
    var copy = self
    return copy.parameterName() != nil
  }

  /// Reads a name in lower case with its equals sign; nil, without moving, if the next element has none.
  private mutating func parameterName() -> String? {
    var rest = self
    guard let name = rest.token() else { return nil }
    rest.skipSpace()
    guard rest.take(UInt8(ascii: "=")) else { return nil }
    rest.skipSpace()
    self = rest
    return name.lowercased()
  }

  /// Reads a parameter's value; nil if it is malformed.
  private mutating func value(of name: String) -> String? {
    if isAtElementEnd { return "" }
    if take(UInt8(ascii: "\"")) {
      guard let text = quotedText(), isAtElementEnd || skipSpace() else { return nil }
      return text
    }
    guard var text = unquotedText(of: name) else { return nil }
    guard name == "qop" else { return text }
    while let option = protection() { text += ",\(option)" }
    return text
  }

  /// Reads a value without quotes, which ends before a comma, a space or the next parameter; only a realm has
  /// spaces of its own.
  private mutating func unquotedText(of name: String) -> String? {
    let start = place
    var rest = self
    repeat {
      guard rest.skipWord() else { return nil }
      place = rest.place
      rest.skipSpace()
    } while name == "realm" && !rest.isAtElementEnd && !rest.isAtParameter
    guard rest.isAtElementEnd || rest.isAtParameter else { return nil }
    return text(bytes[start..<place])
  }

  /// Reads a further option of a `qop` list without quotes, whose commas end the element; nil, without
  /// moving, if there is none.
  private mutating func protection() -> String? {
    var rest = self
    rest.skipSeparators()
    guard let option = rest.token(), DigestChallenge.Protection(rawValue: option.lowercased()) != nil else {
      return nil
    }
    rest.skipSpace()
    guard rest.isAtElementEnd || rest.isAtParameter else { return nil }
    self = rest
    return option
  }

  /// Reads the data of a scheme without parameters; nil, without moving, if the element is something else.
  private mutating func token68() -> String? {
    var rest = self
    while !rest.isAtEnd, Self.isToken68Byte(bytes[rest.place]) { rest.place += 1 }
    let name = place..<rest.place
    while rest.take(UInt8(ascii: "=")) {}
    let data = bytes[place..<rest.place]
    rest.skipSpace()
    guard !name.isEmpty, rest.isAtElementEnd else { return nil }
    let end = rest
    // A parameter with an empty value looks like data, but only parameters precede a parameter.
    rest.skipSeparators()
    let isParameter = data.count == name.count + 1 && bytes[name].allSatisfy(MediaTypeSyntax.isTokenByte)
    guard !isParameter || !rest.isAtParameter else { return nil }
    self = end
    return text(data)
  }

  private static func isToken68Byte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~+/".utf8.contains(byte)
    }
  }

  /// Reads a quoted string after its first quote; nil if it isn't terminated.
  private mutating func quotedText() -> String? {
    var content: [UInt8] = []
    while place < bytes.count {
      var byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") { return text(content) }
      if byte == UInt8(ascii: "\\") {
        guard place < bytes.count else { return nil }
        byte = bytes[place]
        place += 1
      }
      content.append(byte)
    }
    return nil
  }

  private func text(_ bytes: some Collection<UInt8>) -> String {
    isLatin1 ? FieldText.latin1(bytes) : String(decoding: bytes, as: UTF8.self)
  }

  private mutating func token() -> String? {
    let start = place
    while place < bytes.count, MediaTypeSyntax.isTokenByte(bytes[place]) { place += 1 }
    return place > start ? text(bytes[start..<place]) : nil
  }

  /// Skips characters other than white space, control characters, commas and quotes; false if there are none,
  /// or a quote ends them.
  private mutating func skipWord() -> Bool {
    let start = place
    while place < bytes.count, bytes[place] > 0x20, bytes[place] != 0x7F, bytes[place] != UInt8(ascii: ","),
      bytes[place] != UInt8(ascii: "\"")
    { place += 1 }
    return place > start && (isAtElementEnd || Self.isSpace(bytes[place]))
  }

  private var isAtElementEnd: Bool { isAtEnd || bytes[place] == UInt8(ascii: ",") }

  private mutating func skipSeparators() { while take(UInt8(ascii: ",")) || skipSpace() {} }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = place
    while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
    return place > start
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }
}
