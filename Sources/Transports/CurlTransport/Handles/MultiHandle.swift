import CCurlShims
import CLibcurl

/// Owner of one `CURLM *`: many transfers on one thread.
@safe
struct MultiHandle: ~Copyable {
  private let pointer: UnsafeMutableRawPointer
  let poller: Poller

  /// Creates a handle that multiplexes; nil without memory.
  init?(streams: Int, keptConnections: Int) {
    guard let pointer = unsafe switchyard_multi_new() else { return nil }
    guard let poller = unsafe Poller(multi: pointer) else {
      unsafe curl_multi_cleanup(pointer)
      return nil
    }
    unsafe self.pointer = pointer
    self.poller = poller
    _ = unsafe switchyard_multi_set_long(pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    _ = unsafe switchyard_multi_set_long(pointer, CURLMOPT_MAX_CONCURRENT_STREAMS, streams)
    _ = unsafe switchyard_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, keptConnections)
  }

  // libcurl closes its connections, and reports that to the poller.
  deinit { unsafe curl_multi_cleanup(pointer) }

  /// What wakes the thread that blocks in ``wait(milliseconds:)``.
  var waker: Waker { unsafe Waker(poller: poller.pointer) }

  func add(_ easy: EasyHandle) throws(CurlError) {
    let code = unsafe curl_multi_add_handle(pointer, easy.pointer)
    guard code != CURLM_OK else { return }
    throw CurlError(code: Int(code.rawValue), summary: unsafe String(cString: curl_multi_strerror(code)))
  }

  /// Removes a transfer; one that has not finished is aborted.
  func remove(_ easy: EasyHandle) { _ = unsafe curl_multi_remove_handle(pointer, easy.pointer) }

  /// Advances every transfer that can, by the result of the last ``wait(milliseconds:)`` and by the time.
  ///
  /// - Parameter carriesRequest: Whether a transfer runs on a connection from a local port. It is called for
  ///   connections that are marked as idle and have received bytes; the others of them are closed.
  func advance(carriesRequest: (_ port: Int) -> Bool) {
    guard unsafe switchyard_poller_advance(poller.pointer) > 0 else { return }
    while true {
      let port = unsafe switchyard_poller_next_suspect(poller.pointer)
      guard port >= 0 else { break }
      unsafe switchyard_poller_judge(poller.pointer, carriesRequest(Int(port)) ? 1 : 0)
    }
    unsafe switchyard_poller_expire(poller.pointer)
  }

  /// Blocks until the network or libcurl's timer has news, a waker is used or the time is over; returns
  /// whether the network or a waker ended it.
  @discardableResult
  func wait(milliseconds: Int) -> Bool {
    unsafe switchyard_poller_wait(poller.pointer, CInt(clamping: milliseconds)) > 0
  }

  /// Takes the next finished transfer: its handle's context and its result.
  func nextFinished() -> (context: UnsafeMutableRawPointer, code: CURLcode)? {
    var context: UnsafeMutableRawPointer?
    var code = CURLE_OK
    guard unsafe switchyard_multi_next_finished(pointer, &context, &code) != 0, let context = unsafe context
    else { return nil }
    return unsafe (context, code)
  }
}

/// Wakes the thread that blocks on a multi handle; it must not be used once the handle is gone.
@safe
// Waking is the one function of a poller that any thread may call; the mailbox releases the waker in time.
struct Waker: @unchecked Sendable {
  fileprivate let poller: OpaquePointer

  func wake() { unsafe switchyard_poller_wake(poller) }
}

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

  /// Reports the events of a handle's own connection to its transfer; false without memory.
  func follow(_ handle: ReusableHandle, socket: CInt, reading: Bool, writing: Bool) -> Bool {
    let events = (reading ? CURL_POLL_IN : CURL_POLL_NONE) | (writing ? CURL_POLL_OUT : CURL_POLL_NONE)
    return unsafe switchyard_poller_follow(pointer, handle.state, socket, CInt(events)) != 0
  }

  /// Ends that, before the handle's removal.
  func unfollow(socket: CInt) { unsafe switchyard_poller_unfollow(pointer, socket) }

  /// Makes the connection of a handle, which carries nothing else, end at once when it is closed.
  func cut(_ handle: ReusableHandle) { unsafe switchyard_poller_cut(pointer, handle.state) }
}

/// The connections, resolved names and TLS sessions that transfers share.
///
/// When the network changes, a new stock replaces it; the old one is released with the last transfer that
/// uses it. It never leaves its loop's thread.
@safe
final class ConnectionStock {
  let pointer: UnsafeMutableRawPointer
  /// Watches the sockets, also while the stock closes them.
  let poller: Poller

  init?(_ poller: Poller) {
    guard let pointer = unsafe switchyard_share_new() else { return nil }
    unsafe self.pointer = pointer
    self.poller = poller
  }

  deinit { _ = unsafe curl_share_cleanup(pointer) }
}
