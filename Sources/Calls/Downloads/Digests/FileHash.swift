import Cryptography
import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Computes the digest of a file from the disk, in bounded memory.
///
/// The file is read once it is complete instead of hashing chunks while they arrive: parts arrive in any
/// order, a resumed file contains bytes of earlier runs, and so the bytes are verified that the target will
/// have. Bytes that have just been written are usually still in the system's cache.
enum FileHash {
  private static let chunkSize = 256 << 10
  /// The number of chunks after which other tasks may run.
  private static let turn = 32

  /// Returns the digest of an open file.
  ///
  /// - Throws: A fault of the file system; or ``NetworkError/Kind/cancelled(_:)``, between two chunks.
  @concurrent static func digest(
    of descriptor: CInt, at path: String, by algorithm: FileDigest.Algorithm
  ) async throws(NetworkError) -> FileDigest {
    do {
      let bytes = try await hash(of: descriptor, at: path, by: algorithm.hash)
      return try FileDigest(algorithm, bytes: bytes)
    } catch let error as NetworkError {
      throw error
    } catch {
      throw NetworkError(.rejected, "\(error)", requestMayHaveBeenProcessed: true, underlying: error)
    }
  }

  /// Returns the digest of the file at a path; nil if it can't be read.
  static func digest(
    ofFileAt path: String, by algorithm: FileDigest.Algorithm
  ) async throws(NetworkError) -> FileDigest? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return try await digest(of: descriptor, at: path, by: algorithm)
  }

  /// - Throws: `NetworkError` or `CryptographyError`.
  private static func hash(
    of descriptor: CInt, at path: String, by algorithm: ContentHash.Algorithm
  ) async throws -> [UInt8] {
    var hash = try ContentHash(algorithm)
    var offset: Int64 = 0
    var chunks = 0
    while let chunk = try read(descriptor, at: offset, of: path) {
      guard !Task.isCancelled else { throw NetworkError.downloadCancelled }
      try hash.update(chunk)
      offset += Int64(chunk.count)
      chunks += 1
      if chunks.isMultiple(of: turn) { await Task.yield() }
    }
    return try hash.finish()
  }

  /// Returns the next chunk, or nil at the end.
  private static func read(
    _ descriptor: CInt, at offset: Int64, of path: String
  ) throws(NetworkError) -> [UInt8]? {
    var count = 0
    let chunk = [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, filled in
      repeat {
        count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      } while count < 0 && errno == EINTR
      filled = max(count, 0)
    }
    guard count >= 0 else { throw FileFailure.of(errno, "read", path) }
    return count == 0 ? nil : chunk
  }
}
