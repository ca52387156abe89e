import ContentCodings
package import Interception

extension ContentCoding {
  private static let inputStep = 256 << 10
  private static let outputStep = 64 << 10

  /// Compresses bytes at once; returns nil as soon as the result is longer than `limit` bytes.
  ///
  /// Long input is compressed in steps, with a check for cancellation before each.
  ///
  /// - Throws: ``NetworkError/Kind/cancelled(_:)``; ``NetworkError/Kind/rejected`` if the library can't
  ///   allocate memory; ``NetworkError/Kind/invalidRequest`` if the coding can't be written.
  package func encode(
    _ bytes: [UInt8], level: Int = 6, atMost limit: Int = .max
  ) throws(NetworkError) -> [UInt8]? {
    let encoder = try requiredEncoder(level: level)
    var coded: [UInt8] = []
    var rest = bytes[...]
    while true {
      guard !Task.isCancelled else { throw NetworkError(.cancelled(.task), "The request was cancelled.") }
      let input = rest.prefix(Self.inputStep)
      let piece = try encoder.encode(input, isLast: input.count == rest.count, upTo: Self.outputStep)
      guard coded.count + piece.bytes.count <= limit else { return nil }
      coded.append(contentsOf: piece.bytes)
      rest = rest.dropFirst(piece.consumed)
      if piece.isComplete { return coded }
    }
  }

  /// Creates an encoder of this coding.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest`` if the coding can't be written.
  func requiredEncoder(level: Int) throws(NetworkError) -> any ContentEncoder {
    guard let encoder = try makeEncoder(level: level) else {
      let known = ContentCoding.encodable.map(\.name).joined(separator: ", ")
      throw NetworkError(
        .invalidRequest, "Bodies can't be sent with the coding \"\(name)\"; choose one of \(known).")
    }
    return encoder
  }
}
