import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

// The response's side: head, body and trailers. A callback that ends the transfer stores why in its phase.
extension Transfer {
  // MARK: Head and trailers

  /// Takes one line of a head or of the trailers; returns 0 to end the transfer.
  func receiveLine(_ line: UnsafeBufferPointer<UInt8>) -> Int {
    deadlines.received(at: shared.now)
    switch phase {
    case .awaitingHead:
      if handle.head.isEmpty { unsafe noteBeginning(line.span) }
      unsafe handle.head.append(contentsOf: line)
      guard unsafe line.span.isBlankLine || handle.head.count > HeadParser.limit else { return line.count }
      return receiveHead() ? line.count : 0
    case .receiving(let response):
      return unsafe accept(response.parser.consume(line.span)) ? line.count : 0
    case .opening, .stopped, .ended: return 0
    }
  }

  /// Takes a complete head, or one that exceeds the limit; returns whether the transfer continues.
  private func receiveHead() -> Bool {
    guard case .awaitingHead(var parser) = phase else { return false }
    var bytes: [UInt8] = []
    swap(&bytes, &handle.head)
    defer {
      bytes.removeAll(keepingCapacity: true)
      swap(&bytes, &handle.head)
    }
    let isFirst = parser.isFresh
    if isFirst, let entry = shared.heads.entry(of: bytes) { return accept(entry.head, entry.parser) }
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      let line = bytes[start..<end]
      let event = parser.consume(line.span)
      if case .head(let head) = event {
        if isFirst { shared.heads.insert(head, parser: parser, of: bytes) }
        return accept(head, parser)
      }
      guard accept(event) else { return false }
      start = end
    }
    phase = .awaitingHead(parser)
    return true
  }

  /// Takes what a line completed other than a head; returns whether the transfer continues.
  private func accept(_ event: HeadParser.Event) -> Bool { event.fault.map(reject) ?? true }

  /// Takes the final head; returns whether the transfer continues.
  private func accept(_ head: HTTPResponse, _ parser: HeadParser) -> Bool {
    shared.alternatives.note(
      head, parser, of: plan, http3, network: network, isOverIPv6: handle.isOverIPv6, at: shared.now)
    let response = IncomingResponse(head, parser: parser, limit: bodyLimit)
    let fault = prepareBody(of: response)
    phase = .receiving(response)
    if let fault { phase.stop(fault) }
    return fault == nil
  }

  /// Decides from a head how its body is delivered; returns an error to end the transfer.
  private func prepareBody(of response: IncomingResponse) -> NetworkError? {
    let parser = response.parser
    // In a tunnel the response is the server's, and the status has no meaning (RFC 9110, section 15.5.8).
    if parser.statusCode == 407, let proxy = plan.site.options.proxy, !proxy.tunnels(plan.origin.scheme) {
      return NetworkError(.proxyAuthentication, NetworkError.credentialsSentence(proxy))
    }
    if isolation != .ownConnection { shared.learn(plan.origin, isMultiplexed: parser.version != .http1) }
    let hasBody =
      !plan.expectsNoContent && parser.statusCode != 204 && parser.statusCode != 304
      && !isRefusedExpectation(response.head)
    if !parser.isPlainlyFramed,
      let fault = AnswerFraming.fault(in: response.head.headerFields, hasBody: hasBody)
    {
      return violation(fault)
    }
    guard hasBody else { return nil }
    if parser.hasContentCoding { response.contentCoding = response.head.headerFields.contentCoding }
    // The parser reads the usual form, one field.
    let length = parser.isPlainlyFramed ? parser.contentLength : response.head.headerFields.contentLength
    if let length, let limit = response.limit, length > limit { return .bodyTooLarge(limit: limit) }
    if let length { beginMeasurement(of: response, length: length) }
    switch plan.options.delivery {
    case .streamed: answer(with: response, streaming: length)
    case .buffered:
      var buffer: [UInt8] = []
      buffer.reserveCapacity(Int(min(length ?? 0, 1 << 20)))
      response.body = .buffered(buffer)
    }
    return nil
  }

  /// Gives the caller the head; the body follows as a stream.
  private func answer(with response: IncomingResponse, streaming length: Int64?) {
    let ending = BodyStream.Ending()
    let pipe = ResponsePipe(id: id, owner: submission.owner, ending: ending)
    response.body = .streamed(pipe, pausedAt: nil)
    let body = ResponseBody.stream(BodyStream(length: length, ending: ending, pipe))
    let exchange = Exchange(attempts: 1, transport: report(response))
    shared.answer(submission, .success(Response(response.head, body: body, exchange: exchange)))
  }

  private func noteBeginning(_ statusLine: Span<UInt8>) {
    let statusClass = statusLine.statusClass
    guard statusClass != 1 else { return }
    deadlines.responded(isRefusal: statusClass == 4 || statusClass == 5)
    // While the source of the request's body had no bytes, no silence was limited.
    if outgoing.content == .starved { shared.setAlarm(deadlines.next) }
  }

  // MARK: Body

  /// Takes bytes of the body; returns their number, or tells libcurl to pause or to end the transfer.
  func receiveBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    deadlines.received(at: shared.now)
    switch unsafe deliver(bytes) {
    case .taken: return bytes.count
    // libcurl offers the same bytes again.
    case .full: return Int(CURL_WRITEFUNC_PAUSE)
    case .cancelled: return 0
    }
  }

  /// Buffers bytes of the body, or hands them to the stream.
  private func deliver(_ bytes: UnsafeBufferPointer<UInt8>) -> ResponsePipe.Offer {
    let now = shared.now
    switch unsafe phase.incoming?.take(bytes, at: now) {
    case .taken:
      measure(bytes.count)
      return .taken
    case .full:
      deadlines.paused()
      phase.incoming?.measurement?.wasPaused = true
      return .full
    case .tooLarge(let limit): phase.stop(.bodyTooLarge(limit: limit))
    case .cancelled: phase.stop(cancellation(.task))
    case nil: break
    }
    return .cancelled
  }

  private var bodyLimit: Int64? {
    switch plan.options.delivery {
    case .buffered(let limit): Int64(limit)
    case .streamed: plan.options.streamLimit
    }
  }

  // MARK: Faults

  private func reject(_ words: String) -> Bool {
    phase.stop(violation(words))
    return false
  }

  private func violation(_ words: String) -> NetworkError {
    NetworkError(.protocolViolation, "\(plan.origin) \(words)", requestMayHaveBeenProcessed: true)
  }
}

extension Span<UInt8> {
  /// The first digit of the status in a status line, such as 1 for `HTTP/1.1 103 Early Hints`.
  fileprivate var statusClass: Int? {
    guard let blank = indices.first(where: { self[$0] == UInt8(ascii: " ") }), blank + 1 < count else {
      return nil
    }
    return Int(self[blank + 1]) - Int(UInt8(ascii: "0"))
  }

  /// Whether it is an empty line, with or without its line break.
  fileprivate var isBlankLine: Bool {
    isEmpty || self[0] == UInt8(ascii: "\n")
      || (self[0] == UInt8(ascii: "\r") && (count == 1 || self[1] == UInt8(ascii: "\n")))
  }
}
