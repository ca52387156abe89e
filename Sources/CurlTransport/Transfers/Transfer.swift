import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

/// One request on libcurl's thread: what it needs from libcurl, what has come in, and who waits for it.
///
/// libcurl holds an unretained pointer to it from its launch until its handle is taken out; the loop keeps it
/// alive for so long.
final class Transfer {
  let submission: Submission
  let handle: ReusableHandle
  /// What it shares with the loop.
  let shared: LoopRound
  /// How its upload is kept from corrupting other responses.
  let isolation: UploadIsolation
  private let waitedInQueue: Duration
  private var isAnswered = false
  var deadlines: PhaseDeadlines

  // The request's side.
  var upload: UploadQueue?
  private var pump: UploadPump.Running?
  var sentBytes = 0
  var isSendPaused = false
  /// Whether libcurl has all of the content.
  var hasSentAll = false
  /// How often the request went out: more than once when libcurl found a kept connection dead and took a new
  /// one.
  var departures = 0
  /// The local port of the connection that it left over, where that may carry others too.
  private(set) var port: Int?
  /// Whether libcurl has the handle.
  var isLaunched = false

  // The answer's side.
  var parser = HeadParser()
  /// The response's head, once it has come.
  var head: HTTPResponse?
  var version: TransportReport.HTTPVersion?
  var contentCoding: ContentCoding?
  var decoding: ContentDecoding?
  var buffer: [UInt8] = []
  var pipe: ResponsePipe?
  var decodedBytes: Int64 = 0
  var isReceivePaused = false
  /// When the last bytes came, as far as ``deadlines`` knows.
  var receivedAt: Duration?
  /// Why a callback told libcurl to stop; it says more than libcurl's own code.
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

  /// What libcurl is told about it.
  var description: TransferDescription {
    TransferDescription(
      origin: plan.site.options,
      exchange: ExchangeOptions(plan, continuesAfterRefusal: isolation == .sentToEnd))
  }

  /// Whether a byte of the request may have left: libcurl announces the moment before it sends the head.
  ///
  /// A proxy that does not accept the credentials keeps the request to itself.
  var mayHaveBeenProcessed: Bool { departures > 0 && failure?.kind != .proxyAuthentication }

  /// Whether content went out that the server has not shown to have: libcurl has more of it, or no answer
  /// came.
  var isInsideContent: Bool { departures > 0 && plan.hasBytes && (head == nil || !hasSentAll) }

  /// Notes the connection that it leaves over.
  func noteDeparture(over port: Int) {
    shared.recordDeparture(id, from: self.port, to: port)
    self.port = port
  }

  // MARK: The request's body

  /// Starts to pull a streamed body; false where there is none, and the transfer can be launched at once.
  func startUpload(_ mailbox: Mailbox) -> Bool {
    guard case .streamed(let body) = plan.content else { return false }
    let queue = UploadQueue()
    upload = queue
    pump = UploadPump(id: id, body: body, queue: queue, mailbox: mailbox).start()
    return true
  }

  /// Resumes sending after the body's source was slow; returns why it cannot.
  func resumeSending() -> NetworkError? {
    guard isLaunched, isSendPaused else { return nil }
    isSendPaused = false
    return release()
  }

  /// Resumes receiving after the reader was slow; returns why it cannot.
  func resumeReceiving() -> NetworkError? {
    guard isLaunched, isReceivePaused else { return nil }
    isReceivePaused = false
    return release()
  }

  private func release() -> NetworkError? {
    deadlines.release(at: shared.now)
    receivedAt = nil
    shared.setAlarm(deadlines.next)
    do throws(CurlError) {
      // What was held back is delivered inside this call. libcurl forgets a failure of it, so it is ours to
      // end the transfer.
      try handle.easy.setPaused(receiving: isReceivePaused, sending: isSendPaused)
      return nil
    } catch {
      return failure ?? networkError(CURLcode(rawValue: CURLcode.RawValue(error.code)))
    }
  }

  // MARK: The ends

  /// Gives the caller the head; the body follows as a stream.
  func answer(streaming length: Int64?) {
    guard let head, !isAnswered else { return }
    let ending = BodyStream.Ending()
    let pipe = ResponsePipe(id: id, owner: submission.owner, ending: ending)
    self.pipe = pipe
    let stream = BodyStream(length: length, ending: ending, pipe)
    answer(
      .success(Response(head, body: .stream(stream), exchange: Exchange(attempts: 1, transport: report()))))
  }

  /// Ends with libcurl's verdict.
  func complete(_ code: CURLcode) {
    if let failure { return fail(failure) }
    guard code == CURLE_OK || isWhole(despite: code), let head else { return fail(networkError(code)) }
    if let decoding, !decoding.isComplete { return fail(truncation) }
    pump?.stop()
    let trailers = parser.trailers
    if !isAnswered {
      let exchange = Exchange(attempts: 1, transport: report())
      answer(.success(Response(head, body: .bytes(buffer), trailers: trailers, exchange: exchange)))
    }
    pipe?.finish(.init(failure: nil, trailers: trailers, report: report()))
  }

  /// Ends with an error.
  func fail(_ error: NetworkError) {
    var error = error
    error.requestMayHaveBeenProcessed = error.requestMayHaveBeenProcessed || mayHaveBeenProcessed
    pump?.stop()
    answer(.failure(error))
    pipe?.finish(.init(failure: error, trailers: nil, report: report()))
  }

  private func answer(_ result: Result<Response, NetworkError>) {
    isAnswered = true
    shared.answer(submission, result)
  }

  /// What libcurl measured so far.
  func report() -> TransportReport {
    handle.report(
      queue: waitedInQueue, version: version, contentCoding: contentCoding, decoded: decodedBytes)
  }
}
