import Interception

/// The response of a token endpoint (RFC 6749, section 5).
enum TokenResponse {
  /// Reads the token from a response.
  ///
  /// Some servers report an error with status 200, so the body's error code is read first. A token without a
  /// type is a bearer token, because servers omit it. The content type is not checked, because servers send
  /// JSON as `text/plain`, too.
  ///
  /// - Parameters:
  ///   - previous: The token that is replaced; its refresh token stays valid unless the response has another
  ///     one (RFC 6749, section 6).
  static func token(
    status: Int, body: [UInt8], replacing previous: AccessToken?, at now: WallTime
  ) throws(AuthorizationError) -> AccessToken {
    let fields = JSONFields(body)
    if let code = fields?.strings["error"], !code.isEmpty {
      throw AuthorizationError(.grantRefused(OAuthErrorCode(rawValue: code) ?? .other))
    }
    guard (200...299).contains(status) else { throw AuthorizationError(.tokenEndpointStatus(status)) }
    guard let fields else {
      throw AuthorizationError(.malformedTokenResponse("the body is not a JSON object"))
    }
    guard let value = fields.strings["access_token"] else {
      throw AuthorizationError(
        .malformedTokenResponse("the field \"access_token\" is missing or not a string"))
    }
    // Null and an empty text count as absent.
    let type = fields.strings["token_type"]?.lowercased() ?? ""
    guard type == "bearer" || type.isEmpty && !fields.hasOther("token_type") else {
      throw AuthorizationError(.malformedTokenResponse("the field \"token_type\" is not \"Bearer\""))
    }
    let refreshToken = fields.strings["refresh_token"].flatMap { $0.isEmpty ? nil : $0 }
    return try AccessToken(
      value, expiry: lifetime(fields).map { now.advanced(by: .seconds($0)) },
      refreshToken: refreshToken ?? previous?.refreshToken)
  }

  /// The seconds until the token expires, at most a hundred years; nil if the server states none.
  private static func lifetime(_ fields: JSONFields) -> Double? {
    // Some servers send the number as a string.
    let seconds = fields.numbers["expires_in"] ?? fields.strings["expires_in"].flatMap { Double($0) }
    guard let seconds, seconds > 0 else { return nil }
    return min(seconds, 100 * 365 * 86_400)
  }
}

/// The strings and numbers of a JSON object, without the nested values; reads bytes in one pass.
///
/// Token endpoints respond with flat objects, so that a JSON decoder, which requires Foundation, isn't
/// needed.
struct JSONFields: Sendable {
  private(set) var strings: [String: String] = [:]
  /// Numbers beyond the range of `Double` are infinite.
  private(set) var numbers: [String: Double] = [:]
  /// The names of booleans, arrays and objects.
  private var others: Set<String> = []
  private let bytes: [UInt8]
  private var place = 0

  /// Reads an object; nil for anything else.
  ///
  /// Of fields with the same name the last one is kept. A byte order mark is ignored (RFC 8259, section 8.1).
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    guard readObject() else { return nil }
  }

  /// Whether a field has a value other than a string and null.
  func hasOther(_ name: String) -> Bool { numbers[name] != nil || others.contains(name) }

  private mutating func readObject() -> Bool {
    skipSpace()
    guard take("{") else { return false }
    skipSpace()
    if !take("}") {
      repeat {
        skipSpace()
        guard let name = string() else { return false }
        skipSpace()
        guard take(":"), readValue(of: name) else { return false }
        skipSpace()
      } while take(",")
      guard take("}") else { return false }
    }
    skipSpace()
    return place == bytes.count
  }

  private mutating func readValue(of name: String) -> Bool {
    skipSpace()
    (strings[name], numbers[name]) = (nil, nil)
    others.remove(name)
    guard place < bytes.count else { return false }
    switch bytes[place] {
    case UInt8(ascii: "\""):
      guard let text = string() else { return false }
      strings[name] = text
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      others.insert(name)
      return skipNested()
    default:
      let start = place
      while place < bytes.count, !Self.isDelimiter(bytes[place]) { place += 1 }
      let word = String(decoding: bytes[start..<place], as: UTF8.self)
      if word == "null" { return true }
      if word == "true" || word == "false" {
        others.insert(name)
        return true
      }
      // `Double` reads more than JSON has, such as "inf" and "0x1".
      guard word.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(word) else {
        return false
      }
      numbers[name] = number
    }
    return true
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    ",]} \t\r\n".utf8.contains(byte)
  }

  /// Skips an array or an object by counting brackets, without recursion.
  private mutating func skipNested() -> Bool {
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        guard string() != nil else { return false }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      place += 1
      if depth == 0 { return true }
    }
    return false
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escapedScalar() else { return nil }
        text.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
      case 0..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  /// Reads the characters after a backslash; a pair of surrogates is one scalar.
  private mutating func escapedScalar() -> Unicode.Scalar? {
    guard place < bytes.count else { return nil }
    let byte = bytes[place]
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let first = hexadecimal() else { return nil }
      guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) }
      guard take("\\"), take("u"), let second = hexadecimal(), (0xDC00...0xDFFF).contains(second) else {
        return nil
      }
      return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    default: return nil
    }
  }

  private mutating func hexadecimal() -> UInt32? {
    guard place + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[place..<(place + 4)] {
      guard let digit = byte.hexadecimalValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    place += 4
    return value
  }

  private mutating func skipSpace() {
    while place < bytes.count, " \t\r\n".utf8.contains(bytes[place]) { place += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard place < bytes.count, UInt32(bytes[place]) == character.value else { return false }
    place += 1
    return true
  }
}
