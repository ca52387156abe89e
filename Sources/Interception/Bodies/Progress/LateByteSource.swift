import Synchronization

/// A source that is opened by its first read.
final class LateByteSource: ByteSource {
  private struct State {
    var source: (any ByteSource)?
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let open: @Sendable () async throws(NetworkError) -> any ByteSource

  init(_ open: @escaping @Sendable () async throws(NetworkError) -> any ByteSource) { self.open = open }

  func read() async throws(NetworkError) -> [UInt8]? {
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

  func cancel() {
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
