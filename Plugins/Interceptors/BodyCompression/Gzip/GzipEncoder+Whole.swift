package import ContentCodings
package import Interception

extension GzipEncoder {
  private static let inputStep = 256 << 10
  private static let outputStep = 64 << 10

  /// Compresses bytes at once; returns nil as soon as the result is longer than `limit` bytes.
  ///
  /// Long input is compressed in steps, with a check for cancellation before each.
  ///
  /// - Throws: ``NetworkError/Kind/cancelled(_:)``, and ``NetworkError/Kind/rejected`` if zlib can't allocate
  ///   memory.
  package static func encode(
    _ bytes: [UInt8], level: Int = 6, atMost limit: Int = .max
  ) throws(NetworkError) -> [UInt8]? {
    var encoder = try GzipEncoder(level: level)
    var coded: [UInt8] = []
    var rest = bytes[...]
    while true {
      guard !Task.isCancelled else { throw NetworkError(.cancelled(.task), "The request was cancelled.") }
      let input = rest.prefix(inputStep)
      let piece = try encoder.encode(input, isLast: input.count == rest.count, upTo: outputStep)
      guard coded.count + piece.bytes.count <= limit else { return nil }
      coded.append(contentsOf: piece.bytes)
      rest = rest.dropFirst(piece.consumed)
      if piece.isComplete { return coded }
    }
  }
}
