import HTTPTypes
import Interception

/// One run of an upload: sends the requests of the plan, keeps its record, and continues after failures.
struct UploadRun<Target: Dispatcher> {
  let requests: UploadRequests
  let dispatcher: Target
  let source: UploadSource
  let record: UploadRecordFile
  let identity: String
  let owner: StorageOwner
  let progress: UploadProgress
  let policy: UploadPolicy
  let time: TimeSource
  let random: @Sendable () -> Double
  private var plan: UploadPlan
  private var failures: TransferFailures
  /// The record on disk.
  private var recorded: UploadRecord?
  /// The time at which the call's limit ends the run; nil without a limit.
  private let end: Duration?

  init(
    _ requests: UploadRequests, over dispatcher: Target, source: UploadSource, record: UploadRecordFile,
    identity: String, owner: StorageOwner, found: UploadRecord?, progress: UploadProgress,
    policy: UploadPolicy, time: TimeSource,
    random: @escaping @Sendable () -> Double
  ) {
    self.requests = requests
    self.dispatcher = dispatcher
    self.source = source
    self.record = record
    self.identity = identity
    self.owner = owner
    self.progress = progress
    self.policy = policy
    self.time = time
    self.random = random
    plan = UploadPlan(
      requests.resumption, length: source.stamp.size, requestLimit: policy.maximumRequestSize,
      target: found?.target, expires: found?.expires)
    failures = TransferFailures(
      .init(
        failures: policy.failureLimit, firstWait: policy.firstWait, maximumWait: policy.maximumWait,
        retryAfter: policy.retryAfterLimit))
    recorded = found
    end = requests.request.options.timeouts.call.map { time.now() + $0 }
  }

  /// Uploads the file completely; on failure, the record is kept for the next run.
  consuming func perform() async throws(NetworkError) -> FileUpload.Outcome {
    var run = self
    do throws(NetworkError) {
      while true { if let outcome = try await run.advance() { return outcome } }
    } catch {
      throw error.of(run.requests.request)
    }
  }

  /// Carries out the next step; returns the outcome after the last one.
  private mutating func advance() async throws(NetworkError) -> FileUpload.Outcome? {
    guard !Task.isCancelled else { throw Self.cancellation }
    let step = try plan.step(now: time.wallTime())
    let target = plan.target
    let request = try await request(for: step)
    let response: Response
    do throws(NetworkError) {
      response = try await dispatcher.dispatch(request.limited(to: remaining))
    } catch {
      // No run could resume it, and no removal reach the server.
      if step == .locate, let target, error.refusesURL(of: target, ofUpload: requests) {
        try removeRecord()
        throw NetworkError.upload(
          .invalidLocation,
          "The URL of the unfinished upload is refused before it is requested, so the upload has no record any "
            + "longer; run it again to begin anew, or allow longer URLs.")
      }
      plan.lose(step, sent: progress.sent, mayHaveArrived: error.requestMayHaveBeenProcessed)
      // A file that became shorter, or was replaced, is the cause and not the broken request.
      if case .append = step { try source.check() }
      let failure = shown(error, target)
      try await wait(after: failure, mayPass: TransferFailures.mayPass(failure))
      return nil
    }
    let reply = await reply(to: response)
    let base = response.exchange.redirects.last?.url ?? Self.url(of: request)
    let verdict = plan.take(reply, to: step, at: base, sent: progress.sent)
    if case .append = step { try source.check() }
    switch verdict {
    case .proceed:
      progress.report(plan.offset)
      try await keepRecord()
    case .created:
      progress.begin()
      progress.report(0)
      try await keepRecord()
    case .finished:
      progress.report(plan.length)
      // A record that can't be removed makes the next run ask, and does not make this one fail.
      try? removeRecord()
      return outcome(response)
    case .failed(let error): try await wait(after: shown(error, target, response), mayPass: true)
    case .refused(let error):
      if step == .create, let created = plan.target { await remove(created) }
      throw shown(error, target, response)
    case .rejected(let error):
      try removeRecord()
      throw shown(error, target, response)
    }
    return nil
  }

  private func request(for step: UploadPlan.Step) async throws(NetworkError) -> Request {
    guard case .append(let range, _) = step else { return requests.request(for: step, at: plan.target) }
    try source.check()
    progress.beginPart(at: range.lowerBound)
    var checksum: String?
    if let wanted = requests.resumption.checksum { checksum = try await source.checksum(wanted, of: range) }
    return requests.request(
      for: step, at: plan.target, body: source.body(range, reportingTo: progress), checksum: checksum)
  }

  private func reply(to response: Response) async -> UploadReply {
    var text = ""
    if UploadReply.hasProblem(response.head) {
      let content = try? await response.body.collect(upTo: 64 << 10)
      text = String(decoding: content ?? [], as: UTF8.self)
    }
    return UploadReply(
      response.head, problemText: text, by: requests.resumption, now: time.wallTime())
  }

  private static func url(of request: Request) -> String {
    let head = request.head
    return "\(head.scheme ?? "https")://\(head.authority ?? "")\(head.path ?? "/")"
  }

  // MARK: The record

  /// Writes the record if the upload is new, or its expiry has changed by more than a server that extends it
  /// with each response changes it.
  private mutating func keepRecord() async throws(NetworkError) {
    guard owner.isKnown, let target = plan.target else { return }
    let present = UploadRecord(
      identity: identity, owner: owner.digest, stamp: source.stamp, expires: plan.expires, target: target)
    if let recorded, recorded.target == target, recorded.stamp == present.stamp {
      switch (recorded.expires, present.expires) {
      case (nil, nil): return
      case (let old?, let new?) where (0...60).contains(new.seconds - old.seconds): return
      default: break
      }
    }
    do throws(NetworkError) {
      try record.write(present)
    } catch {
      // Without a record, the server would keep an upload that no run can resume.
      if recorded?.target != target { await remove(target) }
      throw error
    }
    recorded = present
  }

  private func removeRecord() throws(NetworkError) {
    guard owner.isKnown else { return }
    // A run that has not written one yet leaves that of another owner.
    if recorded == nil, let found = try record.read(), found.owner != owner.digest { return }
    try record.remove()
  }

  /// Removes an upload from the server, if the server does so; otherwise it expires there.
  private func remove(_ target: UploadTarget) async {
    _ = try? await dispatcher.dispatch(requests.removal(of: target).limited(to: remaining))
  }

  // MARK: Failures

  /// Waits until the run continues after a failure.
  ///
  /// - Throws: The failure, if it ends the run, or a cancellation.
  private mutating func wait(after error: NetworkError, mayPass: Bool) async throws(NetworkError) {
    guard mayPass else { throw error }
    let moment = TransferFailures.Moment(
      offset: plan.offset, remaining: remaining, now: time.wallTime(), random: random())
    var head: HTTPResponse?
    if case UploadFault.status(let response)? = error.underlying { head = response }
    switch failures.decide(on: error, response: head, at: moment) {
    case .end(let refusal):
      var last = error
      last.retryRefusal = refusal ?? error.retryRefusal
      throw last
    case .retry(let wait):
      do {
        try await time.sleep(for: wait)
      } catch {
        throw Self.cancellation
      }
    }
  }

  /// Returns an error as one of the user's request, without the upload's URL.
  private func shown(
    _ error: NetworkError, _ target: UploadTarget?, _ response: Response? = nil
  ) -> NetworkError {
    var shown = error.asUpload(of: requests.request, hiding: [target, plan.target].compactMap(\.self))
    guard let response else { return shown }
    shown.retryRefusal = response.exchange.retryRefusal
    shown.attempt = max(response.exchange.attempts, 1)
    return shown
  }

  private static var cancellation: NetworkError {
    NetworkError(.cancelled(.task), "The upload was cancelled.", requestMayHaveBeenProcessed: true)
  }

  // MARK: Time

  /// The time left of the call's limit; nil without one.
  private var remaining: Duration? { end.map { $0 - time.now() } }

  private func outcome(_ response: Response) -> FileUpload.Outcome {
    FileUpload.Outcome(
      url: plan.target?.url ?? "", length: plan.length, resumedFrom: plan.resumedFrom,
      failures: failures.survived, head: response.head, body: response.body, exchange: response.exchange)
  }
}
