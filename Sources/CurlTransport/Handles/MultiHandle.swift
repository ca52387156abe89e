import CCurlShims
import CLibcurl

/// Owner of one `CURLM *`: many transfers on one thread, with their connections, names and TLS sessions.
@safe
struct MultiHandle: ~Copyable {
  private let pointer: UnsafeMutableRawPointer

  /// Makes a handle that multiplexes; nil when there is no memory.
  init?(streams: Int, keptConnections: Int) {
    guard let pointer = unsafe curl_multi_init() else { return nil }
    unsafe self.pointer = pointer
    _ = unsafe switchyard_multi_set_long(pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    _ = unsafe switchyard_multi_set_long(pointer, CURLMOPT_MAX_CONCURRENT_STREAMS, streams)
    _ = unsafe switchyard_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, keptConnections)
  }

  deinit { unsafe curl_multi_cleanup(pointer) }

  /// What wakes the thread that waits in ``wait(milliseconds:)``.
  var waker: Waker { unsafe Waker(pointer: pointer) }

  func add(_ easy: borrowing EasyHandle) throws(CurlError) {
    let code = unsafe curl_multi_add_handle(pointer, easy.pointer)
    guard code != CURLM_OK else { return }
    throw CurlError(code: Int(code.rawValue), summary: unsafe String(cString: curl_multi_strerror(code)))
  }

  /// Takes a transfer out; one that is not over is cut off.
  func remove(_ easy: borrowing EasyHandle) {
    _ = unsafe curl_multi_remove_handle(pointer, easy.pointer)
  }

  /// Moves every transfer on as far as it goes without waiting.
  func perform() {
    var running: CInt = 0
    _ = unsafe curl_multi_perform(pointer, &running)
  }

  /// Waits for the network, for libcurl's own timers, for a waker, or until the time is over.
  func wait(milliseconds: Int) {
    _ = unsafe curl_multi_poll(pointer, nil, 0, CInt(clamping: milliseconds), nil)
  }

  /// Takes the next finished transfer: the context it was given and its result.
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
// curl_multi_wakeup is the one function of a multi handle that any thread may call; the mailbox lets go in time.
struct Waker: @unchecked Sendable {
  fileprivate let pointer: UnsafeMutableRawPointer

  func wake() { _ = unsafe curl_multi_wakeup(pointer) }
}
