import Cryptography
import Interception
import Synchronization

/// Reads a body and returns it in signed chunks, holding at most one chunk and what the body returned last.
final class ChunkedByteSource: ByteSource {
  private struct State {
    var signer: ChunkSigner
    var checksum = CRC32C()
    var source: (any ByteSource)?
    /// Bytes that were read, of which those from `offset` on are not yet sent.
    var pending: [UInt8] = []
    var offset = 0
    var count: Int64 = 0
    var hasEnded = false
    var isDone = false
    var isCancelled = false

    var pendingCount: Int { pending.count - offset }

    mutating func add(_ bytes: [UInt8]) {
      count += Int64(bytes.count)
      if pendingCount == 0 {
        pending = bytes
      } else {
        pending.removeFirst(offset)
        pending += bytes
      }
      offset = 0
    }

    mutating func takeChunk(upTo size: Int) -> ArraySlice<UInt8> {
      let end = min(offset + size, pending.count)
      defer { offset = end }
      return pending[offset..<end]
    }
  }

  private let plan: ChunkPlan
  private let body: RequestBody
  private let state: Mutex<State>

  init(_ plan: ChunkPlan, body: RequestBody, signer: ChunkSigner) {
    self.plan = plan
    self.body = body
    state = Mutex(State(signer: signer))
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    guard !state.withLock({ $0.isDone }) else { return nil }
    while state.withLock({ !$0.hasEnded && $0.pendingCount < plan.chunkSize }) {
      let bytes = try await source().read()
      state.withLock { state in
        if let bytes { state.add(bytes) } else { state.hasEnded = true }
      }
    }
    return try state.withLock { (state) throws(NetworkError) in
      guard state.count <= plan.decodedLength, !state.hasEnded || state.count == plan.decodedLength else {
        throw NetworkError(
          .invalidRequest,
          "The body declares a length of \(plan.decodedLength) bytes but has \(state.hasEnded ? "" : "at least ")"
            + "\(state.count); declare its actual length.", requestMayHaveBeenProcessed: true)
      }
      do throws(CryptographyError) { return try next(&state) } catch {
        let error = VendorSignatureError(error)
        throw NetworkError(
          .rejected, error.description, requestMayHaveBeenProcessed: true, underlying: error)
      }
    }
  }

  func cancel() {
    let source = state.withLock { state in
      state.isCancelled = true
      return state.source
    }
    source?.cancel()
  }

  /// Returns the next chunk; the empty one that ends the body comes with the trailers.
  private func next(_ state: inout State) throws(CryptographyError) -> [UInt8] {
    let data = state.takeChunk(upTo: plan.chunkSize)
    if plan.checksum != nil { state.checksum.update(data) }
    var bytes = try state.signer.chunk(data)
    guard data.isEmpty else { return bytes }
    if let checksum = plan.checksum {
      bytes += try state.signer.trailer(checksum.rawValue, state.checksum.text)
    }
    bytes += Array("\r\n".utf8)
    state.isDone = true
    return bytes
  }

  /// Returns the body's source, opened by the first read.
  private func source() async throws(NetworkError) -> any ByteSource {
    let (opened, wasCancelled) = state.withLock { ($0.source, $0.isCancelled) }
    if let opened { return opened }
    guard !wasCancelled else { throw Self.cancellation }
    let source = try await body.open()
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.source = source }
      return state.isCancelled
    }
    guard !isCancelled else {
      source.cancel()
      throw Self.cancellation
    }
    return source
  }

  private static var cancellation: NetworkError {
    NetworkError(.cancelled(.task), "Reading the body was cancelled.")
  }
}
