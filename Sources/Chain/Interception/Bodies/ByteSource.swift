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

/// A source that is opened by its first read.
package final class LateByteSource: ByteSource {
  private struct State {
    var source: (any ByteSource)?
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let open: @Sendable () async throws(NetworkError) -> any ByteSource

  /// Creates a source from how it is opened.
  package init(_ open: @escaping @Sendable () async throws(NetworkError) -> any ByteSource) {
    self.open = open
  }

  /// Returns the next chunk.
  package func read() async throws(NetworkError) -> [UInt8]? {
    let (opened, wasCancelled) = state.withLock { ($0.source, $0.isCancelled) }
    if let opened { return try await opened.read() }
    guard !wasCancelled else { throw Self.cancellation }
    let source = try await open()
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.source = source }
      return state.isCancelled
    }
    guard !isCancelled else {
      source.cancel()
      throw Self.cancellation
    }
    return try await source.read()
  }

  /// Cancels the source, also one that is being opened.
  package func cancel() {
    let source = state.withLock { state in
      state.isCancelled = true
      return state.source
    }
    source?.cancel()
  }

  private static var cancellation: NetworkError {
    NetworkError(.cancelled(.task), "Reading the body was cancelled.")
  }
}

/// Bytes in memory, read in pieces of 64 KiB.
final class SlicedByteSource: ByteSource {
  private static let pieceSize = 64 << 10
  private let rest: Mutex<ArraySlice<UInt8>>

  init(_ bytes: [UInt8]) { rest = Mutex(bytes[...]) }

  func read() async throws(NetworkError) -> [UInt8]? {
    rest.withLock { rest in
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(Self.pieceSize) }
      return Array(rest.prefix(Self.pieceSize))
    }
  }

  func cancel() { rest.withLock { $0 = [] } }
}
