import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

/// All options of libcurl for one transfer, besides ``HandleDefaults``.
///
/// A ``ReusableHandle`` keeps that of its previous transfer. The compiler synthesizes the comparison of
/// options, and a part that differs sets all of its own, so no option can keep the value of an earlier
/// transfer.
struct TransferDescription: Equatable {
  /// What depends on the origin, by its ``RequestSite/options``.
  let site: RequestSite
  /// What depends on the request, except for its lines.
  let exchange: ExchangeOptions
  /// The target and the header lines.
  let lines: RequestLines
}

/// The request line's target and the header lines of a transfer.
///
/// A part of its own, because it differs for nearly every signed request, and the other options rarely do.
struct RequestLines: Equatable {
  let target: String
  let headers: HeaderBlock

  /// Sets both; `list` keeps the lines, which libcurl reads without copying, until others have replaced them.
  func apply(to handle: EasyHandle, _ list: inout HeaderList?) throws(CurlError) {
    try handle.set(CURLOPT_REQUEST_TARGET, target)
    // The previous transfer's list is freed only after libcurl has been given this one.
    let lines = HeaderList(headers)
    try unsafe handle.set(CURLOPT_HTTPHEADER, pointer: lines.first)
    list = consume lines
  }
}

/// The options of libcurl for the request of a transfer, besides its ``RequestLines``.
struct ExchangeOptions: Equatable {
  /// The line that pins the origin to another address; nil if the name decides.
  var connectTo: HeaderBlock?
  let method: HTTPRequest.Method
  /// Whether there is a body, which may be empty.
  let hasContent: Bool
  /// The number of bytes of the content; nil if it is not known beforehand.
  let contentLength: Int64?
  var connectMilliseconds: Int
  let weight: Int
  var version: HTTPVersionChoice
  /// How long the content waits for a response of status 100, in milliseconds; nil if it is sent at once.
  let continueMilliseconds: Int?
  /// Whether fields follow the content, which libcurl asks for.
  let sendsTrailers: Bool
  /// Whether sending continues after the server has refused the request.
  var continuesAfterRefusal = false
  /// Whether libcurl logs what it does, for ``StreamRefusal``.
  var logsTexts = false
  /// Whether only addresses of IPv4 are connected to.
  var isOverIPv4 = false

  /// Sets all options, also those that have libcurl's default; `list` keeps the line of `connectTo`, which
  /// libcurl reads without copying, until another one has replaced it.
  func apply(to handle: EasyHandle, _ list: inout HeaderList?) throws(CurlError) {
    // UPLOAD adds no Content-Type and sends chunks over HTTP/1.1 if the length is unknown. It precedes
    // CURLOPT_NOBODY, which turns GET into HEAD and leaves an upload unchanged.
    try handle.set(CURLOPT_UPLOAD, hasContent)
    try handle.set(CURLOPT_NOBODY, method == .head)
    let isDefault = !hasContent && (method == .get || method == .head)
    try handle.set(CURLOPT_CUSTOMREQUEST, isDefault ? nil : method.rawValue)
    try handle.set(CURLOPT_INFILESIZE_LARGE, offset: hasContent ? contentLength ?? -1 : -1)
    try handle.set(CURLOPT_KEEP_SENDING_ON_ERROR, continuesAfterRefusal)
    try handle.set(CURLOPT_VERBOSE, logsTexts)
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, connectMilliseconds)
    try handle.set(CURLOPT_STREAM_WEIGHT, weight)
    try handle.set(CURLOPT_HTTP_VERSION, version.option)
    try handle.set(CURLOPT_IPRESOLVE, Int(isOverIPv4 ? CURL_IPRESOLVE_V4 : CURL_IPRESOLVE_WHATEVER))
    // libcurl's default applies to no request, because only a field of its own makes it wait.
    try handle.set(CURLOPT_EXPECT_100_TIMEOUT_MS, continueMilliseconds ?? 1_000)
    try handle.setSendsTrailers(sendsTrailers)
    guard let connectTo else {
      try unsafe handle.set(CURLOPT_CONNECT_TO, pointer: nil)
      return list = nil
    }
    // The previous transfer's list is freed only after libcurl has been given this one.
    let line = HeaderList(connectTo)
    try unsafe handle.set(CURLOPT_CONNECT_TO, pointer: line.first)
    list = consume line
  }
}

/// The version of HTTP that a transfer uses.
enum HTTPVersionChoice: Equatable {
  /// HTTP/2 if the server offers it with TLS, else HTTP/1.1.
  case negotiated
  /// HTTP/1.1, whatever the server offers.
  case http1
  /// HTTP/2 without TLS.
  case http2
  /// HTTP/3, raced by the negotiated version over TCP.
  case http3

  fileprivate var option: Int {
    switch self {
    case .http1: Int(CURL_HTTP_VERSION_1_1)
    case .negotiated: Int(CURL_HTTP_VERSION_2TLS)
    case .http2: Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
    case .http3: Int(CURL_HTTP_VERSION_3)
    }
  }
}

/// The options of libcurl for the origin of a transfer: its URL, the proxy and the keys of both sides.
struct OriginOptions: Equatable, Sendable {
  /// Scheme and authority; the path is set separately, so that libcurl does not rewrite it.
  let url: String
  /// Whether it is requested over HTTP/2 without TLS.
  let hasPriorKnowledge: Bool
  private let mayMultiplex: Bool
  /// The path of the Unix domain socket that is used instead of the host's addresses.
  let socket: String?
  let proxy: Proxy?
  private let tunnels: Bool
  let pins: PublicKeyPins.Entry?
  private let keepsCertificate: Bool
  private let certificateFile: String?
  private let keyFile: String?
  private let passphrase: String?
  /// Whether nothing that the configuration says of the origin rules HTTP/3 out.
  let permitsHTTP3: Bool

  init(
    _ origin: WebOrigin, authority: String, configuration: CurlDispatcher.Configuration, _ tables: HostTables
  ) {
    let tls = configuration.tls
    url = "\(origin.scheme.rawValue)://\(authority)/"
    let isSecure = origin.scheme == .https
    let host = AuthoritySyntax.comparable(host: origin.host)
    socket = tables.sockets[host]
    proxy = socket == nil ? tables.proxies.proxy(for: origin) : nil
    // A proxy that forwards requests reads them itself, and the policy does not know its versions.
    hasPriorKnowledge =
      !isSecure && tables.priorKnowledge.contains(host)
      && proxy?.tunnels(origin.scheme) ?? true
    mayMultiplex = isSecure || hasPriorKnowledge
    tunnels = proxy.map { $0.kind != .socks5 && $0.tunnels(origin.scheme) } ?? false
    pins = isSecure ? tls.pins.entry(for: host) : nil
    keepsCertificate = pins != nil && tls.onPinMismatch != nil
    let certificate =
      isSecure && tables.certificateHosts?.contains(host) ?? true ? tls.clientCertificate : nil
    certificateFile = certificate?.certificateFile
    keyFile = certificate?.keyFile
    // Without a passphrase OpenSSL would ask for one at the terminal and block the thread.
    passphrase = certificate.map { $0.givenPassphrase ?? "" }
    // No test shows that libcurl checks the stapled response in a handshake of QUIC.
    permitsHTTP3 = isSecure && socket == nil && !tls.requiresStapling
  }

  /// Whether the client's certificate is sent to a server that asks for one.
  var sendsCertificate: Bool { certificateFile != nil }

  /// Whether a proxy that speaks HTTP applies.
  var isProxiedByHTTP: Bool { proxy.map { $0.kind != .socks5 } ?? false }

  /// Sets all options, also those that have libcurl's default; returns the URL, which libcurl reads until
  /// another one is set.
  func apply(to handle: EasyHandle) throws(CurlError) -> ParsedURL {
    let parsed = ParsedURL(url)
    try unsafe handle.set(CURLOPT_CURLU, pointer: UnsafeMutableRawPointer(parsed.pointer))
    try handle.set(CURLOPT_URL, url)
    // A second request waits for the first one's connection, which may carry both.
    try handle.set(CURLOPT_PIPEWAIT, mayMultiplex)
    try handle.set(CURLOPT_UNIX_SOCKET_PATH, socket)
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
