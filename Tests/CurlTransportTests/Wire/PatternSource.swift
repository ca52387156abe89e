import Foundation
import Interception
import Synchronization

/// A body of any length whose bytes follow from their place; it counts what was taken.
final class PatternSource: ByteSource {
  private struct State {
    var produced = 0
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let length: Int
  private let chunk: Int

  init(length: Int, chunk: Int = 64 << 10) {
    self.length = length
    self.chunk = chunk
  }

  var produced: Int { state.withLock { $0.produced } }
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func read() async throws(NetworkError) -> [UInt8]? {
    state.withLock { state in
      let count = min(chunk, length - state.produced)
      guard count > 0 else { return nil }
      defer { state.produced += count }
      return Self.bytes(at: state.produced, count: count)
    }
  }

  func cancel() { state.withLock { $0.isCancelled = true } }

  /// The bytes of the pattern from a place on.
  static func bytes(at offset: Int, count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    forEachPiece(at: offset, count: count) { bytes += $0 }
    return bytes
  }

  /// Whether bytes are those of the pattern from a place on.
  static func matches(_ bytes: [UInt8], at offset: Int) -> Bool {
    var place = 0
    var matches = true
    forEachPiece(at: offset, count: bytes.count) { piece in
      bytes.withUnsafeBytes { mine in
        piece.withUnsafeBytes { its in
          if let left = mine.baseAddress, let right = its.baseAddress,
            memcmp(left + place, right, its.count) != 0
          {
            matches = false
          }
        }
      }
      place += piece.count
    }
    return matches
  }

  // The period shares no factor with any chunk size, so that a lost or repeated chunk shows. Whole blocks are
  // compared because a debug build takes minutes for 64 MiB byte by byte.
  private static let period = 251
  private static let block: [UInt8] = (0..<period * 400).map { UInt8($0 % period) }

  private static func forEachPiece(at offset: Int, count: Int, _ body: (ArraySlice<UInt8>) -> Void) {
    var place = offset
    let end = offset + count
    while place < end {
      let start = place % period
      let size = min(end - place, block.count - start)
      body(block[start..<(start + size)])
      place += size
    }
  }
}
