import CLibcurl

/// What libcurl is told about the origin of a transfer: its URL, the proxy on the way and the keys on both
/// sides.
struct OriginOptions: Equatable, Sendable {
  /// The certificate that this program shows to the origin.
  struct Identity: Equatable, Sendable {
    let certificateFile: String
    let keyFile: String
    let passphrase: String
  }

  /// Scheme and authority; the path is set apart, so that nothing rewrites it.
  let url: String
  private let isSecure: Bool
  /// The proxy that requests to the origin go through.
  let proxy: Proxy?
  private let tunnels: Bool
  /// The keys that the host is pinned to.
  let pins: PublicKeyPins.Entry?
  private let keepsCertificate: Bool
  private let identity: Identity?

  /// Works out the options of an origin from a dispatcher's configuration.
  init(_ origin: WebOrigin, authority: String, configuration: CurlDispatcher.Configuration) {
    let tls = configuration.tls
    url = "\(origin.scheme.rawValue)://\(authority)/"
    isSecure = origin.scheme == .https
    proxy = configuration.proxies.proxy(for: origin)
    tunnels = proxy.map { $0.kind != .socks5 && $0.tunnels(origin.scheme) } ?? false
    pins = isSecure ? tls.pins.entry(for: origin.host) : nil
    keepsCertificate = pins != nil && tls.onPinMismatch != nil
    identity =
      if isSecure, let certificate = tls.clientCertificate, certificate.isMeant(for: origin.host) {
        // Without a passphrase of ours OpenSSL would ask for one at the terminal and block the thread.
        Identity(
          certificateFile: certificate.certificateFile, keyFile: certificate.keyFile,
          passphrase: certificate.givenPassphrase ?? "")
      } else {
        nil
      }
  }

  /// Sets all of them, also those that have libcurl's default here.
  ///
  /// - Returns: The parsed URL, which libcurl reads until another one is set.
  func apply(to handle: EasyHandle) throws(CurlError) -> ParsedURL {
    let parsed = ParsedURL(url)
    try handle.setURL(parsed)
    try handle.set(CURLOPT_URL, url)
    // A second request waits for the first one's connection, which may carry both.
    try handle.set(CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
    try handle.set(CURLOPT_PROXY, proxy?.authority ?? "")
    try handle.set(CURLOPT_PROXYTYPE, (proxy?.kind ?? .http).option)
    // Every libcurl percent-decodes this option; the two that set name and password apart are decoded by
    // some.
    try handle.set(CURLOPT_PROXYUSERPWD, proxy?.credentials?.encoded)
    try handle.set(CURLOPT_HTTPPROXYTUNNEL, tunnels ? 1 : 0)
    try handle.set(CURLOPT_PINNEDPUBLICKEY, pins?.mode == .enforced ? pins?.list : nil)
    try handle.set(CURLOPT_CERTINFO, keepsCertificate ? 1 : 0)
    try handle.set(CURLOPT_SSLCERT, identity?.certificateFile)
    try handle.set(CURLOPT_SSLKEY, identity?.keyFile)
    try handle.set(CURLOPT_KEYPASSWD, identity?.passphrase)
    return parsed
  }
}

extension Proxy.Kind {
  /// libcurl's number of it.
  fileprivate var option: Int {
    switch self {
    case .http: Int(CURLPROXY_HTTP.rawValue)
    case .https: Int(CURLPROXY_HTTPS.rawValue)
    case .socks5: Int(CURLPROXY_SOCKS5_HOSTNAME.rawValue)
    }
  }
}
