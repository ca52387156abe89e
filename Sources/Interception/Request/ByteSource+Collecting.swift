extension ByteSource {
  /// Reads the remaining bytes into memory, and cancels the source if there are more than `limit`.
  ///
  /// - Parameter announced: The declared length, used to refuse a longer body before reading it.
  /// - Throws: ``NetworkError/Kind/bodyTooLarge(limit:)``, or the source's error.
  package func collect(upTo limit: Int, announced: Int64? = nil) async throws(NetworkError) -> [UInt8] {
    if let announced, announced > Int64(limit) {
      cancel()
      throw NetworkError.bodyTooLarge(limit: Int64(limit))
    }
    var collected: [UInt8] = []
    while let chunk = try await read() {
      guard collected.count + chunk.count <= limit else {
        cancel()
        throw NetworkError.bodyTooLarge(limit: Int64(limit))
      }
      if collected.isEmpty { collected = chunk } else { collected.append(contentsOf: chunk) }
    }
    return collected
  }
}
