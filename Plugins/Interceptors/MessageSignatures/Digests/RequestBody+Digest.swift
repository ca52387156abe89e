import Cryptography
import Interception

extension RequestBody {
  /// Returns the digest of the content, read in chunks if it isn't in memory.
  func digest(by algorithm: DigestAlgorithm) async throws -> [UInt8] {
    if let bytes { return try algorithm.digest(of: bytes) }
    let source = try await open()
    do {
      var hash = try ContentHash(algorithm.hash)
      while let chunk = try await source.read() { try hash.update(chunk) }
      return try hash.finish()
    } catch {
      source.cancel()
      if let error = error as? CryptographyError {
        throw MessageSignatureError.cryptography(operation: error.operation)
      }
      throw error
    }
  }
}
