import HTTPTypes
import Interception

/// One run of a download: sends the requests of the plan, carries out its verdicts, and continues after
/// failures.
struct DownloadRun<Target: Dispatcher> {
  /// The maximum number of requests per run; a server may send less than the remainder at a time.
  private static var mostRequests: Int { 1000 }

  let request: Request
  let dispatcher: Target
  let file: PartialFile
  let meter: TransferMeter?
  let policy: DownloadPolicy
  let time: TimeSource
  let random: @Sendable () -> Double
  var plan: DownloadPlan
  private var failures: DownloadFailures
  /// The time at which the call's limit ends the run; nil without a limit.
  private let end: Duration?
  private var resumedFrom: Int64
  private var requests = 0
  private var hasAskedAnew = false

  init(
    request: Request, dispatcher: Target, file: PartialFile, meter: TransferMeter?, policy: DownloadPolicy,
    time: TimeSource, random: @escaping @Sendable () -> Double, plan: DownloadPlan
  ) {
    self.request = request
    self.dispatcher = dispatcher
    self.file = file
    self.meter = meter
    self.policy = policy
    self.time = time
    self.random = random
    self.plan = plan
    failures = DownloadFailures(policy, offset: plan.offset)
    end = request.options.timeouts.call.map { time.now() + $0 }
    resumedFrom = plan.offset
  }

  /// Downloads to the end; on failure, keeps the unfinished file if it can be resumed, and otherwise removes
  /// it.
  consuming func perform() async throws(NetworkError) -> FileDownload.Outcome {
    var run = self
    do throws(NetworkError) {
      while true {
        do throws(NetworkError) {
          return try await run.transfer()
        } catch {
          try await run.wait(after: error)
        }
      }
    } catch {
      if run.plan.record == nil { run.file.discard() } else { run.file.keep() }
      throw error
    }
  }

  /// Waits until the run continues after a failure.
  ///
  /// - Throws: The failure, if it ends the run, or a cancellation.
  private mutating func wait(after error: NetworkError) async throws(NetworkError) {
    let moment = DownloadFailures.Moment(
      offset: plan.offset, canResume: plan.record != nil, remaining: remaining, now: time.wallTime(),
      random: random())
    switch failures.decide(on: error, at: moment) {
    case .end(let refusal):
      var last = error
      last.retryRefusal = refusal ?? error.retryRefusal
      throw last
    case .retry(let wait):
      // Bytes that the server can't confirm may be those of another version.
      if plan.record == nil {
        plan.discardProgress()
        resumedFrom = 0
      }
      hasAskedAnew = false
      do {
        try await time.sleep(for: wait)
      } catch {
        throw Self.cancellation
      }
    }
  }

  /// Sends requests until the file is complete.
  private mutating func transfer() async throws(NetworkError) -> FileDownload.Outcome {
    while requests < Self.mostRequests {
      requests += 1
      let response = try await dispatcher.dispatch(limited(plan.request(from: request)))
      switch plan.judge(response.head, length: response.body.length) {
      case .writeAnew(let record, let total):
        resumedFrom = 0
        // Until the file has been truncated and its record replaced, the version of its content is unknown.
        plan.forget()
        try file.restart(noting: record)
        plan.advance(to: 0, of: record)
        try await copy(response.body, upTo: total, total: total)
        return try finish(response)
      case .append(let end, let total):
        try await copy(response.body, upTo: end, total: total)
        if plan.offset == total { return try finish(response) }
      case .complete: return try finish(response)
      case .unchanged(let length) where file.isTarget(of: plan.complete):
        file.discard()
        meter?.report(TransferMeter.Progress(.download, bytes: length, total: length))
        return outcome(response, length: length, resumedFrom: length, isUnchanged: true)
      case .askAnew, .unchanged:
        // After a request without range and condition no verdict is `.askAnew`, so this happens at most once
        // between two failures.
        guard !hasAskedAnew else { throw Self.endless }
        hasAskedAnew = true
        resumedFrom = 0
        plan.forget()
      case .refuse(var error):
        error.retryRefusal = response.exchange.retryRefusal
        error.attempt = max(response.exchange.attempts, 1)
        throw error.of(request)
      }
    }
    throw Self.endless
  }

  /// The time left of the call's limit; nil without one.
  private var remaining: Duration? { end.map { $0 - time.now() } }

  /// Returns a request that ends with the call.
  private func limited(_ request: Request) -> Request {
    guard let remaining else { return request }
    var copy = request
    copy.options.timeouts.call = max(remaining, .milliseconds(1))
    return copy
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
          guard !Task.isCancelled else { throw Self.cancellation }
        }
      } catch {
        source.cancel()
        throw error.of(request)
      }
    }
    guard let end, plan.offset < end else { return }
    throw NetworkError(
      .transport,
      "The response ended \(end - plan.offset) bytes early; run the download again to resume it.",
      requestMayHaveBeenProcessed: true
    ).of(request)
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

  private func finish(_ response: Response) throws(NetworkError) -> FileDownload.Outcome {
    try file.finish(noting: policy.revalidates ? plan.record : nil)
    return outcome(response, length: plan.offset, resumedFrom: resumedFrom)
  }

  private func outcome(
    _ response: Response, length: Int64, resumedFrom: Int64, isUnchanged: Bool = false
  ) -> FileDownload.Outcome {
    FileDownload.Outcome(
      length: length, resumedFrom: resumedFrom, isUnchanged: isUnchanged, failures: failures.survived,
      head: response.head, exchange: response.exchange)
  }

  private static var cancellation: NetworkError {
    NetworkError(.cancelled(.task), "The download was cancelled.", requestMayHaveBeenProcessed: true)
  }

  private static var endless: NetworkError {
    NetworkError(
      .protocolViolation,
      "The server sends the file in too many parts; run the download again to resume it, or check the server.",
      requestMayHaveBeenProcessed: true)
  }
}
