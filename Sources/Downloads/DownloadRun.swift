import Interception

/// One run of a download: sends the requests of the plan, and carries out its verdicts.
struct DownloadRun<Target: Dispatcher> {
  /// The maximum number of responses per run; a server may send less than the remainder at a time.
  private static var mostRequests: Int { 1000 }

  let request: Request
  let dispatcher: Target
  let file: PartialFile
  let meter: TransferMeter?
  var plan: DownloadPlan

  /// Downloads to the end; on failure, keeps the unfinished file if it can be resumed, and otherwise removes
  /// it.
  consuming func perform() async throws(NetworkError) -> FileDownload.Outcome {
    var run = self
    do throws(NetworkError) {
      return try await run.loop()
    } catch {
      if run.plan.record == nil { run.file.discard() } else { run.file.keep() }
      throw error
    }
  }

  private mutating func loop() async throws(NetworkError) -> FileDownload.Outcome {
    var resumedFrom = plan.offset
    var hasAskedAnew = false
    for _ in 0..<Self.mostRequests {
      let response = try await dispatcher.dispatch(plan.request(from: request))
      switch plan.judge(response.head, length: response.body.length) {
      case .writeAnew(let record, let total):
        resumedFrom = 0
        // Until the file has been truncated and its record replaced, the version of its content is unknown.
        plan.forget()
        try file.restart(noting: record)
        plan.advance(to: 0, of: record)
        try await copy(response.body, upTo: total, total: total)
        return try finish(response, resumedFrom: resumedFrom)
      case .append(let end, let total):
        try await copy(response.body, upTo: end, total: total)
        if plan.offset == total { return try finish(response, resumedFrom: resumedFrom) }
      case .complete: return try finish(response, resumedFrom: resumedFrom)
      case .askAnew:
        // After a request without a range no verdict is `.askAnew`, so this happens at most once.
        guard !hasAskedAnew else { throw Self.endless }
        hasAskedAnew = true
        resumedFrom = 0
        plan.forget()
      case .refuse(let error): throw error
      }
    }
    throw Self.endless
  }

  /// Appends a body to the file, up to a file length of `end` bytes.
  private mutating func copy(
    _ body: ResponseBody, upTo end: Int64?, total: Int64?
  ) async throws(NetworkError) {
    report(total)
    switch body {
    case .bytes(let bytes): try write(bytes, upTo: end, total: total)
    case .stream(let stream):
      let source = try stream.claim()
      do throws(NetworkError) {
        while let chunk = try await source.read() {
          try write(chunk, upTo: end, total: total)
          guard !Task.isCancelled else {
            throw NetworkError(
              .cancelled(.task), "The download was cancelled.", requestMayHaveBeenProcessed: true)
          }
        }
      } catch {
        source.cancel()
        throw error
      }
    }
    guard let end, plan.offset < end else { return }
    throw NetworkError(
      .transport,
      "The response ended \(end - plan.offset) bytes early; run the download again to resume it.",
      requestMayHaveBeenProcessed: true)
  }

  private mutating func write(_ bytes: [UInt8], upTo end: Int64?, total: Int64?) throws(NetworkError) {
    if let end, Int64(bytes.count) > end - plan.offset {
      // It is unknown which of the bytes are correct.
      plan.forget()
      throw NetworkError(
        .protocolViolation,
        "The response has more bytes than announced, so the file was discarded; check the server.",
        requestMayHaveBeenProcessed: true)
    }
    try file.write(bytes, at: plan.offset)
    plan.advance(to: plan.offset + Int64(bytes.count), of: plan.record)
    report(total)
  }

  private func report(_ total: Int64?) {
    meter?.report(TransferMeter.Progress(.download, bytes: plan.offset, total: total))
  }

  private func finish(
    _ response: Response, resumedFrom: Int64
  ) throws(NetworkError) -> FileDownload.Outcome {
    try file.finish()
    return FileDownload.Outcome(
      length: plan.offset, resumedFrom: resumedFrom, head: response.head, exchange: response.exchange)
  }

  private static var endless: NetworkError {
    NetworkError(
      .protocolViolation,
      "The server sends the file in too many parts; run the download again to resume it, or check the server.",
      requestMayHaveBeenProcessed: true)
  }
}
