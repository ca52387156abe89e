import HTTPTypes
import Interception

/// One run of a download: sends the requests of the plan, carries out its verdicts, and continues after
/// failures.
struct DownloadRun<Target: Dispatcher> {
  /// The maximum number of requests per run; a server may send less than the remainder at a time.
  private static var mostRequests: Int { 1000 }

  /// Whether the unfinished file is kept for the next run.
  let isKept: Bool
  let request: Request
  let dispatcher: Target
  let file: PartialFile
  let meter: TransferMeter?
  let policy: DownloadPolicy
  let time: TimeSource
  let random: @Sendable () -> Double
  let verification: DigestVerification
  var plan: DownloadPlan
  private var failures: TransferFailures
  /// The number of failures that parts survived.
  private var failuresOfParts = 0
  /// The time at which the call's limit ends the run; nil without a limit.
  private let end: Duration?
  private var resumedFrom: Int64
  private var requests = 0
  private var hasAskedAnew = false
  /// A response with the whole content to the request for a part.
  private var pending: Response?
  /// Whether the parts have decided that the run ends.
  private var isOver = false

  init(
    isKept: Bool, request: Request, dispatcher: Target, file: PartialFile, meter: TransferMeter?,
    policy: DownloadPolicy,
    time: TimeSource, random: @escaping @Sendable () -> Double, plan: DownloadPlan,
    verification: DigestVerification
  ) {
    self.isKept = isKept
    self.request = request
    self.dispatcher = dispatcher
    self.file = file
    self.meter = meter
    self.policy = policy
    self.time = time
    self.random = random
    self.plan = plan
    self.verification = verification
    failures = TransferFailures(policy, offset: plan.offset)
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
      if run.plan.record == nil || !run.isKept { run.file.discard() } else { run.file.keep() }
      throw error
    }
  }

  /// Waits until the run continues after a failure.
  ///
  /// - Throws: The failure, if it ends the run, or a cancellation.
  private mutating func wait(after error: NetworkError) async throws(NetworkError) {
    guard !isOver else { throw error }
    let moment = TransferFailures.Moment(
      offset: plan.offset, canResume: plan.record != nil, remaining: remaining, now: time.wallTime(),
      random: random())
    switch failures.decide(onDownload: error, at: moment) {
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
        throw NetworkError.downloadCancelled
      }
    }
  }

  /// Sends requests until the file is complete.
  private mutating func transfer() async throws(NetworkError) -> FileDownload.Outcome {
    while requests < Self.mostRequests {
      requests += 1
      let response = try await nextResponse()
      switch plan.judge(
        response.head, length: response.body.length, decoded: response.decodedCoding)
      {
      case .writeAnew(let record, let total):
        try restart(noting: record, for: response)
        try await copy(response.body, upTo: total, total: total)
        return try await finish(response)
      case .append(let end, let total):
        try noteDigests(of: response, known: plan.digests)
        try await copy(response.body, upTo: end, total: total)
        if plan.offset == total { return try await finish(response) }
      case .writeParts(let record, let end):
        try restart(noting: record, for: response)
        if try await copyParts(after: response, upTo: end) { return try await finish(response) }
      case .resumeParts(let end):
        try noteDigests(of: response, known: plan.digests)
        if try await copyParts(after: response, upTo: end) { return try await finish(response) }
      case .complete: return try await finish(response)
      case .unchanged(let length):
        guard let digests = try await digestsOfUnchanged() else {
          try askAnew()
          continue
        }
        file.discard()
        meter?.report(TransferMeter.Progress(.download, bytes: length, total: length))
        return outcome(response, length: length, resumedFrom: length, digests: digests, isUnchanged: true)
      case .askAnew: try askAnew()
      case .refuse(let error): throw error.ofDownload(response, to: request)
      }
    }
    throw NetworkError.downloadInTooManyParts
  }

  private mutating func nextResponse() async throws(NetworkError) -> Response {
    if let response = pending.take() { return response }
    return try await dispatcher.dispatch(plan.request(from: request).limited(to: remaining))
  }

  private mutating func restart(
    noting record: DownloadRecord?, for response: Response
  ) throws(NetworkError) {
    // Bytes of another version are not verified by its digests.
    try noteDigests(of: response, known: [])
    let digests = plan.digests
    resumedFrom = 0
    // Until the file has been truncated and its record replaced, the version of its content is unknown.
    plan.forget()
    var record = record
    record?.digests = digests
    try file.restart(noting: record)
    plan.note(digests)
    plan.advance(to: 0, of: record)
  }

  /// Discards the progress and the target's version.
  ///
  /// After a request without range and condition no verdict leads here, so this happens at most once between
  /// two failures.
  private mutating func askAnew() throws(NetworkError) {
    guard !hasAskedAnew else { throw NetworkError.downloadInTooManyParts }
    hasAskedAnew = true
    resumedFrom = 0
    plan.requestWhole()
  }

  /// The time left of the call's limit; nil without one.
  private var remaining: Duration? { end.map { $0 - time.now() } }

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
          guard !Task.isCancelled else { throw NetworkError.downloadCancelled }
        }
      } catch {
        source.cancel()
        throw error.of(request)
      }
    }
    guard let end, plan.offset < end else { return }
    throw NetworkError.downloadEnded(early: end - plan.offset).of(request)
  }

  private mutating func write(_ bytes: [UInt8], upTo end: Int64?, total: Int64?) throws(NetworkError) {
    if let end, Int64(bytes.count) > end - plan.offset {
      // It is unknown which of the bytes are correct.
      plan.forget()
      throw NetworkError.downloadTooLong
    }
    try file.write(bytes, at: plan.offset)
    plan.advance(to: plan.offset + Int64(bytes.count), of: plan.record)
    report(total)
  }

  private func report(_ total: Int64?) {
    meter?.report(TransferMeter.Progress(.download, bytes: plan.offset, total: total))
  }

  /// Verifies the complete file, and gives it the target's name.
  private mutating func finish(_ response: Response) async throws(NetworkError) -> FileDownload.Outcome {
    let digests = try await verify(response)
    var record = policy.revalidates ? plan.record : nil
    record?.digests = digests
    try file.finish(noting: record)
    return outcome(response, length: plan.offset, resumedFrom: resumedFrom, digests: digests)
  }

  private func outcome(
    _ response: Response, length: Int64, resumedFrom: Int64, digests: [FileDigest], isUnchanged: Bool = false
  ) -> FileDownload.Outcome {
    FileDownload.Outcome(
      length: length, resumedFrom: resumedFrom, isUnchanged: isUnchanged,
      failures: failures.survived + failuresOfParts, digests: digests, head: response.head,
      exchange: response.exchange)
  }
}

// MARK: Parts

extension DownloadRun {
  /// Receives the content of a response to the request for the first missing part, and the other parts at the
  /// same time; returns false if the server has another version or serves no ranges.
  private mutating func copyParts(after lead: Response, upTo end: Int64) async throws(NetworkError) -> Bool {
    guard let record = plan.record, let parts = record.parts, let part = parts.firstIncomplete else {
      return false
    }
    let transfer = PartedTransfer(
      request: request, dispatcher: dispatcher, file: file, meter: meter, time: time, random: random,
      end: self.end, record: record, plan: PartPlan(parts, policy: policy, division: plan.division))
    let ending = await transfer.run(lead, for: part, upTo: end)
    let (reached, survived) = transfer.progress
    failuresOfParts += survived
    plan.advance(to: reached)
    switch ending {
    case .complete: return true
    case .replaced(let response):
      hasAskedAnew = true
      resumedFrom = 0
      pending = response
      plan.requestWhole()
      return false
    case .violated(let error):
      plan.forget()
      throw error
    case .failed(let error):
      isOver = true
      throw error
    }
  }
}
