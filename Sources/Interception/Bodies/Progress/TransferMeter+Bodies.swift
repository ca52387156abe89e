extension RequestBody {
  /// Returns the body so that `meter` hears what the transport takes of it; replay and length stay as they
  /// are.
  ///
  /// A body in memory becomes one that is pulled in pieces of 64 KiB, so that there is something to hear.
  ///
  /// The end of the body doesn't finish the meter, because the request may be tried again and its answer
  /// measured too; call ``TransferMeter/finish()``, or use ``Dispatcher/dispatch(_:reportingTo:)``, which
  /// does.
  public func metered(by meter: TransferMeter) -> RequestBody {
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
  /// Returns the stream so that `meter` hears what is read of it, and is finished with it; the ending is
  /// kept.
  ///
  /// - Throws: ``NetworkError/Kind/bodyNotReplayable`` when somebody has begun to read the stream.
  public func metered(by meter: TransferMeter) throws(NetworkError) -> BodyStream {
    BodyStream(
      length: length, ending: ending,
      MeteredByteSource(try claim(), meter: meter, direction: .download, total: length, isLast: true))
  }
}

extension Dispatcher {
  /// Sends `request` and tells `meter` how far its body, and the body of its answer, have come.
  ///
  /// The meter is finished with the exchange, however it ends: at the stream's end for an answer that is
  /// streamed, at the return of this function otherwise. The progress of a buffered answer isn't seen; ask
  /// for ``RequestOptions/Delivery/streamed``.
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
