#if Telemetry
import Interception

/// A byte source that reports once that its stream has ended, and with which error.
final class EndedByteSource: ByteSource {
  private let source: any ByteSource
  private let notify: SingleUse<@Sendable (NetworkError?) -> Void>

  /// - Parameter notify: Receives nil if the stream was read completely or dropped by its reader.
  init(_ source: any ByteSource, whenEnded notify: @escaping @Sendable (NetworkError?) -> Void) {
    self.source = source
    self.notify = SingleUse(notify)
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    do throws(NetworkError) {
      guard let chunk = try await source.read() else {
        notify.take()?(nil)
        return nil
      }
      return chunk
    } catch {
      notify.take()?(error)
      throw error
    }
  }

  func cancel() {
    source.cancel()
    notify.take()?(nil)
  }
}
#endif
