extension ByteSource {
  /// Reads everything that is left into memory, and cancels the source when it is more than `limit` bytes.
  ///
  /// - Parameter announced: The length that was promised, to reserve room and to refuse early.
  /// - Throws: ``NetworkError/Kind/bodyTooLarge(limit:)``.
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
