/// The content of a response.
public enum ResponseBody: Sendable {
  /// Content in memory.
  case bytes([UInt8])
  /// Content pulled by a single reader; releasing it cancels the transfer.
  case stream(BodyStream)

  /// No content.
  public static let empty = ResponseBody.bytes([])

  /// The number of bytes, or nil if it is not known in advance.
  public var length: Int64? {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .stream(let stream): stream.length
    }
  }

  /// Returns the content as bytes.
  ///
  /// - Throws: ``NetworkError/Kind/bodyTooLarge(limit:)`` if it is longer than `limit` bytes, or the error
  ///   that ends the stream early.
  public func collect(upTo limit: Int) async throws(NetworkError) -> [UInt8] {
    switch self {
    case .bytes(let bytes):
      guard bytes.count <= limit else { throw NetworkError.bodyTooLarge(limit: Int64(limit)) }
      return bytes
    case .stream(let stream):
      return try await stream.claim().collect(upTo: limit, announced: stream.length)
    }
  }
}
