import CCurlShims
import CLibcurl

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
