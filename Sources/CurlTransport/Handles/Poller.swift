import CCurlShims

/// Owner of one poller: the set of sockets that a multi handle waits for.
///
/// libcurl tells it of every socket that closes, so it lives as long as any connection: the multi handle
/// holds it, and so does each stock of connections, which may close some after the multi handle is gone.
///
/// A kept HTTP/1.1 connection over which bytes come while no request is under way is never used again: they
/// would be read as the next answer. It cannot watch one whose last answer was there before libcurl had to
/// wait.
@safe
final class Poller {
  let pointer: OpaquePointer

  /// Makes the poller of a multi handle; nil when there is no memory or no descriptor left.
  init?(multi: UnsafeMutableRawPointer) {
    guard let pointer = unsafe switchyard_poller_new(multi) else { return nil }
    unsafe self.pointer = pointer
  }

  deinit { unsafe switchyard_poller_free(pointer) }

  /// Makes a new handle report its sockets.
  func watch(_ handle: ReusableHandle) {
    _ = unsafe switchyard_poller_watch(pointer, handle.easy.pointer, handle.state)
  }

  /// Notes that no request is under way on the connection of a handle, whose HTTP/1.1 answer is complete.
  ///
  /// Where libcurl never waited for the answer, it told of no socket, and nothing is noted.
  func rest(_ handle: ReusableHandle) { unsafe switchyard_poller_rest(pointer, handle.state) }

  /// Makes the connection of a handle, which carries nothing else, end at once when it is closed.
  func cut(_ handle: ReusableHandle) { unsafe switchyard_poller_cut(pointer, handle.state) }
}
