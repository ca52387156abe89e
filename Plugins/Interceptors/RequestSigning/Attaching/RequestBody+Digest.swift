import Cryptography
import Interception

extension RequestBody {
  /// Returns the SHA-256 of the content, read in chunks if it isn't in memory.
  func sha256() async throws -> [UInt8] {
    if let bytes { return try Digest.sha256(bytes) }
    let source = try await open()
    var digest = try Digest()
    do {
      while let chunk = try await source.read() { try digest.update(chunk) }
    } catch {
      source.cancel()
      throw error
    }
    return try digest.finish()
  }
}
