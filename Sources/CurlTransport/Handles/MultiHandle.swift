import CCurlShims
import CLibcurl

/// Owner of one `CURLM *`: many transfers on one thread, with their connections, names and TLS sessions.
@safe
struct MultiHandle: ~Copyable {
  private let pointer: UnsafeMutableRawPointer
  /// Told of every socket, also of those that a stock of connections closes later.
  let poller: Poller

  /// Makes a handle that multiplexes; nil when there is no memory.
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

  deinit {
    // libcurl closes its own connections, and tells the poller so.
    unsafe curl_multi_cleanup(pointer)
  }

  /// What wakes the thread that waits in ``wait(milliseconds:)``.
  var waker: Waker { unsafe Waker(poller: poller.pointer) }

  func add(_ easy: EasyHandle) throws(CurlError) {
    let code = unsafe curl_multi_add_handle(pointer, easy.pointer)
    guard code != CURLM_OK else { return }
    throw CurlError(code: Int(code.rawValue), summary: unsafe String(cString: curl_multi_strerror(code)))
  }

  /// Takes a transfer out; one that is not over is cut off.
  func remove(_ easy: EasyHandle) {
    _ = unsafe curl_multi_remove_handle(pointer, easy.pointer)
  }

  /// Lets every transfer go on that can, by what the last ``wait(milliseconds:)`` found and by the time.
  func advance() { unsafe switchyard_poller_advance(poller.pointer) }

  /// Waits for the network, for libcurl's own timer, for a waker, or until the time is over; returns whether
  /// the network or a waker had news.
  @discardableResult
  func wait(milliseconds: Int) -> Bool {
    unsafe switchyard_poller_wait(poller.pointer, CInt(clamping: milliseconds)) > 0
  }

  /// Takes the next finished transfer: the context its handle was given, and its result.
  func nextFinished() -> (context: UnsafeMutableRawPointer, code: CURLcode)? {
    var context: UnsafeMutableRawPointer?
    var code = CURLE_OK
    guard unsafe switchyard_multi_next_finished(pointer, &context, &code) != 0 else { return nil }
    guard let context = unsafe context else { return nil }
    return unsafe (context, code)
  }
}

/// What wakes a thread that waits for a multi handle; it must not be used once the handle is gone.
@safe
// Waking is the one function of a poller that any thread may call; the mailbox lets go in time.
struct Waker: @unchecked Sendable {
  fileprivate let poller: OpaquePointer

  func wake() { unsafe switchyard_poller_wake(poller) }
}
