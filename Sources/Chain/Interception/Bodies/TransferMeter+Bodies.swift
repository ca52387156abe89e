import Synchronization

extension RequestBody {
  /// Returns the body, with `meter` receiving the number of bytes that the transport has read; replay and
  /// length are unchanged.
  ///
  /// A body in memory is then read in pieces of 64 KiB, so that there is progress to report.
  ///
  /// The end of the body does not finish the meter, because the request may be retried and its response be
  /// measured too. Call ``TransferMeter/finish()``, or use ``Dispatcher/dispatch(_:reportingTo:)``, which
  /// does.
  package func metered(by meter: TransferMeter) -> RequestBody {
    guard !isEmpty else { return self }
    let length = length
    let open: @Sendable () async throws(NetworkError) -> any ByteSource = { () throws(NetworkError) in
      let source: any ByteSource =
        if let bytes { SlicedByteSource(bytes) } else { try await self.open() }
      return MeteredByteSource(source, meter: meter, direction: .upload, total: length, isLast: false)
    }
    switch replay {
    case .any: return .restartable(length: length, open)
    case .once: return .once(length: length, LateByteSource(open))
    }
  }
}

extension BodyStream {
  /// Returns the stream, with `meter` receiving the number of bytes read and finished when the stream ends;
  /// the ending is kept.
  ///
  /// - Throws: ``NetworkError/Kind/bodyNotReplayable`` if the stream already has a reader.
  package func metered(by meter: TransferMeter) throws(NetworkError) -> BodyStream {
    BodyStream(
      length: length, ending: ending,
      MeteredByteSource(try claim(), meter: meter, direction: .download, total: length, isLast: true))
  }
}

extension Dispatcher {
  /// Sends `request` and reports the progress of its body and of the response's body to `meter`.
  ///
  /// The meter is finished when the exchange ends, also by an error: at the end of a streamed response's
  /// body, otherwise when this function returns. The progress of a buffered response is not reported; set
  /// ``RequestOptions/delivery`` to ``RequestOptions/Delivery/streamed``.
  public func dispatch(
    _ request: Request, reportingTo meter: TransferMeter
  ) async throws(NetworkError) -> Response {
    var request = request
    request.body = request.body.metered(by: meter)
    do throws(NetworkError) {
      var response = try await dispatch(request)
      switch response.body {
      case .bytes: meter.finish()
      case .stream(let stream): response.body = .stream(try stream.metered(by: meter))
      }
      return response
    } catch {
      meter.finish()
      throw error
    }
  }
}

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
