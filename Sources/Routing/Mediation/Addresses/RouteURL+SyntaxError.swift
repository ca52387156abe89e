extension RouteURL {
  /// A violation of the URL profile, with the offset of the offending byte.
  ///
  /// It does not repeat the text, because a link may carry a token, and faults are logged.
  public struct SyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the fault.
    package enum Reason: Sendable, Hashable {
      /// The URL is longer than this limit in bytes.
      case tooLong(limit: Int)
      /// The path has more segments than this limit.
      case tooManySegments(limit: Int)
      /// The scheme, a segment, a query name or a query value is longer than this limit in bytes.
      case parameterTooLong(limit: Int)
      /// The text does not begin with a scheme and a colon.
      case noScheme
      /// No `//` follows the scheme's colon.
      case noAuthority
      /// The host is missing.
      case emptyHost
      /// The host has a character that no host may contain.
      case illegalHost
      /// There is a user name or password before the host.
      case userInformation
      /// The port is not a number up to 65535, or the scheme has no ports.
      case port
      /// A byte that must be percent-encoded is not.
      case illegalCharacter(UInt8)
      /// A `%` is not followed by two hexadecimal digits.
      case percent
      /// The percent-encoded bytes are not UTF-8.
      case encoding
      /// The text contains a NUL.
      case nul
      /// The path has two slashes in a row.
      case emptySegment
      /// A path segment is `.` or `..`, bare or percent-encoded.
      case dotSegment
    }

    /// The kind of the fault.
    package let reason: Reason
    /// The offset in bytes at which the fault was found.
    package let offset: Int

    /// Creates a fault.
    package init(_ reason: Reason, at offset: Int) {
      self.reason = reason
      self.offset = offset
    }

    /// What is wrong, where, and what to do.
    public var description: String {
      "The URL is malformed at byte \(offset): \(sentence)"
    }

    private var sentence: String {
      switch reason {
      case .tooLong(let limit): "it is longer than \(limit) bytes; shorten it."
      case .tooManySegments(let limit): "its path has more than \(limit) segments; shorten it."
      case .parameterTooLong(let limit):
        "the scheme, a segment or a query field is longer than \(limit) bytes; pass large values in a typed call."
      case .noScheme: "it has no scheme; write scheme://host/path."
      case .noAuthority: "\"//\" is missing after the scheme; write scheme://host/path."
      case .emptyHost: "it has no host; write one after \"//\"."
      case .illegalHost: "the host has a character that hosts may not contain; correct the host."
      case .userInformation: "it has a user name or password before the host; remove it."
      case .port: "the port is not a number up to 65535, or the scheme has no ports; correct or remove it."
      case .illegalCharacter(let byte):
        "byte 0x\(hexadecimal(byte)) is not percent-encoded; write it as %\(hexadecimal(byte))."
      case .percent: "\"%\" is not followed by two hexadecimal digits; write a literal percent sign as %25."
      case .encoding: "the percent-encoded bytes are not UTF-8; encode the text as UTF-8."
      case .nul: "it contains a NUL character; remove it."
      case .emptySegment: "the path has an empty segment; write one slash between segments."
      case .dotSegment: "the path has a \".\" or \"..\" segment; write the path it leads to."
      }
    }

    private func hexadecimal(_ byte: UInt8) -> String {
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }
  }
}
