import Cryptography
import Interception

extension RequestBody {
  /// Returns the SHA-256 of the content, read in chunks if it isn't in memory.
  ///
  /// - Parameter alternative: A remedy besides a replayable body, for the error.
  func sha256(orElse alternative: String? = nil) async throws -> HashValue {
    do {
      if let bytes { return try HashValue(sha256: bytes) }
      try checkReplay(orElse: alternative)
      var digest = try Digest()
      try await read { try digest.update($0) }
      return try digest.value()
    } catch let error as CryptographyError {
      throw VendorSignatureError(error)
    }
  }

  /// Returns the content, for a signature that covers the parameters of a form.
  func signedBytes(limit: Int) async throws -> [UInt8] {
    if let bytes, bytes.count <= limit { return bytes }
    try checkReplay()
    do {
      return try await collect(upTo: limit)
    } catch {
      guard case .bodyTooLarge = error.kind else { throw error }
      throw VendorSignatureError(.bodyTooLarge(limit: limit))
    }
  }

  private func checkReplay(orElse alternative: String? = nil) throws(NetworkError) {
    guard replay == .once else { return }
    let error = VendorSignatureError(.bodyNotReplayable(orElse: alternative))
    throw NetworkError(.bodyNotReplayable, error.description, underlying: error)
  }
}

extension VendorSignatureError {
  init(_ error: CryptographyError) { self = VendorSignatureError(.cryptography(error.operation)) }
}
