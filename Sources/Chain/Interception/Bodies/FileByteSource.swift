import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A range of a file, read in chunks of 64 KiB with `pread`.
package final class FileByteSource: ByteSource {
  private struct State {
    var descriptor: CInt
    var offset: Int64
  }

  private static let chunkSize: Int64 = 64 << 10
  private let state: Mutex<State>
  private let path: String
  private let end: Int64

  /// Opens the file.
  package init(path: String, range: Range<Int64>) throws(NetworkError) {
    try Self.check(path)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure("open", path) }
    state = Mutex(State(descriptor: descriptor, offset: range.lowerBound))
    self.path = path
    end = range.upperBound
  }

  deinit { cancel() }

  /// Returns the size of a regular file in bytes.
  package static func size(of path: String) throws(NetworkError) -> Int64 {
    try check(path)
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw NetworkError(.invalidRequest, "\(path) is not a regular file; pass the path of one.")
    }
    return Int64(status.st_size)
  }

  private static func check(_ path: String) throws(NetworkError) {
    do throws(NULFault) { try path.checkWhole(as: "The path of the file to send") } catch {
      throw NetworkError(.invalidRequest, "\(error)")
    }
  }

  package func read() async throws(NetworkError) -> [UInt8]? {
    let result: Result<[UInt8]?, NetworkError> = state.withLock { state in
      let wanted = Int(min(Self.chunkSize, end - state.offset))
      guard wanted > 0 else { return .success(nil) }
      guard state.descriptor >= 0 else {
        return .failure(NetworkError(.cancelled(.task), "Reading \(path) was cancelled."))
      }
      var got = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        repeat {
          got = pread(state.descriptor, buffer.baseAddress, wanted, off_t(state.offset))
        } while got < 0 && errno == EINTR
        count = max(got, 0)
      }
      guard got >= 0 else { return .failure(Self.failure("read", path)) }
      guard got > 0 else {
        return .failure(
          NetworkError(
            .invalidRequest,
            "\(path) became shorter while it was sent; \(end - state.offset) bytes are missing."))
      }
      state.offset += Int64(got)
      return .success(chunk)
    }
    return try result.get()
  }

  package func cancel() {
    state.withLock { state in
      guard state.descriptor >= 0 else { return }
      close(state.descriptor)
      state.descriptor = -1
    }
  }

  private static func failure(_ verb: String, _ path: String) -> NetworkError {
    NetworkError(.invalidRequest, "Cannot \(verb) the file \(path): \(String(cString: strerror(errno))).")
  }
}
