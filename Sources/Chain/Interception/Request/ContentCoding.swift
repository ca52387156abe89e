/// A content coding (RFC 9110, section 8.4.1).
public struct ContentCoding: Sendable, Hashable, CustomStringConvertible {
  /// The registered name, in lowercase.
  package let name: String

  /// Creates a content coding from its registered name, in any case.
  package init(_ name: String) { self.name = name.lowercased() }

  /// gzip (RFC 1952).
  public static let gzip = ContentCoding("gzip")
  /// deflate (RFC 1950).
  public static let deflate = ContentCoding("deflate")
  /// Brotli (RFC 7932).
  public static let brotli = ContentCoding("br")
  /// Zstandard (RFC 8878).
  public static let zstd = ContentCoding("zstd")

  /// The name.
  public var description: String { name }
}
