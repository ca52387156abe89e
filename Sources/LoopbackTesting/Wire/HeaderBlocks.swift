#if LoopbackTesting
import Synchronization

/// The sizes of the header blocks that arrived on an HTTP/2 connection, from reading its frame headers.
///
/// NIO decodes header blocks and does not report how many bytes they took on the wire.
final class HeaderBlocks: Sendable {
  private struct State {
    var reader = FrameHeaderReader()
    var sizes: [Int: Int] = [:]
  }

  private let state = Mutex(State())

  /// Reads bytes of the connection, in order.
  func read(_ bytes: some Sequence<UInt8>) {
    state.withLock { state in
      for byte in bytes {
        guard let frame = state.reader.read(byte), frame.isPartOfHeaderBlock else { continue }
        state.sizes[frame.stream, default: 0] += frame.length
      }
    }
  }

  /// Removes and returns the size of a stream's header block.
  func take(_ stream: Int) -> Int? { state.withLock { $0.sizes.removeValue(forKey: stream) } }
}
#endif
