import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

// The request's side: how it leaves, and its body.
extension Transfer {
  /// libcurl opens a connection, perhaps because an idle one turned out dead.
  func connect() {
    withdraw()
    outgoing.openConnection()
    deadlines.connects(at: shared.now)
    shared.setAlarm(deadlines.next)
  }

  /// The connection is ready; returns the result for libcurl.
  func depart(over port: Int) -> CInt {
    guard claimConnection() else { return CURL_PREREQFUNC_ABORT }
    if plan.onlyConnects { return endConnected() }
    guard maySend() else { return CURL_PREREQFUNC_ABORT }
    let previous = sharedPort
    isOnNewConnection = outgoing.hasNewConnection
    if case .attempt = http3 { isOverHTTP3 = handle.easy.hasNegotiatedHTTP3 }
    let refusal = StreamRefusal(
      over: handle, to: plan.origin, isNewConnection: isOnNewConnection,
      logsHTTP3: isOverHTTP3 && StreamRefusal.readsTexts(of: plan, http3, by: library), library: library)
    outgoing.depart(over: port, refusal)
    if let sharedPort { shared.recordDeparture(id, from: previous, to: sharedPort) }
    checkPin()
    deadlines.connected(at: shared.now, hasBody: plan.hasBytes)
    shared.setAlarm(deadlines.next)
    if plan.hasBytes, sharedPort != nil, plan.origin.hasPriorKnowledge || handle.easy.hasNegotiatedHTTP2 {
      blockage.depart(at: shared.now)
      shared.setAlarm(blockage.alarm)
    } else {
      blockage.end()
    }
    return CURL_PREREQFUNC_OK
  }

  /// Records that libcurl sends the request again, or that it ended without a response; returns whether the
  /// server has refused it before it processed it.
  @discardableResult
  func withdraw() -> Bool {
    guard outgoing.isSent else { return false }
    outgoing.withdraw(wasRefused: outgoing.refusal.isMeant(by: handle.easy))
    if StreamRefusal.isSilentOtherwise(library), !isOnNewConnection { handle.mayRepeatRefusal = true }
    return outgoing.wasRefused
  }

  /// Whether the request may be sent, or sent again; false after storing why not.
  ///
  /// libcurl sends again if an idle connection turns out dead. Only the caller may decide that for a POST
  /// (RFC 9110, section 9.2.2), or for a request that must be sent once. It also sends again if the server
  /// has refused the stream, which is safe for every request: the first ones on a connection are sent before
  /// the server has stated how many it takes. After several refusals the next attempt needs a pause. libcurl
  /// before 8 may have taken bytes of the content without going back.
  private func maySend() -> Bool {
    guard phase.fault == nil else { return false }
    withdraw()
    guard outgoing.hasDeparted else { return true }
    if outgoing.wasRefused {
      guard outgoing.refusals >= OutgoingRequest.maximumRefusals || plan.isSentOnce else { return rewind() }
      phase.stop(.refused(by: plan.origin, outgoing))
    } else if isOverHTTP3 {
      // libcurl sends a stream again that the server has rejected, up to six times and without a pause.
      guard !plan.mayBeResent || outgoing.departures > 1 else { return rewind() }
      phase.stop(
        NetworkError(
          .transport,
          "\(plan.origin) ended the stream, or the connection, of HTTP/3 before its answer began; \(plan.exchange.method.rawValue) is "
            + "not sent again automatically.", requestMayHaveBeenProcessed: true))
    } else {
      guard !plan.mayBeResent else { return rewind() }
      phase.stop(
        NetworkError(
          .transport,
          "\(plan.origin) closed a reused connection while \(plan.exchange.method.rawValue) was sent; the server may "
            + "have processed it, so it is not sent again automatically.", requestMayHaveBeenProcessed: true))
    }
    return false
  }

  /// Goes back to the beginning of the content; false after storing why that is not possible.
  private func rewind() -> Bool {
    guard outgoing.sentBytes > 0 else { return true }
    if case .streamed = plan.content, !restartUpload() {
      phase.stop(.unrepeatable(to: plan.origin, outgoing))
      return false
    }
    outgoing.rewind(to: 0)
    return true
  }

  /// Ends a transfer that only connects; libcurl keeps its connection if TLS has chosen HTTP/2 for it.
  private func endConnected() -> CInt {
    if handle.easy.hasNegotiatedHTTP2 || handle.easy.hasNegotiatedHTTP3 {
      checkPin()
      shared.learn(plan.origin, isMultiplexed: true)
      phase.stop(.connected(to: plan.origin))
    } else {
      phase.stop(.keepsNoConnection(to: plan.origin))
    }
    return CURL_PREREQFUNC_ABORT
  }

  /// Whether the request may be sent: false if another entry of its race was connected first.
  private func claimConnection() -> Bool {
    guard let entry = plan.raceEntry, !outgoing.hasDeparted else { return true }
    guard entry.claim() else {
      phase.stop(.overtaken(origin: plan.origin))
      return false
    }
    // Only now is it certain that this entry needs the body, which may be readable only once.
    _ = startUpload(submission.owner.mailbox)
    return true
  }

  /// Copies the next bytes of the body into `target`; returns their number, which is 0 at the end.
  func send(into target: UnsafeMutableRawBufferPointer) -> Int {
    let count: Int
    switch plan.content {
    case .none, .empty: count = 0
    case .bytes(let bytes):
      count = min(bytes.count - outgoing.sentBytes, target.count)
      let range = outgoing.sentBytes..<(outgoing.sentBytes + count)
      unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: .init(rebasing: $0[range])) }
    case .streamed:
      guard let filled = upload.map({ unsafe $0.queue.fill(target) }) ?? 0 else {
        outgoing.starve()
        deadlines.starved()
        return Int(CURL_READFUNC_PAUSE)
      }
      count = filled
    }
    outgoing.send(count, of: plan.exchange.contentLength)
    let isProgress = blockage.advance(at: shared.now)
    shared.setAlarm(blockage.alarm)
    if outgoing.content == .complete {
      deadlines.sentAll(at: shared.now)
      shared.setAlarm(deadlines.next)
    } else if isProgress {
      deadlines.sent(at: shared.now)
    }
    return count
  }

  /// Goes back in the body, which libcurl sends again; returns the result for libcurl.
  func seek(to offset: Int64, from origin: CInt) -> CInt {
    // After a refused expectation libcurl rewinds to send the request again, which it then may not.
    if let head = phase.response?.head, isRefusedExpectation(head) { return CURL_SEEKFUNC_OK }
    guard origin == SEEK_SET, offset >= 0, offset <= Int64(outgoing.sentBytes) else {
      return CURL_SEEKFUNC_FAIL
    }
    // libcurl goes back only to send all of it again.
    withdraw()
    if offset == 0 { return rewind() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL }
    guard offset == Int64(outgoing.sentBytes) else { return CURL_SEEKFUNC_FAIL }
    return CURL_SEEKFUNC_OK
  }
}

extension NetworkError {
  /// A server that has refused a request before it processed it.
  static func refused(
    by origin: WebOrigin, _ outgoing: OutgoingRequest, underlying: CurlError? = nil
  ) -> NetworkError {
    NetworkError(
      .transport,
      "\(origin) refused the request\(outgoing.refusals > 1 ? " \(outgoing.refusals) times" : "") before it processed it, by the reset of its "
        + "stream or by GOAWAY; it is busy or about to close. Send the request again after a pause.",
      requestMayHaveBeenProcessed: outgoing.mayHaveBeenProcessed, underlying: underlying)
  }

  /// A streamed body that libcurl needs again, after a part of it was read.
  fileprivate static func unrepeatable(to origin: WebOrigin, _ outgoing: OutgoingRequest) -> NetworkError {
    let event =
      outgoing.mayHaveBeenProcessed
      ? "\(origin) closed the connection" : "\(origin) refused the request before it processed it,"
    return NetworkError(
      .bodyNotReplayable,
      "\(event) after a part of the streamed body was sent, which cannot be read again; send the request again with "
        + "a new body, or give the body as bytes, a file or a restartable source.",
      requestMayHaveBeenProcessed: outgoing.mayHaveBeenProcessed)
  }
}
