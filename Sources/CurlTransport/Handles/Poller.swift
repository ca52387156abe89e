import CCurlShims

/// Owner of one poller: the set of sockets that a multi handle waits for.
///
/// libcurl tells it of every socket that closes, so it lives as long as any connection: the multi handle holds it,
/// and so does each stock of connections, which may close some after the multi handle is gone.
@safe
final class Poller {
  let pointer: OpaquePointer

  /// Makes the poller of a multi handle; nil when there is no memory or no descriptor left.
  init?(multi: UnsafeMutableRawPointer) {
    guard let pointer = unsafe switchyard_poller_new(multi) else { return nil }
    unsafe self.pointer = pointer
  }

  deinit { unsafe switchyard_poller_free(pointer) }
}
