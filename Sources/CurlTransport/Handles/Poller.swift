import CCurlShims

/// Owner of one poller, the set of sockets that a multi handle waits for.
///
/// libcurl reports every socket that it closes, so the poller must outlive all connections: the multi handle
/// and each stock of connections retain it.
@safe
final class Poller {
  let pointer: OpaquePointer

  /// Creates the poller of a multi handle; nil without memory or file descriptors.
  init?(multi: UnsafeMutableRawPointer) {
    guard let pointer = unsafe switchyard_poller_new(multi) else { return nil }
    unsafe self.pointer = pointer
  }

  deinit { unsafe switchyard_poller_free(pointer) }

  /// The number of open sockets of the watched handles.
  var openCount: Int { unsafe Int(switchyard_poller_open_count(pointer)) }

  func watch(_ handle: ReusableHandle) {
    _ = unsafe switchyard_poller_watch(pointer, handle.easy.pointer, handle.state)
  }

  /// Marks the connection of a handle whose HTTP/1.1 response is complete as idle.
  ///
  /// If bytes come over an idle connection, it is never used again: they would be read as the next response.
  /// A connection is not known, and not watched, if libcurl never had to wait for the response.
  func rest(_ handle: ReusableHandle) { unsafe switchyard_poller_rest(pointer, handle.state) }

  /// Makes the connection of a handle, which carries nothing else, end at once when it is closed.
  func cut(_ handle: ReusableHandle) { unsafe switchyard_poller_cut(pointer, handle.state) }
}
