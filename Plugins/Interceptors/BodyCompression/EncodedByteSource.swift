import ContentCodings
package import Interception
import Synchronization

/// A byte source that compresses a body while it is read.
///
/// It holds one chunk of the body and one compressed chunk of at most 64 KiB.
package final class EncodedByteSource: ByteSource {
  private struct State: ~Copyable {
    let encoder: any ContentEncoder
    var pending: ArraySlice<UInt8> = []
    var taken: Int64 = 0
    var bodyHasEnded = false
    var isComplete = false

    /// Compresses the pending input; nil if more input is needed or the body is complete.
    mutating func produce() throws(NetworkError) -> [UInt8]? {
      while !isComplete, bodyHasEnded || !pending.isEmpty {
        let piece = try encoder.encode(pending, isLast: bodyHasEnded, upTo: EncodedByteSource.chunkSize)
        pending = pending.dropFirst(piece.consumed)
        isComplete = piece.isComplete
        if !piece.bytes.isEmpty { return piece.bytes }
      }
      return nil
    }

    mutating func take(_ chunk: [UInt8]) {
      pending = chunk[...]
      taken += Int64(chunk.count)
    }
  }

  private static let chunkSize = 64 << 10
  private let source: any ByteSource
  private let announced: Int64?
  private let state: Mutex<State>

  /// Creates a source that compresses a body.
  ///
  /// - Parameter announced: The length that the body declared. The compressed stream has no length, so a body
  ///   that ends early is detected here.
  /// - Throws: ``NetworkError/Kind/rejected`` if the library can't allocate memory;
  ///   ``NetworkError/Kind/invalidRequest`` if the coding can't be written.
  package init(
    _ source: some ByteSource, coding: ContentCoding, announced: Int64? = nil, level: Int = 6
  ) throws(NetworkError) {
    self.source = source
    self.announced = announced
    state = Mutex(State(encoder: try coding.requiredEncoder(level: level)))
  }

  package func read() async throws(NetworkError) -> [UInt8]? {
    while true {
      let (coded, isComplete) = try state.withLock { state throws(NetworkError) in
        (try state.produce(), state.isComplete)
      }
      if let coded { return coded }
      if isComplete { return nil }
      if let chunk = try await source.read() {
        state.withLock { $0.take(chunk) }
      } else {
        let taken = state.withLock { state in
          state.bodyHasEnded = true
          return state.taken
        }
        try checkLength(taken)
      }
    }
  }

  package func cancel() { source.cancel() }

  private func checkLength(_ taken: Int64) throws(NetworkError) {
    guard let announced, announced != taken else { return }
    throw NetworkError(
      .invalidRequest, "The body declared \(announced) bytes and produced \(taken); declare its length.",
      requestMayHaveBeenProcessed: true)
  }
}

extension ContentCoding {
  private static let inputStep = 256 << 10
  private static let outputStep = 64 << 10

  /// Compresses bytes at once; returns nil as soon as the result is longer than `limit` bytes.
  ///
  /// Long input is compressed in steps, with a check for cancellation before each.
  ///
  /// - Throws: ``NetworkError/Kind/cancelled(_:)``; ``NetworkError/Kind/rejected`` if the library can't
  ///   allocate memory; ``NetworkError/Kind/invalidRequest`` if the coding can't be written.
  package func encode(
    _ bytes: [UInt8], level: Int = 6, atMost limit: Int = .max
  ) throws(NetworkError) -> [UInt8]? {
    let encoder = try requiredEncoder(level: level)
    var coded: [UInt8] = []
    var rest = bytes[...]
    while true {
      guard !Task.isCancelled else { throw NetworkError(.cancelled(.task), "The request was cancelled.") }
      let input = rest.prefix(Self.inputStep)
      let piece = try encoder.encode(input, isLast: input.count == rest.count, upTo: Self.outputStep)
      guard coded.count + piece.bytes.count <= limit else { return nil }
      coded.append(contentsOf: piece.bytes)
      rest = rest.dropFirst(piece.consumed)
      if piece.isComplete { return coded }
    }
  }

  /// Creates an encoder of this coding.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest`` if the coding can't be written.
  func requiredEncoder(level: Int) throws(NetworkError) -> any ContentEncoder {
    guard let encoder = try makeEncoder(level: level) else {
      let known = ContentCoding.encodable.map(\.name).joined(separator: ", ")
      throw NetworkError(
        .invalidRequest, "Bodies can't be sent with the coding \"\(name)\"; choose one of \(known).")
    }
    return encoder
  }
}
