import CLibcurl

/// The options of libcurl for the origin of a transfer: its URL, the proxy and the keys of both sides.
struct OriginOptions: Equatable, Sendable {
  /// Scheme and authority; the path is set separately, so that libcurl does not rewrite it.
  let url: String
  private let isSecure: Bool
  let proxy: Proxy?
  private let tunnels: Bool
  let pins: PublicKeyPins.Entry?
  private let keepsCertificate: Bool
  private let certificateFile: String?
  private let keyFile: String?
  private let passphrase: String?

  init(_ origin: WebOrigin, authority: String, configuration: CurlDispatcher.Configuration) {
    let tls = configuration.tls
    url = "\(origin.scheme.rawValue)://\(authority)/"
    isSecure = origin.scheme == .https
    proxy = configuration.proxies.proxy(for: origin)
    tunnels = proxy.map { $0.kind != .socks5 && $0.tunnels(origin.scheme) } ?? false
    pins = isSecure ? tls.pins.entry(for: origin.host) : nil
    keepsCertificate = pins != nil && tls.onPinMismatch != nil
    let certificate = isSecure ? tls.clientCertificate?.meant(for: origin.host) : nil
    certificateFile = certificate?.certificateFile
    keyFile = certificate?.keyFile
    // Without a passphrase OpenSSL would ask for one at the terminal and block the thread.
    passphrase = certificate.map { $0.givenPassphrase ?? "" }
  }

  /// Sets all options, also those that have libcurl's default; returns the URL, which libcurl reads until
  /// another one is set.
  func apply(to handle: EasyHandle) throws(CurlError) -> ParsedURL {
    let parsed = ParsedURL(url)
    try unsafe handle.set(CURLOPT_CURLU, pointer: UnsafeMutableRawPointer(parsed.pointer))
    try handle.set(CURLOPT_URL, url)
    // A second request waits for the first one's connection, which may carry both.
    try handle.set(CURLOPT_PIPEWAIT, isSecure)
    try handle.set(CURLOPT_PROXY, proxy?.authority ?? "")
    try handle.set(CURLOPT_PROXYTYPE, (proxy?.kind ?? .http).option)
    // Every libcurl percent-decodes this option; only some decode those for name and password.
    try handle.set(CURLOPT_PROXYUSERPWD, proxy?.credentials?.encoded)
    try handle.set(CURLOPT_HTTPPROXYTUNNEL, tunnels)
    try handle.set(CURLOPT_PINNEDPUBLICKEY, pins?.mode == .enforced ? pins?.list : nil)
    try handle.set(CURLOPT_CERTINFO, keepsCertificate)
    try handle.set(CURLOPT_SSLCERT, certificateFile)
    try handle.set(CURLOPT_SSLKEY, keyFile)
    try handle.set(CURLOPT_KEYPASSWD, passphrase)
    return parsed
  }
}

extension Proxy.Kind {
  fileprivate var option: Int {
    switch self {
    case .http: Int(CURLPROXY_HTTP.rawValue)
    case .https: Int(CURLPROXY_HTTPS.rawValue)
    case .socks5: Int(CURLPROXY_SOCKS5_HOSTNAME.rawValue)
    }
  }
}
