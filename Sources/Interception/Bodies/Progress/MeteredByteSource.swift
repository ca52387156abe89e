import Synchronization

/// A source that reports to a meter how many bytes were read from it.
final class MeteredByteSource: ByteSource {
  private let source: any ByteSource
  private let meter: TransferMeter
  private let direction: TransferMeter.Progress.Direction
  private let total: Int64?
  private let isLast: Bool
  private let bytes = Atomic<Int64>(0)

  /// Wraps a source.
  ///
  /// - Parameter isLast: Whether the source's end is the end of the transfer.
  init(
    _ source: any ByteSource, meter: TransferMeter, direction: TransferMeter.Progress.Direction,
    total: Int64?,
    isLast: Bool
  ) {
    self.source = source
    self.meter = meter
    self.direction = direction
    self.total = total
    self.isLast = isLast
    meter.report(TransferMeter.Progress(direction, bytes: 0, total: total))
  }

  deinit { if isLast { meter.finish() } }

  func read() async throws(NetworkError) -> [UInt8]? {
    do throws(NetworkError) {
      guard let chunk = try await source.read() else {
        if isLast { meter.finish() }
        return nil
      }
      let sum = bytes.wrappingAdd(Int64(chunk.count), ordering: .relaxed).newValue
      meter.report(TransferMeter.Progress(direction, bytes: sum, total: total))
      return chunk
    } catch {
      if isLast { meter.finish() }
      throw error
    }
  }

  func cancel() {
    source.cancel()
    if isLast { meter.finish() }
  }
}
