/// Why a text is not a URL that can be routed, and at which byte.
///
/// The text itself is not repeated: a link may carry a token, and a fault reaches logs.
public struct URLFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// The URL is longer than its limit of so many bytes.
    case tooLong(limit: Int)
    /// The path has more segments than this limit.
    case tooManySegments(limit: Int)
    /// The scheme, a segment, a query name or a query value is longer than so many bytes.
    case parameterTooLong(limit: Int)
    /// It does not begin with a scheme and a colon.
    case noScheme
    /// After the scheme's colon there is no `//`.
    case noAuthority
    /// The host is missing.
    case emptyHost
    /// The host holds a character that no host has.
    case illegalHost
    /// It carries a user name or a password before the host.
    case userInformation
    /// The port is not a number up to 65535, or the scheme has no ports.
    case port
    /// A byte that must be percent-encoded stands bare.
    case illegalCharacter(UInt8)
    /// A `%` is not followed by two hexadecimal digits.
    case percent
    /// What the percent-encoding stands for is not UTF-8.
    case encoding
    /// It holds a NUL.
    case nul
    /// Two slashes stand side by side in the path.
    case emptySegment
    /// A path segment is `.` or `..`, bare or percent-encoded.
    case dotSegment
  }

  /// What is wrong.
  public let reason: Reason
  /// The offset in bytes at which it was noticed.
  public let offset: Int

  /// Records what is wrong and where.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// A sentence that says what is wrong, where, and what to do.
  public var description: String {
    "The URL is malformed at byte \(offset): \(sentence)"
  }

  private var sentence: String {
    switch reason {
    case .tooLong(let limit): "it is longer than \(limit) bytes; shorten it."
    case .tooManySegments(let limit): "its path has more than \(limit) segments; shorten it."
    case .parameterTooLong(let limit):
      "the scheme, a segment or a query field is longer than \(limit) bytes; pass large values by a typed call."
    case .noScheme: "it has no scheme; begin it with one, as in scheme://host/path."
    case .noAuthority: "\"//\" is missing after the scheme; write scheme://host/path."
    case .emptyHost: "it has no host; write one after \"//\"."
    case .illegalHost: "the host holds a character that no host may have."
    case .userInformation: "it carries a user name or password before the host; remove it."
    case .port: "the port is not allowed here or not a number up to 65535; remove or correct it."
    case .illegalCharacter(let byte):
      "byte 0x\(hexadecimal(byte)) must not stand bare; percent-encode it as %\(hexadecimal(byte))."
    case .percent: "\"%\" is not followed by two hexadecimal digits; write a bare percent sign as %25."
    case .encoding: "the percent-encoded bytes are not UTF-8; encode the text as UTF-8."
    case .nul: "it holds a NUL character; remove it."
    case .emptySegment: "the path has an empty segment; write one slash between two segments."
    case .dotSegment: "the path has a \".\" or \"..\" segment; write the path it leads to."
    }
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.utf8.count == 1 ? "0" + digits : digits
  }
}
