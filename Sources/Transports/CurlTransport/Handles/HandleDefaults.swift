import CCurlShims
import CLibcurl

/// The options that are the same for every transfer of a dispatcher, set once when a handle is created.
struct HandleDefaults {
  let configuration: CurlDispatcher.Configuration
  let receiveBuffer: ReceiveBuffer
  var library = LoadedLibrary.loaded()

  func apply(to handle: EasyHandle) throws(CurlError) {
    try Self.applySafety(to: handle)
    // libcurl does not send a request again without its expectation of 100 after a 417.
    try handle.set(CURLOPT_MAXREDIRS, 0)
    try handle.set(CURLOPT_BUFFERSIZE, receiveBuffer.size)
    // Bodies are delivered as they were sent; an interceptor decodes them.
    try handle.set(CURLOPT_HTTP_CONTENT_DECODING, false)
    // The proxy's response to CONNECT is not the server's head.
    try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    try Self.apply(configuration.tls, to: handle)
    try Self.apply(configuration.connections, to: handle, library: library)
  }

  /// Restricts libcurl to http and https, and to what requests state.
  static func applySafety(to handle: EasyHandle) throws(CurlError) {
    // Signals belong to the process; the loop's thread blocks SIGPIPE itself.
    try handle.set(CURLOPT_NOSIGNAL, true)
    try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
    try handle.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    try handle.set(CURLOPT_FOLLOWLOCATION, false)
    try handle.set(CURLOPT_PATH_AS_IS, true)
    // http_proxy and no_proxy of the environment must not decide where requests go.
    try handle.set(CURLOPT_PROXY, "")
    try handle.set(CURLOPT_NOPROXY, "")
    // Only the policy's credentials, never a Kerberos ticket.
    try handle.set(CURLOPT_SOCKS5_AUTH, switchyard_auth_basic)
    // Otherwise a cancelled name lookup blocks every other transfer until it ends.
    try handle.set(CURLOPT_QUICK_EXIT, true)
  }

  private static func apply(_ tls: TLSPolicy, to handle: EasyHandle) throws(CurlError) {
    try handle.set(CURLOPT_SSL_VERIFYPEER, true)
    try handle.set(CURLOPT_SSL_VERIFYHOST, 2)
    try handle.set(CURLOPT_SSLVERSION, tls.minimumVersionOption)
    try handle.set(CURLOPT_PROXY_SSL_VERIFYPEER, true)
    try handle.set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
    try handle.set(CURLOPT_PROXY_SSLVERSION, tls.minimumVersionOption)
    if let path = tls.authorityFile {
      try handle.set(CURLOPT_CAINFO, path)
      try handle.set(CURLOPT_PROXY_CAINFO, path)
      // Otherwise the system's directory of authorities would be trusted as well.
      try handle.set(CURLOPT_CAPATH, nil)
      try handle.set(CURLOPT_PROXY_CAPATH, nil)
    } else {
      try SystemAuthorities.configure(handle)
    }
    if tls.requiresStapling {
      try handle.set(CURLOPT_SSL_VERIFYSTATUS, true)
      try StapledHandshake.configure(handle)
    }
  }

  static func apply(
    _ policy: ConnectionPolicy, to handle: EasyHandle, library: LoadedLibrary
  ) throws(CurlError) {
    try handle.set(CURLOPT_MAXAGE_CONN, ZeroIdleTime.seconds(of: policy.idle, for: library))
    if let lifetime = policy.lifetime { try handle.set(CURLOPT_MAXLIFETIME_CONN, lifetime.seconds) }
    let headStart = min(policy.headStart.wholeMilliseconds, Int(Int32.max))
    try handle.set(CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, headStart)
    guard let probe = policy.probe?.seconds else { return }
    try handle.set(CURLOPT_TCP_KEEPALIVE, true)
    try handle.set(CURLOPT_TCP_KEEPIDLE, probe)
    try handle.set(CURLOPT_TCP_KEEPINTVL, probe)
  }
}

extension TLSPolicy {
  fileprivate var minimumVersionOption: Int {
    Int(requiresVersion13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2)
  }
}

extension Duration {
  /// The whole seconds, at most the maximum of libcurl's type.
  var seconds: Int { Int(clamping: min(components.seconds, Int64(Int32.max))) }

  /// The time in milliseconds, rounded up.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let milliseconds = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1000)
    return overflows ? Int.max : Int(whole) + Int(milliseconds)
  }
}

/// The size of the buffer that libcurl receives into, for each transfer.
///
/// 1 MiB over HTTP/1.1 takes less than half the time with 128 KiB than with libcurl's default of 16 KiB. A
/// response touches only the part of the buffer that it fills.
struct ReceiveBuffer {
  let size: Int

  /// The buffer of a transfer with its own connection: more than libcurl reads at a time, so that no bytes
  /// are left.
  static let alone = ReceiveBuffer(transfers: 1)

  /// The buffer of a transfer that receives nothing through libcurl's callbacks.
  static let minimal = ReceiveBuffer(transfers: .max)

  /// Divides 32 MiB by the maximum number of transfers.
  init(transfers: Int) { size = min(max((32 << 20) / max(transfers, 1), 16 << 10), 128 << 10) }
}
