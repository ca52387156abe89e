import CCurlShims

/// Owner of one poller: the set of sockets that a multi handle waits for.
///
/// libcurl tells it of every socket that closes, so it lives as long as any connection: the multi handle holds it,
/// and so does each stock of connections, which may close some after the multi handle is gone.
///
/// A kept HTTP/1.1 connection over which bytes come while no request is under way is never used again: they
/// would be read as the next answer. It cannot watch one whose last answer was there before libcurl had to wait.
@safe
final class Poller {
  let pointer: OpaquePointer

  /// Makes the poller of a multi handle; nil when there is no memory or no descriptor left.
  init?(multi: UnsafeMutableRawPointer) {
    guard let pointer = unsafe switchyard_poller_new(multi) else { return nil }
    unsafe self.pointer = pointer
  }

  deinit { unsafe switchyard_poller_free(pointer) }

  /// Makes a handle tell of its sockets; once, and again after it was reset.
  func watch(_ member: HandlePool.Member) {
    _ = unsafe switchyard_poller_watch(pointer, member.handle.pointer, member.state)
  }

  /// Where the waits so far are counted; it lives as long as the poller.
  var rounds: UnsafePointer<UInt64> { unsafe switchyard_poller_rounds(pointer) }

  /// Notes that no request is under way on the connection of a handle, whose HTTP/1.1 answer is complete.
  ///
  /// Where libcurl never waited for the answer, it told of no socket, and nothing is noted.
  func rest(_ member: HandlePool.Member) { unsafe switchyard_poller_rest(pointer, member.state) }

  /// Whether the connection still rests that a handle's last request left so; asked again, the answer is no.
  ///
  /// No two handles hear yes for one rest, but another one may use the connection before, and it may be found closed.
  /// Where it is not known, such as over HTTP/2, the answer is no.
  func claimRest(_ member: HandlePool.Member) -> Bool {
    unsafe switchyard_poller_claim(pointer, member.state) != 0
  }

  /// Notes that the connection of a handle, whose answer is complete, carries several requests at a time.
  func share(_ member: HandlePool.Member) { unsafe switchyard_poller_share(pointer, member.state) }

  /// Makes the connection of a handle, which carries nothing else, end at once when it is closed.
  func cut(_ member: HandlePool.Member) { unsafe switchyard_poller_cut(pointer, member.state) }
}
