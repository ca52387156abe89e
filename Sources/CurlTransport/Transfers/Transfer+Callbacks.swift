import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

// What libcurl calls while it runs. Nothing here calls user code, waits or allocates more than the answer
// needs.
extension ReusableHandle {
  /// Tells libcurl whom to call; it holds for every transfer of the handle.
  func setCallbacks() {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe switchyard_easy_set_pointer(easy.pointer, CURLOPT_PRIVATE, state)
    _ = unsafe switchyard_easy_set_head(
      easy.pointer,
      { bytes, size, count, context in
        unsafe Transfer.from(context)?.receiveLine(Transfer.buffer(bytes, size * count)) ?? 0
      }, context)
    _ = unsafe switchyard_easy_set_write(
      easy.pointer,
      { bytes, size, count, context in
        unsafe Transfer.from(context)?.receiveBody(Transfer.buffer(bytes, size * count)) ?? 0
      }, context)
    _ = unsafe switchyard_easy_set_ready(
      easy.pointer,
      { context, _, _, _, port in
        let goesOn = unsafe Transfer.from(context)?.depart(over: Int(port)) ?? false
        return goesOn ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      }, context)
    _ = unsafe switchyard_easy_set_read(
      easy.pointer,
      { bytes, size, count, context in
        let target = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return unsafe Transfer.from(context)?.send(into: target) ?? Int(CURL_READFUNC_ABORT)
      }, context)
    _ = unsafe switchyard_easy_set_seek(
      easy.pointer,
      { context, offset, origin in
        let isDone = unsafe Transfer.from(context)?.seek(to: Int64(offset), from: origin) ?? false
        return isDone ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
      }, context)
  }
}

extension Transfer {
  /// A state whose poller tells a member's transfer of its sockets.
  static func state(_ member: UnsafeMutableRawPointer) -> switchyard_handle_state {
    unsafe switchyard_handle_state(
      owner: member, on_open: { member in unsafe Transfer.from(member)?.connect() }, poller: nil, socket: -1,
      generation: 0, open_error: 0)
  }

  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<ReusableHandle>.fromOpaque(context).takeUnretainedValue().transfer
  }

  fileprivate static func buffer(
    _ bytes: UnsafeMutablePointer<CChar>, _ count: Int
  ) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(
      start: UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self), count: count)
  }

  // MARK: The request

  /// A connection is opened, perhaps after a kept one turned out dead.
  fileprivate func connect() {
    deadlines.connects(at: shared.now)
    shared.setAlarm(deadlines.next)
  }

  /// The connection is ready; false stops the transfer.
  fileprivate func depart(over port: Int) -> Bool {
    departures += 1
    if plan.origin.scheme == .https, isolation != .ownConnection { noteDeparture(over: port) }
    // libcurl sends again when a kept connection turns out dead. Only the caller may decide that for a POST
    // (RFC 9110, section 9.2.2).
    guard departures == 1 || plan.isIdempotent else {
      failure = NetworkError(
        .transport,
        "\(plan.origin) closed a kept connection while \(plan.method.rawValue) was sent over it; whether it "
          + "acted is unknown, so it is not sent again by itself.",
        requestMayHaveBeenProcessed: true)
      return false
    }
    checkPin()
    deadlines.connected(at: shared.now, hasBody: plan.hasBytes)
    shared.setAlarm(deadlines.next)
    return true
  }

  fileprivate func send(into target: UnsafeMutableRawBufferPointer) -> Int {
    let count: Int
    switch plan.content {
    case .none, .empty: count = 0
    case .bytes(let bytes):
      count = min(bytes.count - sentBytes, target.count)
      let range = sentBytes..<(sentBytes + count)
      unsafe bytes.withUnsafeBytes {
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range]))
      }
    case .streamed:
      switch unsafe upload?.fill(target) ?? .ended {
      case .bytes(let filled): count = filled
      case .ended: count = 0
      case .starved:
        isSendPaused = true
        deadlines.starved()
        return Int(CURL_READFUNC_PAUSE)
      }
    }
    sentBytes += count
    if count == 0 || plan.contentLength == Int64(sentBytes) {
      hasSentAll = true
      deadlines.sentAll(at: shared.now)
      shared.setAlarm(deadlines.next)
    } else {
      deadlines.sent(at: shared.now)
    }
    return count
  }

  fileprivate func seek(to offset: Int64, from origin: CInt) -> Bool {
    guard origin == SEEK_SET, offset >= 0, offset <= Int64(sentBytes) else { return false }
    if case .streamed = plan.content, offset != Int64(sentBytes) {
      failure = NetworkError(
        .bodyNotReplayable,
        "\(plan.origin) closed the connection after a part of the streamed body was sent, and it cannot be "
          + "sent again from its start; send the request again, or give the body as bytes.",
        requestMayHaveBeenProcessed: true)
      return false
    }
    sentBytes = Int(offset)
    hasSentAll = false
    return true
  }

  // MARK: The answer

  /// Takes one line of a head or of the trailers; 0 ends the transfer.
  fileprivate func receiveLine(_ line: UnsafeBufferPointer<UInt8>) -> Int {
    noteReceipt()
    if head != nil {
      return unsafe parse(line.span) ? line.count : 0
    }
    unsafe handle.head.append(contentsOf: line)
    guard unsafe line.span.isBlankLine || handle.head.count > HeadParser.limit else { return line.count }
    return receiveHead() ? line.count : 0
  }

  /// Takes a head to its empty line, or as many lines as may be held; false ends the transfer.
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
      head = entry.head
      return accept(entry.head, entry.version)
    }
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      guard parse(bytes.span.extracting(start..<end), caching: isFirst ? bytes : nil) else { return false }
      start = end
    }
    return true
  }

  /// Parses one line of a head, which is cached once it is complete; false ends the transfer.
  private func parse(_ line: Span<UInt8>, caching bytes: [UInt8]? = nil) -> Bool {
    switch parser.consume(line) {
    case .none: return true
    case .head(let head, let version):
      if let bytes { shared.heads.insert(head, version, parser: parser, of: bytes) }
      self.head = head
      return accept(head, version)
    case .tooLarge:
      failure = violation(
        "sent more than \(HeadParser.limit) bytes of header fields, or folded them \(HeadParser.mostFolds) times; "
          + "the server must send fewer or shorter ones.")
      return false
    case .malformed:
      failure = violation("began its answer with a line that is no HTTP status line.")
      return false
    }
  }

  // All lines of one round came at the same time.
  fileprivate func noteReceipt() {
    guard receivedAt != shared.now else { return }
    receivedAt = shared.now
    deadlines.received(at: shared.now)
  }

  private func accept(_ head: HTTPResponse, _ version: TransportReport.HTTPVersion) -> Bool {
    let framing = parser.framing
    self.version = version
    if isRefusedByProxy(framing.statusCode) { return false }
    // What is learnt is learnt once, and those that share connections have not asked yet.
    if isolation != .ownConnection { shared.learn(plan.origin, isMultiplexed: version == .http2) }
    shared.setAlarm(deadlines.next)
    let hasBody = !plan.expectsNoContent && framing.statusCode != 204 && framing.statusCode != 304
    if !framing.isPlain, let fault = AnswerFraming.fault(in: head.headerFields, hasBody: hasBody) {
      failure = violation(fault)
      return false
    }
    var length = framing.contentLength
    if hasBody, plan.acceptedCodings != nil, framing.hasContentCoding,
      let coding = head.headerFields[.contentEncoding], coding.lowercased() != "identity"
    {
      contentCoding = ContentCoding(coding)
      guard let decoding = ContentDecoding(coding) else {
        failure = violation(
          "sent a body in the content coding \"\(RequestTarget.printable(coding))\", which was not asked for; ask for "
            + "none to see it as it is.")
        return false
      }
      self.decoding = decoding
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
    case .buffered:
      buffer.reserveCapacity(Int(min(length ?? 0, 1 << 20)))
    }
    return true
  }

  private var bodyLimit: Int64? {
    switch plan.options.delivery {
    case .buffered(let limit): Int64(limit)
    case .streamed: plan.options.streamLimit
    }
  }

  fileprivate func receiveBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    noteReceipt()
    if let decoding { return unsafe receiveCoded(bytes, decoding) }
    return switch unsafe deliver(bytes) {
    case .taken: bytes.count
    case .full: Int(CURL_WRITEFUNC_PAUSE)
    case .cancelled: 0
    }
  }

  /// Hands bytes of the decoded body on; where that fails, ``failure`` says why.
  func deliver(_ bytes: UnsafeBufferPointer<UInt8>) -> ResponsePipe.Offer {
    let total = decodedBytes + Int64(bytes.count)
    if let limit = bodyLimit, total > limit {
      failure = .bodyTooLarge(limit: limit)
      return .cancelled
    }
    if let pipe {
      switch unsafe pipe.offer(bytes) {
      case .taken: break
      case .full:
        isReceivePaused = true
        deadlines.paused()
        return .full
      case .cancelled:
        failure = cancellation(.task)
        return .cancelled
      }
    } else {
      unsafe buffer.append(contentsOf: bytes)
    }
    decodedBytes = total
    return .taken
  }

  func violation(_ words: String) -> NetworkError {
    NetworkError(
      .protocolViolation, "\(plan.origin) \(words)", requestMayHaveBeenProcessed: true)
  }
}

extension Span<UInt8> {
  /// Whether it is an empty line, with or without its line break.
  fileprivate var isBlankLine: Bool {
    isEmpty || self[0] == UInt8(ascii: "\n")
      || (self[0] == UInt8(ascii: "\r") && (count == 1 || self[1] == UInt8(ascii: "\n")))
  }
}
