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

/// Finds the frame headers in what an HTTP/2 client sends (RFC 9113, sections 3.4 and 4.1).
struct FrameHeaderReader {
  /// A frame header.
  struct Frame: Equatable {
    let length: Int
    let type: UInt8
    let stream: Int

    /// Whether the frame is HEADERS or CONTINUATION.
    var isPartOfHeaderBlock: Bool { type == 1 || type == 9 }
  }

  private static let prefaceLength = 24
  private static let headerLength = 9

  private var skipped = Self.prefaceLength
  private var header: [UInt8] = []

  /// Reads the next byte; returns a frame header if the byte completes one.
  mutating func read(_ byte: UInt8) -> Frame? {
    guard skipped == 0 else {
      skipped -= 1
      return nil
    }
    header.append(byte)
    guard header.count == Self.headerLength else { return nil }
    defer { header.removeAll(keepingCapacity: true) }
    let length = header[..<3].reduce(0) { $0 << 8 | Int($1) }
    // The highest bit is reserved.
    let stream = header[5...].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
    skipped = length
    return Frame(length: length, type: header[3], stream: stream)
  }
}
#endif
