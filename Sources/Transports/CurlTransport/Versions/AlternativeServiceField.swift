import Interception

/// The content of an `Alt-Svc` field (RFC 7838, section 3).
struct AlternativeServiceField: Hashable {
  /// One alternative service.
  struct Alternative: Hashable {
    /// The name of its protocol as in ALPN, such as "h3".
    let protocolName: String
    /// Its host; empty for that of the origin.
    let host: String
    let port: Int
    /// For how many seconds after the response was generated it may be used.
    var maximumAge = 86_400
  }

  /// The maximum number of alternatives that are read; further ones are ignored.
  static let maximumCount = 32

  /// In the server's order; empty for `clear`, which ends all earlier ones.
  let alternatives: [Alternative]

  /// Reads the value of a field; nil if it is malformed.
  ///
  /// Unknown parameters are ignored, as the RFC demands, and so are empty list members and `persist`: no
  /// alternative outlasts a change of network.
  init?(_ text: String) {
    var scanner = Scanner(text)
    if scanner.takesWhole("clear") {
      alternatives = []
      return
    }
    var found: [Alternative] = []
    repeat {
      scanner.skipBlanks()
      if scanner.isAtEnd || scanner.isAt(",") { continue }
      guard let alternative = Self.alternative(&scanner) else { return nil }
      if found.count < Self.maximumCount { found.append(alternative) }
      scanner.skipBlanks()
    } while scanner.take(",")
    guard scanner.isAtEnd, !found.isEmpty else { return nil }
    alternatives = found
  }

  private static func alternative(_ scanner: inout Scanner) -> Alternative? {
    guard let name = scanner.token(), scanner.take("="), let authority = scanner.quoted(),
      let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")),
      let port = AuthoritySyntax.port(authority[authority.index(after: colon)...])
    else { return nil }
    let host = String(authority[..<colon])
    guard host.isEmpty || AuthoritySyntax.isHost(host) else { return nil }
    var age = 86_400
    while scanner.takeParameterMark() {
      guard let key = scanner.token(), scanner.take("="), let value = scanner.quoted() ?? scanner.token()
      else { return nil }
      guard key == "ma" else { continue }
      guard let seconds = Self.seconds(value) else { return nil }
      age = seconds
    }
    return Alternative(protocolName: decoded(name), host: host, port: port, maximumAge: age)
  }

  /// Reads a number of seconds; one that is too large means "for ever" (RFC 9111, section 1.2.2).
  private static func seconds(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text).map { min($0, Int(Int32.max)) } ?? Int(Int32.max)
  }

  /// Decodes the octets of a protocol name that are no characters of a token.
  private static func decoded(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "%")) else { return name }
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads the parts of a field from its beginning on.
  private struct Scanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { index == bytes.count }

    func isAt(_ mark: Unicode.Scalar) -> Bool { index < bytes.count && bytes[index] == UInt8(ascii: mark) }

    /// Whether the whole text is one word, with or without blanks around it.
    mutating func takesWhole(_ word: String) -> Bool {
      let start = index
      skipBlanks()
      if bytes[index...].starts(with: word.utf8) {
        index += word.utf8.count
        skipBlanks()
        if isAtEnd { return true }
      }
      index = start
      return false
    }

    mutating func skipBlanks() {
      while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    }

    mutating func take(_ mark: Unicode.Scalar) -> Bool {
      guard isAt(mark) else { return false }
      index += 1
      return true
    }

    /// Takes a semicolon and the blanks around it; false without moving if none follows.
    mutating func takeParameterMark() -> Bool {
      let start = index
      skipBlanks()
      guard take(";") else {
        index = start
        return false
      }
      skipBlanks()
      return true
    }

    mutating func token() -> String? {
      let start = index
      while index < bytes.count, bytes[index].isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(bytes[index])
      {
        index += 1
      }
      return start == index ? nil : String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Takes a quoted string, without its quotes and backslashes; nil without moving if none follows.
    mutating func quoted() -> String? {
      let start = index
      guard take("\"") else { return nil }
      var content: [UInt8] = []
      while index < bytes.count, !isAt("\"") {
        if isAt("\\") { index += 1 }
        guard index < bytes.count else { break }
        content.append(bytes[index])
        index += 1
      }
      guard take("\"") else {
        index = start
        return nil
      }
      return String(decoding: content, as: UTF8.self)
    }
  }
}
