/// A content coding of RFC 9110, section 8.4.1.
public struct ContentCoding: Sendable, Hashable, CustomStringConvertible {
  /// The registered name, in lower case.
  public let name: String

  /// Makes a coding of its registered name; case doesn't matter.
  public init(_ name: String) { self.name = name.lowercased() }

  /// RFC 1952.
  public static let gzip = ContentCoding("gzip")
  /// RFC 1950.
  public static let deflate = ContentCoding("deflate")
  /// RFC 7932.
  public static let brotli = ContentCoding("br")
  /// RFC 8878.
  public static let zstd = ContentCoding("zstd")

  /// The name.
  public var description: String { name }
}
