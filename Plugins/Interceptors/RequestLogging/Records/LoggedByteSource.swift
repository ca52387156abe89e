import Interception
import Synchronization

/// A byte source that counts and samples the bytes of a stream, and reports once how the stream ended.
final class LoggedByteSource: ByteSource {
  /// How a stream ended.
  enum Ending: Sendable {
    /// It was read completely.
    case complete
    /// It failed.
    case failed(NetworkError)
    /// The reader cancelled it.
    case dropped
  }

  /// What was read of a stream.
  struct Seen: Sendable {
    var count: Int64 = 0
    var sample: [UInt8] = []
  }

  private let source: any ByteSource
  private let sampleLimit: Int
  private let seen = Mutex(Seen())
  private let notify: SingleUse<@Sendable (Ending, Seen) -> Void>

  init(
    _ source: any ByteSource, samplingUpTo sampleLimit: Int,
    whenEnded notify: @escaping @Sendable (Ending, Seen) -> Void
  ) {
    self.source = source
    self.sampleLimit = sampleLimit
    self.notify = SingleUse(notify)
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    do throws(NetworkError) {
      guard let chunk = try await source.read() else {
        end(.complete)
        return nil
      }
      seen.withLock { seen in
        seen.count += Int64(chunk.count)
        let room = sampleLimit - seen.sample.count
        if room > 0 { seen.sample.append(contentsOf: chunk.prefix(room)) }
      }
      return chunk
    } catch {
      end(.failed(error))
      throw error
    }
  }

  func cancel() {
    source.cancel()
    end(.dropped)
  }

  private func end(_ ending: Ending) { notify.take()?(ending, seen.withLock { $0 }) }
}
