import Synchronization

/// A byte source that counts the bytes of a stream, keeps the first ones, and reports once how it ended.
package final class SampledByteSource: ByteSource {
  /// How a stream ended.
  package enum Ending: Sendable {
    /// It was read completely.
    case complete
    /// It failed.
    case failed(NetworkError)
    /// The reader cancelled it.
    case dropped
  }

  /// What was read of a stream.
  package struct Seen: Sendable {
    package var count: Int64 = 0
    package var sample: [UInt8] = []
  }

  private let source: any ByteSource
  private let sampleLimit: Int
  private let seen = Mutex(Seen())
  private let notify: SingleUse<@Sendable (Ending, Seen) -> Void>

  /// Creates a source over another one.
  package init(
    _ source: any ByteSource, samplingUpTo sampleLimit: Int,
    whenEnded notify: @escaping @Sendable (Ending, Seen) -> Void
  ) {
    self.source = source
    self.sampleLimit = sampleLimit
    self.notify = SingleUse(notify)
  }

  package func read() async throws(NetworkError) -> [UInt8]? {
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

  package func cancel() {
    source.cancel()
    end(.dropped)
  }

  private func end(_ ending: Ending) { notify.take()?(ending, seen.withLock { $0 }) }
}

/// Decodes the beginning of coded content, for records of what was received.
package final class SampleDecoder: Sendable {
  /// The number of coded bytes that suffice for a sample, if a coding has blocks: zstd's have at most 128
  /// KiB.
  package static let sufficientBytes = 160 << 10

  private let decode: @Sendable (_ coded: [UInt8], _ codings: [String], _ limit: Int) -> [UInt8]

  /// Creates a decoder from a function, which returns fewer bytes for content that is cut off or broken.
  package init(_ decode: @escaping @Sendable ([UInt8], [String], Int) -> [UInt8]) { self.decode = decode }

  /// Returns the first bytes of the content, at most `limit`.
  ///
  /// - Parameter codings: The codings in the order in which they were applied.
  package func sample(of coded: [UInt8], in codings: [String], upTo limit: Int) -> [UInt8] {
    decode(coded, codings, limit)
  }
}
