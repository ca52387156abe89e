import Synchronization

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
