import CCurlShims
import CLibcurl

/// The connections, looked-up names and TLS sessions of one network: transfers that hold the same stock share
/// them.
///
/// When the network changes, a new stock takes its place; the old one, with its idle connections, goes with
/// the last transfer that runs on it. It never leaves its loop's thread.
@safe
final class ConnectionStock {
  let pointer: UnsafeMutableRawPointer
  /// Watches the sockets, also while the stock closes them.
  let poller: Poller

  /// Makes an empty stock; nil when there is no memory.
  init?(_ poller: Poller) {
    guard let pointer = unsafe switchyard_share_new() else { return nil }
    unsafe self.pointer = pointer
    self.poller = poller
  }

  deinit { _ = unsafe curl_share_cleanup(pointer) }
}
