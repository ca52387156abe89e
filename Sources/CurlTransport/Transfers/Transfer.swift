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
  let member: HandlePool.Member
  let board: LoopBoard
  /// How its upload is kept from corrupting other answers.
  let isolation: UploadIsolation
  private let waitedInQueue: Duration
  private var isAnswered = false
  var deadlines: PhaseDeadlines

  // A list that libcurl reads and doesn't copy.
  var connectTo: HeaderList?

  /// The proxy and the pins, as far as they were worked out.
  var route: Route?

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
  /// What reads the answer's lines; nil before the first one, and while they are those of ``known``.
  var parser: HeadParser?
  /// The head, where one like it was read before.
  var known: HeadMemory.Entry?
  /// The head, where it is not ``known``.
  var ownHead: HTTPResponse?
  var version: TransportReport.HTTPVersion?
  var contentCoding: ContentCoding?
  var decoding: ContentDecoding?
  var buffer: [UInt8] = []
  /// What a buffered answer is written into.
  var blank: Response?
  /// Where that lies.
  let room: Submission.Room
  var pipe: ResponsePipe?
  var decodedBytes: Int64 = 0
  var isReceivePaused = false
  /// When the last bytes came, as far as ``deadlines`` knows.
  var receivedAt: Duration?
  /// Why a callback told libcurl to stop; it says more than libcurl's own code.
  var failure: NetworkError?

  init(_ submission: Submission, member: HandlePool.Member, board: LoopBoard, isolation: UploadIsolation) {
    self.submission = submission
    self.member = member
    self.board = board
    self.isolation = isolation
    room = submission.room
    waitedInQueue = board.now - submission.handedOver
    deadlines = PhaseDeadlines(submission.plan.options.timeouts, handedOver: submission.handedOver)
    board.setAlarm(deadlines.next)
  }

  var id: TransferID { submission.id }
  var plan: RequestPlan { submission.plan }

  /// The answer's head, once it has come.
  var head: HTTPResponse? { known?.head ?? ownHead }

  /// Whether a byte of the request may have left: libcurl announces the moment before it sends the head.
  var mayHaveBeenProcessed: Bool { departures > 0 }

  /// Whether content went out that the server has not shown to have: libcurl has more of it, or no answer came.
  var isInsideContent: Bool { departures > 0 && plan.hasBytes && (head == nil || !hasSentAll) }

  /// Notes the connection that it leaves over.
  func noteDeparture(over port: Int) {
    board.noteDeparture(id, from: self.port, to: port)
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

  /// Goes on sending after the body's source was slow; returns why it cannot.
  func resumeSending() -> NetworkError? {
    guard isLaunched, isSendPaused else { return nil }
    isSendPaused = false
    return release()
  }

  /// Goes on receiving after the reader was slow; returns why it cannot.
  func resumeReceiving() -> NetworkError? {
    guard isLaunched, isReceivePaused else { return nil }
    isReceivePaused = false
    return release()
  }

  private func release() -> NetworkError? {
    deadlines.release(at: board.now)
    receivedAt = nil
    board.setAlarm(deadlines.next)
    do throws(CurlError) {
      // What was held back is delivered inside this call. libcurl forgets a failure of it, so it is ours to
      // end the transfer.
      try member.handle.setPaused(receiving: isReceivePaused, sending: isSendPaused)
      return nil
    } catch {
      return failure ?? networkError(CURLcode(rawValue: CURLcode.RawValue(error.code)))
    }
  }

  // MARK: The ends

  /// Answers whoever waits with the head, and lets the body follow.
  func answer(streaming length: Int64?) {
    guard let head, !isAnswered else { return }
    let ending = StreamEnding()
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
    let trailers = parser?.trailers
    if !isAnswered {
      var response = blank.take() ?? submission.takeBlank() ?? Response(head)
      var body: [UInt8] = []
      swap(&body, &buffer)
      response.fill(head, bytes: body, trailers: trailers, transport: report())
      answer(.success(response))
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
    board.answer(submission, result)
  }

  /// What libcurl measured so far.
  func report() -> TransportReport {
    member.report(
      queue: waitedInQueue, version: version, contentCoding: contentCoding, decoded: decodedBytes)
  }
}
