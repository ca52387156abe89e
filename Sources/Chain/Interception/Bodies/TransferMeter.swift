/// Reports the progress of a transfer to any number of listeners.
///
/// The transfer never waits for a listener; a slow listener receives the newest value and misses those before
/// it.
///
/// ```swift
/// let meter = TransferMeter()
/// async let response = dispatcher.dispatch(request, reportingTo: meter)
/// for await progress in meter.updates() { show(progress.fraction) }
/// print(try await response.status)
/// ```
public final class TransferMeter: Sendable {
  private let readers = Broadcast<TransferMeter.Progress>(startingWith: nil)

  /// Creates a meter of a transfer that has not started.
  public init() {}

  /// The newest value; nil before the first report.
  package var latest: TransferMeter.Progress? { readers.latest }

  /// Returns the values from now on, starting with the newest one so far; the sequence ends with the
  /// transfer.
  ///
  /// At most one value is buffered. A retried upload starts again at 0.
  public func updates() -> AsyncStream<TransferMeter.Progress> { readers.values() }

  /// Records a value and passes it to the listeners; ignored once the meter is finished.
  package func report(_ progress: TransferMeter.Progress) { readers.send(progress) }

  /// Ends the updates of every listener; later listeners receive only the last value.
  public func finish() { readers.finish() }
}

extension TransferMeter {
  /// The progress of a body's transfer.
  public struct Progress: Sendable, Hashable {
    /// The direction of a transfer.
    public enum Direction: Sendable, Hashable {
      /// A request's body, sent to the server.
      case upload
      /// A response's body, received from the server.
      case download
    }

    /// The direction of the transfer.
    public let direction: Direction
    /// The number of bytes so far; for an upload, those read by the transport, which may not have reached the
    /// server.
    public let bytes: Int64
    /// The total number of bytes, or nil if it is not known in advance.
    public let total: Int64?

    /// Creates a progress value.
    package init(_ direction: Direction, bytes: Int64, total: Int64?) {
      self.direction = direction
      self.bytes = bytes
      self.total = total
    }

    /// The completed fraction, from 0 to 1, or nil if the total is unknown.
    public var fraction: Double? {
      guard let total else { return nil }
      return total > 0 ? min(Double(bytes) / Double(total), 1) : 1
    }
  }
}
