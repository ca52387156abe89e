import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

/// One request on the loop's thread; ``TransferPhase`` tells its life in order.
///
/// libcurl holds an unretained pointer to its handle from launch to removal; the loop retains both that long.
final class Transfer {
  let submission: Submission
  private(set) var handle: ReusableHandle
  let shared: LoopRound
  /// How its upload is kept from corrupting other responses.
  let isolation: UploadIsolation
  let library: LoadedLibrary
  /// Whether HTTP/3 is tried.
  private(set) var http3: HTTP3Choice
  /// The number of the network for which that was chosen.
  let network: Int
  /// Whether the latest departure was over a connection of HTTP/3.
  var isOverHTTP3 = false
  /// Whether the latest departure was over a connection that libcurl had opened for it.
  var isOnNewConnection = false
  private let waitedInQueue: Duration
  var phase = TransferPhase.opening
  var outgoing = OutgoingRequest()
  var blockage = BlockedUpload()
  var deadlines: PhaseDeadlines
  /// A streamed body that is read, until the transfer ends.
  private(set) var upload: (queue: UploadQueue, pump: Task<Void, Never>)?

  init(
    _ submission: Submission, handle: ReusableHandle, shared: LoopRound, isolation: UploadIsolation,
    library: LoadedLibrary, http3: HTTP3Choice
  ) {
    self.submission = submission
    self.handle = handle
    self.shared = shared
    self.isolation = isolation
    self.library = library
    self.http3 = http3
    network = shared.alternatives.network
    waitedInQueue = shared.now - submission.handedOver
    deadlines = PhaseDeadlines(submission.plan.options.timeouts, handedOver: submission.handedOver)
    shared.setAlarm(deadlines.next)
  }

  var id: TransferID { submission.id }
  var plan: RequestPlan { submission.plan }

  var description: TransferDescription {
    var exchange = plan.exchange
    exchange.continuesAfterRefusal = isolation == .sentToEnd
    exchange.logsTexts = StreamRefusal.readsTexts(of: plan, http3, by: library)
    if case .attempt(let port, let isOverIPv4) = http3 {
      exchange.version = .http3
      exchange.isOverIPv4 = isOverIPv4
      if port != plan.origin.port { exchange.connectTo = plan.site.connectLine(toPort: port) }
      if mayReturnToOrigin {
        exchange.connectMilliseconds = min(
          exchange.connectMilliseconds, AlternativeServices.detourMilliseconds)
      }
    }
    return TransferDescription(site: plan.site, exchange: exchange, lines: plan.lines)
  }

  /// Whether the server may have received a byte that it did not refuse to process; a proxy that refuses the
  /// credentials forwards none.
  var mayHaveBeenProcessed: Bool {
    outgoing.mayHaveBeenProcessed && phase.fault?.kind != .proxyAuthentication
  }

  /// Whether content was sent that the server may not have received: libcurl has more of it, or no response
  /// came.
  var isInsideContent: Bool {
    outgoing.hasDeparted && plan.hasBytes && (phase.version == nil || outgoing.content != .complete)
  }

  /// The local port of the connection that it was sent over, if that may carry other requests.
  var sharedPort: Int? {
    plan.origin.mayMultiplex && isolation != .ownConnection ? outgoing.port : nil
  }

  /// Since when the reader of the response has no room; nil while it has.
  var pausedAt: Duration? { phase.response?.pausedAt }

  /// Whether the caller reads, or may read, the response while it comes.
  var isStreaming: Bool { if case .streamed? = phase.response?.body { true } else { false } }

  /// Records that libcurl has the handle.
  func launched() {
    phase.launch()
    plan.raceEntry?.race.noteConnecting()
    deadlines.launched(at: shared.now)
    shared.setAlarm(deadlines.next)
  }

  // MARK: HTTP/3

  /// Whether it connects to another port than the origin's, or not to all of its addresses.
  private var mayReturnToOrigin: Bool {
    guard case .attempt(let port, let isOverIPv4) = http3 else { return false }
    return port != plan.origin.port || isOverIPv4
  }

  /// Whether it failed to connect there, so that it is launched again for the origin's own port and all
  /// addresses.
  func mustReturnToOrigin(after code: CURLcode) -> Bool {
    code != CURLE_OK && mayReturnToOrigin && !outgoing.hasDeparted && phase.fault == nil
  }

  /// Continues without HTTP/3 and with another handle, before it is launched again.
  func returnToOrigin(by handle: ReusableHandle) {
    self.handle = handle
    http3 = .none(.lostRace)
  }

  /// Records that a connection of HTTP/3 failed, unless the server ended a stream or this side did.
  private func noteHTTP3(_ error: NetworkError) {
    guard isOverHTTP3 else { return }
    switch error.kind {
    case .timeout(.firstByte), .timeout(.idle): break
    case .transport:
      let code = (error.underlying as? CurlError).map { CURLcode(rawValue: CURLcode.RawValue($0.code)) }
      if code == CURLE_HTTP3 || code == CURLE_PARTIAL_FILE { return }
    default: return
    }
    shared.alternatives.fail(for: AlternativeServices.Key(plan, network: network), at: shared.now)
  }

  // MARK: Streaming

  /// Starts to read a streamed body; returns false if there is none, and the transfer can be launched at
  /// once.
  func startUpload(_ mailbox: Mailbox) -> Bool {
    guard case .streamed(let body) = plan.content else { return false }
    let queue = UploadQueue()
    let pump = Task { [id, trailers = plan.trailers] in
      await UploadPump(id: id, body: body, trailers: trailers, queue: queue, mailbox: mailbox).run()
    }
    upload = (queue, pump)
    return true
  }

  /// Reads a streamed body from its beginning again; returns false if that is not possible.
  func restartUpload() -> Bool {
    guard case .streamed(let body) = plan.content, body.replay == .any else { return false }
    stopUpload()
    return startUpload(submission.owner.mailbox)
  }

  private func stopUpload() {
    guard let upload else { return }
    upload.queue.close()
    // Cancelling runs code of the body's source, which must not run on the loop's thread.
    Task { [pump = upload.pump] in pump.cancel() }
  }

  /// Resumes sending once the body's source has more; returns the error if that fails.
  func resumeSending() -> NetworkError? {
    guard phase.isLaunched, outgoing.resume() else { return nil }
    deadlines.fed(at: shared.now)
    return resume()
  }

  /// Resumes receiving once the reader has room; returns the error if that fails.
  func resumeReceiving() -> NetworkError? {
    guard phase.incoming?.resume() == true else { return nil }
    deadlines.resumed(at: shared.now)
    return resume()
  }

  /// Runs an upload again that libcurl may have left blocked; returns the error if that fails.
  func runBlockedUpload() -> NetworkError? {
    guard outgoing.isSent, phase.fault == nil else {
      blockage.end()
      return nil
    }
    // What its HTTP/2 layer has accepted, it sends whichever transfer is run.
    guard outgoing.content == .sending || handle.easy.uploadedBytes != Int64(outgoing.sentBytes) else {
      blockage.rest()
      return nil
    }
    blockage.runAgain(at: shared.now)
    return resume(isBlocked: true)
  }

  private func resume(isBlocked: Bool = false) -> NetworkError? {
    shared.setAlarm(deadlines.next)
    do throws(CurlError) {
      // Older versions ignore a call that changes no pause.
      if isBlocked { try handle.easy.setPaused(receiving: pausedAt != nil, sending: true) }
      // Delivers what libcurl held back. If that fails, libcurl does not end the transfer by itself.
      try handle.easy.setPaused(receiving: pausedAt != nil, sending: outgoing.content == .starved)
      return nil
    } catch  where error.code == Int(CURLE_BAD_FUNCTION_ARGUMENT.rawValue) {
      // The transfer waits for another connection, because a reused one was dead; it begins unpaused.
      return nil
    } catch {
      return phase.fault ?? networkError(CURLcode(rawValue: CURLcode.RawValue(error.code)))
    }
  }

  // MARK: Ending

  /// Ends with libcurl's result.
  func complete(_ code: CURLcode) {
    switch phase {
    case .stopped(let fault, _): fail(fault)
    case .receiving(let response):
      guard
        code == CURLE_OK || (code == CURLE_TOO_MANY_REDIRECTS && isRefusedExpectation(response.head))
          || RefusedUpload.isWhole(response.head, to: plan, received: response.receivedBytes, despite: code)
      else { return fail(networkError(code)) }
      succeed(with: response)
    case .opening, .awaitingHead, .ended:
      let isRefusal = outgoing.refusal.mayBeMeant(by: code, handle.easy) && withdraw()
      fail(
        isRefusal
          ? .refused(by: plan.origin, outgoing, underlying: handle.easy.error(code)) : networkError(code))
    }
  }

  /// Whether a server refuses that the request expects 100 (Continue).
  ///
  /// libcurl would send the request again without the expectation, which is for the caller to decide. It does
  /// not deliver the content of such a response, and then fails because it may follow no redirect.
  func isRefusedExpectation(_ head: HTTPResponse) -> Bool {
    head.status.code == 417 && plan.exchange.continueMilliseconds != nil
  }

  private func succeed(with response: IncomingResponse) {
    stopUpload()
    endMeasurement(of: response, isComplete: true)
    let trailers = response.parser.trailers
    switch response.body {
    case .buffered(let bytes):
      let exchange = Exchange(attempts: 1, transport: report(response))
      shared.answer(
        submission,
        .success(Response(response.head, body: .bytes(bytes), trailers: trailers, exchange: exchange)))
    case .streamed(let pipe, _):
      pipe.finish(.init(failure: nil, trailers: trailers, report: report(response)))
    }
    phase.end()
  }

  /// Ends with an error, for the caller or for the reader of the response.
  func fail(_ error: NetworkError) {
    noteHTTP3(error)
    let response = phase.response
    if let response { endMeasurement(of: response, isComplete: false) }
    var error = error
    error.requestMayHaveBeenProcessed = error.requestMayHaveBeenProcessed || mayHaveBeenProcessed
    if outgoing.hasDeparted {
      error.progress = .init(
        sentBytes: outgoing.content == .complete ? 0 : Int64(outgoing.sentBytes),
        receivedBytes: response?.receivedBytes ?? 0)
    }
    stopUpload()
    if case .streamed(let pipe, _)? = response?.body {
      pipe.finish(.init(failure: error, trailers: nil, report: report(response)))
    } else {
      shared.answer(submission, .failure(error))
    }
    phase.end()
  }

  /// What libcurl has measured, and what is known of the response.
  func report(_ response: IncomingResponse?) -> TransportReport {
    handle.report(
      queue: waitedInQueue, version: response?.parser.version, contentCoding: response?.contentCoding,
      delivered: response?.receivedBytes ?? 0, http3: http3.outcome(version: response?.parser.version))
  }
}

extension Transfer {
  /// Reports a key that is used although it is not pinned, if this transfer opened the connection.
  func checkPin() {
    guard let pins = plan.site.options.pins, pins.mode == .reportOnly, onPinMismatch != nil,
      let seen = seenPin, !pins.pins.contains(seen)
    else { return }
    report(pins, seen: seen)
  }

  /// Reports the key for which libcurl refused the connection.
  func reportPinMismatch() {
    if let pins = plan.site.options.pins { report(pins, seen: seenPin) }
  }

  private var seenPin: String? { handle.easy.leafCertificate.flatMap(CertificateKey.pin) }

  private var onPinMismatch: (@Sendable (PinMismatch) -> Void)? { shared.configuration.tls.onPinMismatch }

  private func report(_ pins: PublicKeyPins.Entry, seen: String?) {
    guard let report = onPinMismatch else { return }
    let mismatch = PinMismatch(
      host: plan.origin.host, port: plan.origin.port, expected: pins.pins, seen: seen,
      wasRefused: pins.mode == .enforced)
    // User code must not run on the loop's thread.
    Task { report(mismatch) }
  }
}
