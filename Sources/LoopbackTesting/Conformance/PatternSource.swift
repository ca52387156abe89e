#if LoopbackTesting
import Interception
import Synchronization

/// The bytes of ``LoopbackContent/pattern(_:)`` as a request body.
final class PatternSource: ByteSource {
  private let length: Int64
  private let offset = Mutex<Int64>(0)

  init(length: Int64) { self.length = length }

  func read() async throws(NetworkError) -> [UInt8]? {
    let range = offset.withLock { offset in
      let end = min(offset + 65_536, length)
      defer { offset = end }
      return offset..<end
    }
    return range.isEmpty ? nil : LoopbackContent.pattern(length).slice(range)
  }

  func cancel() { offset.withLock { $0 = length } }
}
#endif
