import HTTPTypes
import Interception

/// What a transfer does at the moment, and what exists only meanwhile.
///
/// The life of a transfer, in order:
///
/// 1. `TransferLoop.start` gives a request that may run a handle, and makes its ``Transfer`` in ``opening``.
///    A streamed body is opened first, by an ``UploadPump`` in a task of its own.
/// 2. `TransferLoop.launch` sets the handle's options and hands it to libcurl: ``awaitingHead(_:)``. libcurl
///    opens a connection (`Transfer.connect`) or has an idle one, and calls `Transfer.depart` before it sends
///    a byte. If it finds a reused connection dead before it received a byte, or the server refuses the
///    stream, it repeats this step.
/// 3. Sending and receiving go on at the same time. ``OutgoingRequest`` is how far the request is sent
///    (`Transfer.send`), and ``PhaseDeadlines`` limits the time of each step. Informational heads change no
///    phase.
/// 4. The final head is complete: ``receiving(_:)``, until the last byte of the body and the trailers
///    (`Transfer.receiveBody`). The body is buffered, or handed to a ``ResponsePipe`` whose reader already
///    has the head; while the reader has no room, receiving is paused.
/// 5. libcurl reports its result (`TransferLoop.collectFinished`, `Transfer.complete`), or the loop ends the
///    transfer early for a time limit or its caller (`TransferLoop.end`, `Transfer.fail`). The caller is
///    given the result, the transfer is in ``ended(_:)``, and the loop takes the handle back.
///
/// A callback that finds a fault in steps 2 to 4 stores it in ``stopped(_:_:)`` and makes libcurl end the
/// transfer, which leads to step 5 with this error instead of libcurl's.
enum TransferPhase {
  /// libcurl does not have the handle.
  case opening
  /// libcurl has the handle; the parser has read the informational heads so far.
  case awaitingHead(HeadParser)
  case receiving(IncomingResponse)
  /// A callback stopped the transfer; libcurl still has the handle. The response is nil without a head.
  case stopped(NetworkError, IncomingResponse?)
  /// The caller has its result. The version is that of the response, if its head came.
  case ended(TransportReport.HTTPVersion?)

  // MARK: Transitions

  mutating func launch() {
    if case .opening = self { self = .awaitingHead(HeadParser()) }
  }

  /// Keeps the fault of a callback, unless there is one already.
  mutating func stop(_ fault: NetworkError) {
    switch self {
    case .opening, .awaitingHead: self = .stopped(fault, nil)
    case .receiving(let response): self = .stopped(fault, response)
    case .stopped, .ended: break
    }
  }

  mutating func end() { self = .ended(version) }

  // MARK: Facts

  /// Whether libcurl has the handle.
  var isLaunched: Bool {
    switch self {
    case .opening, .ended: false
    case .awaitingHead, .receiving, .stopped: true
    }
  }

  /// The response that is received; nil in every other phase.
  var incoming: IncomingResponse? { if case .receiving(let response) = self { response } else { nil } }

  /// What has come of the response since its head; nil before the head, and after the end.
  var response: IncomingResponse? {
    switch self {
    case .receiving(let response): response
    case .stopped(_, let response): response
    case .opening, .awaitingHead, .ended: nil
    }
  }

  var fault: NetworkError? { if case .stopped(let fault, _) = self { fault } else { nil } }

  /// The version of the response; nil until its head is complete.
  var version: TransportReport.HTTPVersion? {
    if case .ended(let version) = self { version } else { response?.parser.version }
  }
}

/// A response from its head on.
///
/// A class, because each callback reads the phase, and would copy the response otherwise.
final class IncomingResponse {
  /// Where the bytes of a body go.
  enum Body {
    /// Until the whole response is given to the caller.
    case buffered([UInt8])
    /// To the reader of a response that the caller has. `pausedAt` is since when that reader has no room.
    case streamed(ResponsePipe, pausedAt: Duration?)

    fileprivate mutating func take(
      _ bytes: UnsafeBufferPointer<UInt8>, at now: Duration
    ) -> ResponsePipe.Offer {
      // Consumed, so that the buffer is not copied.
      switch consume self {
      case .buffered(var buffer):
        unsafe buffer.append(contentsOf: bytes)
        self = .buffered(buffer)
        return .taken
      case .streamed(let pipe, let pausedAt):
        let offer = unsafe pipe.offer(bytes)
        self = .streamed(pipe, pausedAt: offer == .full ? pausedAt ?? now : pausedAt)
        return offer
      }
    }
  }

  /// What became of received bytes.
  enum Progress: Hashable {
    case taken
    /// The reader has no room.
    case full
    /// The reader has cancelled.
    case cancelled
    /// The body exceeds its limit.
    case tooLarge(limit: Int64)
  }

  let head: HTTPResponse
  /// The parser of the head, which reads the trailers too.
  var parser: HeadParser
  /// The coding in which the body is received, if any.
  var contentCoding: ContentCoding?
  /// The maximum number of bytes of the body.
  let limit: Int64?
  var body = Body.buffered([])
  private(set) var receivedBytes: Int64 = 0
  /// How fast the content comes; nil if that is not of use.
  var measurement: ContentMeasurement?

  init(_ head: HTTPResponse, parser: HeadParser, limit: Int64?) {
    self.head = head
    self.parser = parser
    self.limit = limit
  }

  func take(_ bytes: UnsafeBufferPointer<UInt8>, at now: Duration) -> Progress {
    let total = receivedBytes + Int64(bytes.count)
    if let limit, total > limit { return .tooLarge(limit: limit) }
    switch unsafe body.take(bytes, at: now) {
    case .taken:
      receivedBytes = total
      return .taken
    case .full: return .full
    case .cancelled: return .cancelled
    }
  }

  /// Ends a pause; returns false if there is none.
  func resume() -> Bool {
    guard case .streamed(let pipe, .some) = body else { return false }
    body = .streamed(pipe, pausedAt: nil)
    return true
  }

  /// Since when the reader has no room; nil while it has.
  var pausedAt: Duration? { if case .streamed(_, let pausedAt) = body { pausedAt } else { nil } }
}

/// How far a request is sent, independently of its response.
struct OutgoingRequest {
  enum Content {
    /// libcurl asks for more of it.
    case sending
    /// Sending is paused until the source of the body has bytes.
    case starved
    /// libcurl has all of it.
    case complete
  }

  /// What is known of the time between two departures.
  private enum Latest {
    /// The request has not departed, or libcurl is about to send it again, perhaps because it was refused.
    case withdrawn(wasRefused: Bool)
    /// It was sent; `earlier` is whether the server may have processed it before.
    case sent(earlier: Bool)
  }

  /// How often the request was sent: again if libcurl found an idle connection dead and opened another one,
  /// or if the server refused its stream.
  private(set) var departures = 0
  /// After how many refusals the request is not sent again; libcurl gives up after one more.
  static let maximumRefusals = 5
  /// How often the server refused the request before it processed it.
  private(set) var refusals = 0
  /// Whether the server may have processed the request.
  private(set) var mayHaveBeenProcessed = false
  /// What the latest departure shows of a refusal.
  var refusal = StreamRefusal(isShownBySilence: false)
  /// Whether libcurl has opened a connection for the next departure.
  private(set) var hasNewConnection = false
  private var latest = Latest.withdrawn(wasRefused: false)
  /// The local port of the connection that carries the request; nil until it departs.
  private(set) var port: Int?
  private(set) var content = Content.sending
  private(set) var sentBytes = 0

  var hasDeparted: Bool { departures > 0 }

  /// Whether the request was sent, and libcurl has not begun to send it again.
  var isSent: Bool { if case .sent = latest { true } else { false } }

  /// Whether the server has refused the latest departure.
  var wasRefused: Bool { if case .withdrawn(let wasRefused) = latest { wasRefused } else { false } }

  mutating func openConnection() { hasNewConnection = true }

  mutating func depart(over port: Int, _ refusal: StreamRefusal = StreamRefusal(isShownBySilence: false)) {
    departures += 1
    self.port = port
    self.refusal = refusal
    hasNewConnection = false
    latest = .sent(earlier: mayHaveBeenProcessed)
    mayHaveBeenProcessed = true
  }

  /// Records that the latest departure has ended without a response, because the server refused it or for
  /// another reason.
  mutating func withdraw(wasRefused: Bool) {
    guard case .sent(let earlier) = latest else { return }
    latest = .withdrawn(wasRefused: wasRefused)
    guard wasRefused else { return }
    refusals += 1
    mayHaveBeenProcessed = earlier
  }

  /// Records that libcurl took `count` bytes of a content of `length` bytes; 0 is its end.
  mutating func send(_ count: Int, of length: Int64?) {
    sentBytes += count
    content = count == 0 || length == Int64(sentBytes) ? .complete : .sending
  }

  mutating func starve() { content = .starved }

  /// Ends a pause; returns false if there is none.
  mutating func resume() -> Bool {
    guard content == .starved else { return false }
    content = .sending
    return true
  }

  /// Goes back to an offset, from which libcurl sends again.
  mutating func rewind(to offset: Int) {
    sentBytes = offset
    content = .sending
  }
}
