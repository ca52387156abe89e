package import Foundation

extension FileHandle {
  /// Returns the lines that another process writes, which end when it closes its end.
  ///
  /// They are read on a thread of their own, because reading blocks, and the pool has few threads.
  package func lines(onEnd: @escaping @Sendable () -> Void = {}) -> AsyncStream<String> {
    let (lines, feed) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
      var rest = Data()
      while case let part = self.availableData, !part.isEmpty {
        rest += part
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          feed.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
      }
      if !rest.isEmpty { feed.yield(String(decoding: rest, as: UTF8.self)) }
      feed.finish()
      onEnd()
    }
    return lines
  }
}
