import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

// The response's side: head, body and trailers. Where a callback ends the transfer, `failure` says why.
extension Transfer {
  // MARK: Head and trailers

  /// Takes one line of a head or of the trailers; returns 0 to end the transfer.
  func receiveLine(_ line: UnsafeBufferPointer<UInt8>) -> Int {
    noteReceipt()
    if head != nil { return unsafe parse(line.span) ? line.count : 0 }
    if handle.head.isEmpty { unsafe noteBeginning(line.span) }
    unsafe handle.head.append(contentsOf: line)
    guard unsafe line.span.isBlankLine || handle.head.count > HeadParser.limit else { return line.count }
    return receiveHead() ? line.count : 0
  }

  /// Takes a complete head, or one that exceeds the limit; returns whether the transfer continues.
  private func receiveHead() -> Bool {
    var bytes: [UInt8] = []
    swap(&bytes, &handle.head)
    defer {
      bytes.removeAll(keepingCapacity: true)
      swap(&bytes, &handle.head)
    }
    let isFirst = parser.isFresh
    if isFirst, let entry = shared.heads.entry(of: bytes) {
      parser = entry.parser
      return accept(entry.head)
    }
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      guard parse(bytes.span.extracting(start..<end), caching: isFirst ? bytes : nil) else { return false }
      start = end
    }
    return true
  }

  /// Parses one line and caches the head that it completes; returns whether the transfer continues.
  private func parse(_ line: Span<UInt8>, caching bytes: [UInt8]? = nil) -> Bool {
    switch parser.consume(line) {
    case .none: return true
    case .head(let head):
      if let bytes { shared.heads.insert(head, parser: parser, of: bytes) }
      return accept(head)
    case .tooLarge:
      return reject(
        "sent more than \(HeadParser.limit) bytes of header fields, or folded them \(HeadParser.maximumFolds) times; "
          + "the server must send fewer or shorter ones.")
    case .malformed: return reject("began its answer with a line that is no HTTP status line.")
    }
  }

  private func accept(_ head: HTTPResponse) -> Bool {
    self.head = head
    version = parser.version
    // In a tunnel the response is the server's, and the status has no meaning (RFC 9110, section 15.5.8).
    if parser.statusCode == 407, let proxy = plan.site.options.proxy, !proxy.tunnels(plan.origin.scheme) {
      failure = NetworkError(.proxyAuthentication, NetworkError.credentialsSentence(proxy))
      return false
    }
    if isolation != .ownConnection { shared.learn(plan.origin, isMultiplexed: version == .http2) }
    let hasBody = !plan.expectsNoContent && parser.statusCode != 204 && parser.statusCode != 304
    if !parser.isPlainlyFramed, let fault = AnswerFraming.fault(in: head.headerFields, hasBody: hasBody) {
      return reject(fault)
    }
    var length = parser.contentLength
    if hasBody, plan.exchange.acceptedCodings != nil, parser.hasContentCoding,
      let coding = head.headerFields[.contentEncoding], coding.lowercased() != "identity"
    {
      decoding = ContentDecoding(coding)
      guard decoding != nil else {
        return reject(
          "sent a body in the content coding \"\(coding.printable)\", which was not asked for; accept none to get it as "
            + "it is.")
      }
      self.head?.headerFields[.contentEncoding] = nil
      self.head?.headerFields[.contentLength] = nil
      length = nil
    }
    guard hasBody else { return true }
    if let length, let limit = bodyLimit, length > limit {
      failure = .bodyTooLarge(limit: limit)
      return false
    }
    switch plan.options.delivery {
    case .streamed: answer(streaming: length)
    case .buffered: buffer.reserveCapacity(Int(min(length ?? 0, 1 << 20)))
    }
    return true
  }

  private func noteBeginning(_ statusLine: Span<UInt8>) {
    let statusClass = statusLine.statusClass
    guard statusClass != 1 else { return }
    deadlines.responded(isRefusal: statusClass == 4 || statusClass == 5)
    // While the source of the request's body had no bytes, no silence was limited.
    if isSendPaused { shared.setAlarm(deadlines.next) }
  }

  // All bytes of one round came at the same time.
  private func noteReceipt() {
    guard receivedAt != shared.now else { return }
    receivedAt = shared.now
    deadlines.received(at: shared.now)
  }

  // MARK: Body

  /// Takes bytes of the body; returns their number, or tells libcurl to pause or to end the transfer.
  func receiveBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    noteReceipt()
    let progress: ResponsePipe.Offer? =
      if let decoding { unsafe decoding.decode(bytes) { unsafe deliver($0) } } else { unsafe deliver(bytes) }
    switch progress {
    case .taken: return bytes.count
    // libcurl offers the same bytes again; the decoding knows how many of them it has consumed.
    case .full: return Int(CURL_WRITEFUNC_PAUSE)
    case .cancelled: return 0
    case nil:
      failure = violation("sent a body whose \(codingName) coding is broken; accept none to get it as it is.")
      return 0
    }
  }

  /// Buffers bytes of the decoded body, or hands them to the stream.
  private func deliver(_ bytes: UnsafeBufferPointer<UInt8>) -> ResponsePipe.Offer {
    let total = decodedBytes + Int64(bytes.count)
    if let limit = bodyLimit, total > limit {
      failure = .bodyTooLarge(limit: limit)
      return .cancelled
    }
    switch unsafe pipe?.offer(bytes) {
    case nil: unsafe buffer.append(contentsOf: bytes)
    case .taken: break
    case .full:
      if pausedAt == nil { pausedAt = shared.now }
      deadlines.paused()
      return .full
    case .cancelled:
      failure = cancellation(.task)
      return .cancelled
    }
    decodedBytes = total
    return .taken
  }

  private var bodyLimit: Int64? {
    switch plan.options.delivery {
    case .buffered(let limit): Int64(limit)
    case .streamed: plan.options.streamLimit
    }
  }

  // MARK: Faults

  /// The error of a coded body that ended early.
  var truncation: NetworkError {
    violation("ended its body within the \(codingName) coding; what was received is only a part.")
  }

  private var codingName: String { decoding?.coding.name ?? "content" }

  private func reject(_ words: String) -> Bool {
    failure = violation(words)
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
