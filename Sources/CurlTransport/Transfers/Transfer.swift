import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

/// One request on the loop's thread: its options, what was received, and the waiting caller.
///
/// libcurl holds an unretained pointer to its handle from launch to removal; the loop retains both that long.
final class Transfer {
  let submission: Submission
  let handle: ReusableHandle
  let shared: LoopRound
  /// How its upload is kept from corrupting other responses.
  let isolation: UploadIsolation
  private let waitedInQueue: Duration
  private var isAnswered = false
  var deadlines: PhaseDeadlines

  // The request's side.
  private var pump: Task<Void, Never>?
  private(set) var upload: UploadQueue?
  var sentBytes = 0
  var isSendPaused = false
  /// Whether libcurl has all of the content.
  var hasSentAll = false
  /// How often the request was sent: again if libcurl found an idle connection dead and opened another one.
  var departures = 0
  /// The local port of the connection that it was sent over, if that may carry other requests.
  var port: Int?
  /// The local port of the connection that carries the request; 0 until it departs.
  var connectionPort = 0
  /// Whether libcurl has the handle.
  var isLaunched = false

  // The response's side.
  var parser = HeadParser()
  var head: HTTPResponse?
  var version: TransportReport.HTTPVersion?
  var decoding: ContentDecoding?
  var buffer: [UInt8] = []
  var pipe: ResponsePipe?
  var decodedBytes: Int64 = 0
  /// Since when the reader of the response has no room; nil while it has.
  var pausedAt: Duration?
  var isReceivePaused: Bool { pausedAt != nil }
  /// When the last bytes came, as far as ``deadlines`` knows.
  var receivedAt: Duration?
  /// Why a callback stopped the transfer; it takes precedence over libcurl's code.
  var failure: NetworkError?

  init(_ submission: Submission, handle: ReusableHandle, shared: LoopRound, isolation: UploadIsolation) {
    self.submission = submission
    self.handle = handle
    self.shared = shared
    self.isolation = isolation
    waitedInQueue = shared.now - submission.handedOver
    deadlines = PhaseDeadlines(submission.plan.options.timeouts, handedOver: submission.handedOver)
    shared.setAlarm(deadlines.next)
  }

  var id: TransferID { submission.id }
  var plan: RequestPlan { submission.plan }

  var description: TransferDescription {
    var exchange = plan.exchange
    exchange.continuesAfterRefusal = isolation == .sentToEnd
    return TransferDescription(site: plan.site, exchange: exchange, lines: plan.lines)
  }

  /// Whether the server may have received a byte; a proxy that refuses the credentials forwards none.
  var mayHaveBeenProcessed: Bool { departures > 0 && failure?.kind != .proxyAuthentication }

  /// Whether content was sent that the server may not have received: libcurl has more of it, or no response
  /// came.
  var isInsideContent: Bool { departures > 0 && plan.hasBytes && (head == nil || !hasSentAll) }

  // MARK: Streaming

  /// Starts to read a streamed body; returns false if there is none, and the transfer can be launched at
  /// once.
  func startUpload(_ mailbox: Mailbox) -> Bool {
    guard case .streamed(let body) = plan.content else { return false }
    let queue = UploadQueue()
    upload = queue
    pump = Task { [id] in await UploadPump(id: id, body: body, queue: queue, mailbox: mailbox).run() }
    return true
  }

  private func stopUpload() {
    guard let upload, let pump else { return }
    upload.close()
    // Cancelling runs code of the body's source, which must not run on the loop's thread.
    Task { pump.cancel() }
  }

  /// Resumes sending once the body's source has more; returns the error if that fails.
  func resumeSending() -> NetworkError? {
    guard isLaunched, isSendPaused else { return nil }
    isSendPaused = false
    deadlines.fed(at: shared.now)
    return resume()
  }

  /// Resumes receiving once the reader has room; returns the error if that fails.
  func resumeReceiving() -> NetworkError? {
    guard isLaunched, isReceivePaused else { return nil }
    pausedAt = nil
    deadlines.resumed(at: shared.now)
    return resume()
  }

  private func resume() -> NetworkError? {
    receivedAt = nil
    shared.setAlarm(deadlines.next)
    do throws(CurlError) {
      // Delivers what libcurl held back. If that fails, libcurl does not end the transfer by itself.
      try handle.easy.setPaused(receiving: isReceivePaused, sending: isSendPaused)
      return nil
    } catch  where error.code == Int(CURLE_BAD_FUNCTION_ARGUMENT.rawValue) {
      // The transfer waits for another connection, because a reused one was dead; it begins unpaused.
      return nil
    } catch {
      return failure ?? networkError(CURLcode(rawValue: CURLcode.RawValue(error.code)))
    }
  }

  // MARK: Ending

  /// Gives the caller the head; the body follows as a stream.
  func answer(streaming length: Int64?) {
    guard let head, !isAnswered else { return }
    let ending = BodyStream.Ending()
    let pipe = ResponsePipe(id: id, owner: submission.owner, ending: ending)
    self.pipe = pipe
    let body = ResponseBody.stream(BodyStream(length: length, ending: ending, pipe))
    answer(.success(Response(head, body: body, exchange: Exchange(attempts: 1, transport: report()))))
  }

  /// Ends with libcurl's result.
  func complete(_ code: CURLcode) {
    if let failure { return fail(failure) }
    guard let head,
      code == CURLE_OK
        || RefusedUpload.isWhole(
          head, to: plan, received: decodedBytes, decoding: decoding, despite: code)
    else { return fail(networkError(code)) }
    if let decoding, !decoding.isComplete { return fail(truncation) }
    stopUpload()
    let trailers = parser.trailers
    if !isAnswered {
      let exchange = Exchange(attempts: 1, transport: report())
      answer(.success(Response(head, body: .bytes(buffer), trailers: trailers, exchange: exchange)))
    }
    pipe?.finish(.init(failure: nil, trailers: trailers, report: report()))
  }

  func fail(_ error: NetworkError) {
    var error = error
    error.requestMayHaveBeenProcessed = error.requestMayHaveBeenProcessed || mayHaveBeenProcessed
    if departures > 0 {
      error.progress = .init(sentBytes: hasSentAll ? 0 : Int64(sentBytes), receivedBytes: decodedBytes)
    }
    stopUpload()
    answer(.failure(error))
    pipe?.finish(.init(failure: error, trailers: nil, report: report()))
  }

  private func answer(_ result: Result<Response, NetworkError>) {
    isAnswered = true
    shared.answer(submission, result)
  }

  private func report() -> TransportReport {
    handle.report(
      queue: waitedInQueue, version: version, contentCoding: decoding?.coding, decoded: decodedBytes)
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
