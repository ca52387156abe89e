package import ContentCodings
package import Interception

extension GzipEncoder {
  private static let inputStep = 256 << 10
  private static let outputStep = 64 << 10

  /// Codes bytes in one go; gives up, and returns nil, as soon as the result is longer than `limit` bytes.
  ///
  /// A long body is coded in steps, between which a cancelled task is noticed.
  ///
  /// - Throws: ``NetworkError/Kind/cancelled(_:)``, and ``NetworkError/Kind/rejected`` when zlib gets no
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
