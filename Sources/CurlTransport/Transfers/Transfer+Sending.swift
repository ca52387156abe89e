import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

// The request's side: how it leaves, and its body.
extension Transfer {
  /// libcurl opens a connection, perhaps because an idle one turned out dead.
  func connect() {
    deadlines.connects(at: shared.now)
    shared.setAlarm(deadlines.next)
  }

  /// The connection is ready; returns the result for libcurl.
  func depart(over port: Int) -> CInt {
    guard claimConnection() else { return CURL_PREREQFUNC_ABORT }
    if plan.onlyConnects { return endConnected() }
    let previous = sharedPort
    outgoing.depart(over: port)
    if let sharedPort { shared.recordDeparture(id, from: previous, to: sharedPort) }
    // libcurl sends again if an idle connection turns out dead. Only the caller may decide that for a POST
    // (RFC 9110, section 9.2.2), or for a request that must be sent once.
    guard outgoing.departures == 1 || plan.mayBeResent else {
      phase.stop(
        NetworkError(
          .transport,
          "\(plan.origin) closed a reused connection while \(plan.exchange.method.rawValue) was sent; the server may "
            + "have processed it, so it is not sent again automatically.", requestMayHaveBeenProcessed: true))
      return CURL_PREREQFUNC_ABORT
    }
    checkPin()
    deadlines.connected(at: shared.now, hasBody: plan.hasBytes)
    shared.setAlarm(deadlines.next)
    return CURL_PREREQFUNC_OK
  }

  /// Ends a transfer that only connects; libcurl keeps its connection if TLS has chosen HTTP/2 for it.
  private func endConnected() -> CInt {
    if handle.easy.hasNegotiatedHTTP2 {
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
    if outgoing.content == .complete {
      deadlines.sentAll(at: shared.now)
      shared.setAlarm(deadlines.next)
    } else {
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
    if case .streamed = plan.content, offset != Int64(outgoing.sentBytes) {
      phase.stop(
        NetworkError(
          .bodyNotReplayable,
          "\(plan.origin) closed the connection after a part of the streamed body was sent, which cannot be read "
            + "again; send the request again, or give the body as bytes.", requestMayHaveBeenProcessed: true))
      return CURL_SEEKFUNC_FAIL
    }
    outgoing.rewind(to: Int(offset))
    return CURL_SEEKFUNC_OK
  }
}
