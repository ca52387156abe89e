import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

/// The handshake of an upgrade and the connection after it, on the loop's thread.
///
/// libcurl has opened the connection. The exchange sends the request's head, reads the response's with the
/// parser of every other response, and then passes bytes between the socket and an ``UpgradePipe``.
final class UpgradeExchange {
  /// What the loop has to do.
  enum Outcome {
    /// Wait for the socket.
    case waits(reading: Bool, writing: Bool)
    /// The server has switched; the caller's response is complete, and the request's place is free.
    case switched
    /// The server has not switched, and its response is complete.
    case refused
    case failed(NetworkError)
    /// The connection has ended; the pipe knows why.
    case ended
  }

  private enum Stage {
    case head(HeadParser)
    case refusal(HTTPResponse, RefusalBody)
    case open(UpgradePipe)
  }

  /// The maximum number of bytes of a refusal's body that are kept.
  private static let refusalLimit = 64 << 10
  /// The time in which queued bytes are sent after the user has closed the connection.
  private static let lingering = Duration.seconds(1)

  let transfer: Transfer
  let socket: RawSocket
  private var stage = Stage.head(HeadParser(acceptsUpgrade: true))
  private var outgoing: [UInt8]
  private var sent = 0
  private var line: [UInt8] = []
  private var closingSince: Duration?
  /// Whether no TLS, also of a proxy, lies between the socket and the bytes.
  private let isPlain: Bool
  /// Whether the system may have bytes; once it had none, only an event brings more.
  private var mayHaveBytes = true
  /// Whether the thread exchanges bytes only with this server.
  private var isAlone = false
  /// Whether the user was given bytes in the present turn.
  private(set) var hasReceived = false

  init(_ transfer: Transfer, _ socket: RawSocket, head: [UInt8]) {
    self.transfer = transfer
    self.socket = socket
    outgoing = head
    isPlain = transfer.plan.origin.scheme == .http && transfer.plan.site.options.proxy == nil
  }

  /// The pipe, once the server has switched.
  var pipe: UpgradePipe? { if case .open(let pipe) = stage { pipe } else { nil } }

  /// When the connection is closed although bytes are queued; nil until the user closes it.
  var closingEnd: Duration? { closingSince.map { $0 + Self.lingering } }

  /// Records that the socket has an event.
  func noteEvent() { mayHaveBytes = true }

  /// Begins a turn of sending and receiving.
  func beginTurn(isAlone: Bool) {
    self.isAlone = isAlone
    hasReceived = false
  }

  /// Sends and receives what is possible without waiting.
  func advance(at now: Duration) -> Outcome {
    if let pipe, pipe.isClosing, closingSince == nil { closingSince = now }
    if let error = send() { return lose(error) }
    let hasRest = sent < outgoing.count || socket.hasStaged
    if let closingEnd { return hasRest && now < closingEnd ? .waits(reading: false, writing: true) : .ended }
    // A turn is bounded, so that a fast peer does not hold up the loop's other transfers.
    for _ in 0..<8 {
      if let pipe, !pipe.wantsBytes() { return .waits(reading: false, writing: hasRest) }
      guard mayHaveBytes else { return .waits(reading: true, writing: hasRest) }
      var bytes: [UInt8] = []
      switch socket.receive(into: &bytes) {
      case .blocked:
        mayHaveBytes = false
        return .waits(reading: true, writing: hasRest)
      case .failed(let code): return lose(socket.error(code))
      case .moved(0): return end()
      case .moved(let count):
        transfer.deadlines.received(at: now)
        // Without TLS, which may hold more, the system has given all that it had.
        if isPlain, count < RawSocket.bufferSize { mayHaveBytes = false }
        if let outcome = take(bytes) { return outcome }
      }
    }
    // OpenSSL may hold bytes that the system has delivered, and reports no event for them.
    transfer.noteEvent()
    return .waits(reading: true, writing: hasRest)
  }

  private func send() -> CurlError? {
    while true {
      if sent == outgoing.count {
        (outgoing, sent) = (pipe?.takeOutgoing() ?? [], 0)
        if outgoing.isEmpty, !socket.hasStaged { return nil }
      }
      switch socket.send(outgoing, from: sent) {
      case .moved(let count): sent += count
      case .blocked: return nil
      case .failed(let code): return socket.error(code)
      }
    }
  }

  // MARK: The response

  private func take(_ bytes: [UInt8]) -> Outcome? {
    var rest = bytes[...]
    while case .head = stage, !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      line += rest[..<end]
      rest = rest[end...]
      guard line.last == UInt8(ascii: "\n") || line.count > HeadParser.limit else { return nil }
      if let outcome = takeLine() { return outcome }
      if case .open(let pipe) = stage {
        if !rest.isEmpty { offer(Array(rest), to: pipe) }
        return .switched
      }
    }
    return takeBody(rest)
  }

  private func takeLine() -> Outcome? {
    guard case .head(var parser) = stage else { return nil }
    let bytes = line[...]
    let event = parser.consume(bytes.span)
    line = []
    stage = .head(parser)
    if case .head(let head) = event { return take(head, parser) }
    return event.fault.map(violation)
  }

  private func take(_ head: HTTPResponse, _ parser: HeadParser) -> Outcome? {
    if let fault = AnswerFraming.fault(in: head.headerFields, hasBody: head.status.code != 101) {
      return violation(fault)
    }
    transfer.deadlines.responded(isRefusal: head.status.code >= 400)
    transfer.phase = .receiving(IncomingResponse(head, parser: parser, limit: nil))
    guard head.status.code == 101 else {
      let limit = if case .buffered(let limit) = transfer.plan.options.delivery { limit } else { Int.max }
      stage = .refusal(head, RefusalBody(head, limit: min(limit, Self.refusalLimit)))
      return nil
    }
    let submission = transfer.submission
    let pipe = UpgradePipe(
      id: transfer.id, mailbox: submission.owner.mailbox, origin: transfer.plan.origin, received: [])
    answer(head, connection: CurlConnection(pipe, owner: submission.owner))
    stage = .open(pipe)
    return nil
  }

  private func takeBody(_ bytes: ArraySlice<UInt8>) -> Outcome? {
    switch stage {
    case .head: return nil
    case .open(let pipe):
      offer(Array(bytes), to: pipe)
      return nil
    case .refusal(let head, var body):
      guard body.take(bytes) else { return violation("sent a body whose chunks are malformed.") }
      stage = .refusal(head, body)
      guard body.isComplete else { return nil }
      answer(head, bytes: body.bytes)
      return .refused
    }
  }

  private func offer(_ bytes: [UInt8], to pipe: UpgradePipe) {
    hasReceived = true
    pipe.offer(bytes, isAlone: isAlone)
  }

  private func answer(
    _ head: HTTPResponse, bytes: [UInt8] = [], connection: CurlConnection? = nil
  ) {
    let exchange = Exchange(attempts: 1, transport: transfer.report(transfer.phase.response))
    var response = Response(head, body: .bytes(bytes), exchange: exchange)
    response.connection = connection
    transfer.shared.answer(transfer.submission, .success(response))
    transfer.phase.end()
  }

  // MARK: The end

  private func end() -> Outcome {
    switch stage {
    case .head: return lose(CurlError(code: Int(CURLE_GOT_NOTHING.rawValue), summary: "The connection ended"))
    case .refusal(let head, let body):
      guard body.endsWithConnection else {
        return lose(CurlError(code: Int(CURLE_PARTIAL_FILE.rawValue), summary: "The body is incomplete"))
      }
      answer(head, bytes: body.bytes)
      return .refused
    case .open(let pipe):
      pipe.end(nil)
      return .waits(reading: false, writing: sent < outgoing.count || socket.hasStaged)
    }
  }

  private func lose(_ error: CurlError) -> Outcome {
    let origin = transfer.plan.origin
    let failure = NetworkError(
      .transport,
      "\(origin) closed the connection, or it was lost; check the server's log, and connect again.",
      requestMayHaveBeenProcessed: true, underlying: error)
    guard case .open(let pipe) = stage else { return .failed(failure) }
    pipe.end(failure)
    return .ended
  }

  private func violation(_ words: String) -> Outcome {
    .failed(
      NetworkError(
        .protocolViolation, "\(transfer.plan.origin) \(words)", requestMayHaveBeenProcessed: true))
  }
}

extension Transfer {
  /// Records that the socket of an upgrade has an event.
  func noteEvent() { shared.noteReady(id) }
}
