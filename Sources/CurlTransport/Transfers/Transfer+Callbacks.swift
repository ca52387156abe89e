import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

// What libcurl calls while it runs. Nothing here calls user code, waits or allocates more than the answer
// needs.
extension HandlePool.Member {
  /// Tells libcurl whom to call; it holds for every transfer of the handle.
  func setCallbacks() {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe switchyard_easy_set_pointer(handle.pointer, CURLOPT_PRIVATE, state)
    _ = unsafe switchyard_easy_set_head(handle.pointer, lines)
    _ = unsafe switchyard_easy_set_write(
      handle.pointer,
      { bytes, size, count, context in
        unsafe Transfer.from(context)?.receiveBody(Transfer.buffer(bytes, size * count)) ?? 0
      }, context)
    _ = unsafe switchyard_easy_set_ready(
      handle.pointer,
      { context, _, _, _, port in
        let goesOn = unsafe Transfer.from(context)?.depart(over: Int(port)) ?? false
        return goesOn ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      }, context)
    _ = unsafe switchyard_easy_set_read(
      handle.pointer,
      { bytes, size, count, context in
        let target = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return unsafe Transfer.from(context)?.send(into: target) ?? Int(CURL_READFUNC_ABORT)
      }, context)
    _ = unsafe switchyard_easy_set_seek(
      handle.pointer,
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
      generation: 0, rested: -1, rest: 0)
  }

  /// A gatherer that hands the lines of a member's answers to its transfer.
  static func gatherer(_ member: UnsafeMutableRawPointer) -> switchyard_head_gatherer {
    unsafe switchyard_head_gatherer(
      owner: member,
      on_lines: { bytes, count, member in
        let lines = unsafe UnsafeBufferPointer(start: bytes, count: count)
        return unsafe Transfer.from(member)?.receiveLines(lines) ?? false ? 1 : 0
      },
      on_receipt: { member in unsafe Transfer.from(member)?.noteReceipt() }, rounds: nil, told: 0,
      limit: HeadParser.limit, bytes: nil, count: 0, capacity: 0, passes: 0)
  }

  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<HandlePool.Member>.fromOpaque(context).takeUnretainedValue().transfer
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
    deadlines.connects(at: board.now)
    board.setAlarm(deadlines.next)
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
    deadlines.connected(at: board.now, hasBody: plan.hasBytes)
    board.setAlarm(deadlines.next)
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
      deadlines.sentAll(at: board.now)
      board.setAlarm(deadlines.next)
    } else {
      deadlines.sent(at: board.now)
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

  /// Takes a head to its empty line, a line after the head, or as many lines as could be held; false ends the
  /// transfer.
  fileprivate func receiveLines(_ lines: UnsafeBufferPointer<UInt8>) -> Bool {
    let lines = unsafe lines.span
    let isFirst = parser == nil && known == nil
    if isFirst, let entry = board.heads.entry(of: lines) {
      known = entry
      unsafe member.lines.pointee.passes = 1
      return accept(entry.version, entry.framing)
    }
    var parser = parser ?? known?.parser ?? HeadParser()
    self.parser = nil
    defer { self.parser = parser }
    var start = 0
    while start < lines.count {
      var end = start
      while end < lines.count, lines[end] != UInt8(ascii: "\n") { end += 1 }
      end = min(end + 1, lines.count)
      switch parser.consume(lines.extracting(start..<end), board.fields) {
      case .none: start = end
      case .head(let head, let version):
        unsafe member.lines.pointee.passes = 1
        if isFirst { board.heads.keep(head, version, parser: parser, of: lines) }
        ownHead = head
        return accept(version, parser.framing)
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
    return true
  }

  // All lines of one round came at the same time.
  fileprivate func noteReceipt() {
    guard receivedAt != board.now else { return }
    // The caller's processor wrote it last. libcurl reads the head meanwhile.
    if version == nil {
      submission.fetch()
      room.fetch()
    }
    receivedAt = board.now
    deadlines.received(at: board.now)
  }

  private func accept(_ version: TransportReport.HTTPVersion, _ framing: HeadParser.Framing) -> Bool {
    self.version = version
    // What is learnt is learnt once, and those that share connections have not asked yet.
    if isolation != .ownConnection { board.learn(plan.origin, isMultiplexed: version == .http2) }
    board.setAlarm(deadlines.next)
    let hasBody = !plan.expectsNoContent && framing.statusCode != 204 && framing.statusCode != 304
    if !framing.isPlain, let head, let fault = AnswerFraming.fault(in: head.headerFields, hasBody: hasBody) {
      failure = violation(fault)
      return false
    }
    var length = framing.contentLength
    if hasBody, plan.acceptedCodings != nil, framing.hasContentCoding, var head,
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
      head.headerFields[.contentEncoding] = nil
      head.headerFields[.contentLength] = nil
      length = nil
      // Trailers may follow.
      if let known { parser = known.parser }
      (known, ownHead) = (nil, head)
    }
    guard hasBody else { return true }
    if let length, let limit = bodyLimit, length > limit {
      failure = .bodyTooLarge(limit: limit)
      return false
    }
    switch plan.options.delivery {
    case .streamed: answer(streaming: length)
    case .buffered:
      var response = submission.takeBlank()
      var room = response?.takeRoom() ?? []
      let expected = Int(min(length ?? Int64(room.capacity), 1 << 20))
      // Whoever keeps a short answer must not keep room for a long one.
      if room.capacity > 2 * expected + 64 { room = [] }
      room.reserveCapacity(expected)
      blank = response
      buffer = room
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
      // Taken out meanwhile, so that no access to it lasts.
      var gathered: [UInt8] = []
      swap(&gathered, &buffer)
      unsafe gathered.append(contentsOf: bytes)
      swap(&gathered, &buffer)
    }
    decodedBytes = total
    return .taken
  }

  func violation(_ words: String) -> NetworkError {
    NetworkError(
      .protocolViolation, "\(plan.origin) \(words)", requestMayHaveBeenProcessed: true)
  }
}
