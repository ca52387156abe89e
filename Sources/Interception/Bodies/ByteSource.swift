import Synchronization

/// A source of a body's bytes, read chunk by chunk; nothing is read ahead of demand.
///
/// Only one reader at a time calls ``read()``. Conform to this protocol to send data that is produced in
/// pieces, or to wrap a response's stream in order to count, hash or decode it.
public protocol ByteSource: Sendable {
  /// Returns the next chunk, never empty, or nil at the end.
  ///
  /// It is not called again after the end or an error.
  func read() async throws(NetworkError) -> [UInt8]?

  /// Ends reading and releases the source's resources.
  ///
  /// It may be called at any time, from any thread, and repeatedly.
  func cancel()
}

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

/// Bytes in memory, read as one chunk.
package final class BufferedByteSource: ByteSource {
  private let chunk: SingleUse<[UInt8]>

  package init(_ bytes: [UInt8]) { chunk = SingleUse(bytes) }

  package func read() async throws(NetworkError) -> [UInt8]? {
    guard let bytes = chunk.take(), !bytes.isEmpty else { return nil }
    return bytes
  }

  package func cancel() { _ = chunk.take() }
}

/// A byte source that cancels the transfer and throws once more bytes than the limit have been read.
package final class LimitedByteSource: ByteSource {
  private let source: any ByteSource
  private let limit: Int64
  private let count = Atomic<Int64>(0)

  package init(_ source: any ByteSource, limit: Int64) {
    self.source = source
    self.limit = limit
  }

  package func read() async throws(NetworkError) -> [UInt8]? {
    guard let chunk = try await source.read() else { return nil }
    guard count.add(Int64(chunk.count), ordering: .relaxed).newValue <= limit else {
      source.cancel()
      throw .bodyTooLarge(limit: limit)
    }
    return chunk
  }

  package func cancel() { source.cancel() }
}

/// A value that can be taken only once.
package final class SingleUse<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  package init(_ value: Value) { self.value = Mutex(value) }

  /// Returns the value at the first call, and nil at later calls.
  package func take() -> Value? {
    value.withLock { held in
      defer { held = nil }
      return held
    }
  }
}
