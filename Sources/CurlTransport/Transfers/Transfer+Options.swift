import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

extension Transfer {
  /// Tells libcurl everything about the request; the handle passes on what it doesn't know already.
  func configure(stock: ConnectionStock) throws(CurlError) {
    let plan = plan
    let isAtHand = claimsConnection()
    if let described = member.described, described.fits(plan), member.stock === stock {
      route = described.route
      member.handle.repeatDescription()
      try member.amendConnectLimit(isAtHand ? 0 : plan.connectMilliseconds)
      try member.amendTarget(described.route.proxy?.requestTarget(of: plan.target) ?? plan.path)
      return try member.amendHeaders(plan.headers)
    }
    member.described = nil
    let target = plan.target
    let proxy = board.configuration.proxies.proxy(for: target.origin)
    try member.attach(stock)
    member.handle.begin()
    try member.setSite(of: target)
    try member.setTarget(proxy?.requestTarget(of: target) ?? target.path)
    try member.handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    var pinning: Pinning?
    if target.origin.scheme == .https {
      // A second request waits for the first one's connection: it may carry both.
      try member.handle.set(CURLOPT_PIPEWAIT, 1)
      pinning = try setTrust(member.handle, board.configuration.tls)
    }
    let route = Route(proxy: proxy, pinning: pinning)
    self.route = route
    if let proxy { try setProxy(member.handle, proxy, board.configuration.tls) }
    try board.connections.set(member.handle)
    try member.setConnectLimit(plan.connectMilliseconds)
    try member.handle.set(CURLOPT_STREAM_WEIGHT, plan.options.priority.weight)
    if let codings = plan.acceptedCodings {
      // The name is sent; the decoding is ours, since libcurl's notices no coded body that ends too early.
      try member.handle.set(CURLOPT_ACCEPT_ENCODING, codings)
      try member.handle.set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    }
    try setContent(member.handle)
    try setLists()
    try member.handle.finish()
    member.described = HandlePool.Described(plan, route: route)
  }

  /// Whether a kept connection will most likely carry the request, so that libcurl need not be told how long connecting
  /// may take: it keeps a timer for that, several times a request.
  ///
  /// Such a connection was left at rest by the handle's last request, which went to the same site, less than a second ago. It
  /// may be gone nevertheless, or be taken by another handle. The loop's own limit begins with the connection that is opened
  /// then; but of a host's addresses of one family, the first one that doesn't answer takes all of it.
  private func claimsConnection() -> Bool {
    // Above, libcurl's own 300 s would come first.
    board.poller.claimRest(member) && plan.connectMilliseconds < 300_000
      && board.now - member.restedAt < .seconds(1)
      && !board.connections.areShortLived
  }

  /// Sets what is the same for every request; a handle hears it once.
  static func setFixedOptions(_ handle: EasyHandle) throws(CurlError) {
    // Signals are the process's; this thread blocks SIGPIPE itself.
    try handle.set(CURLOPT_NOSIGNAL, 1)
    try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
    try handle.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    try handle.set(CURLOPT_FOLLOWLOCATION, 0)
    try handle.set(CURLOPT_PATH_AS_IS, 1)
    // The environment's http_proxy and no_proxy must not decide where requests go.
    try handle.set(CURLOPT_PROXY, "")
    try handle.set(CURLOPT_NOPROXY, "")
    // Else a cancelled name look-up is waited for, and every other transfer with it.
    try handle.set(CURLOPT_QUICK_EXIT, 1)
  }

  private func setContent(_ handle: EasyHandle) throws(CurlError) {
    let method = plan.method.rawValue
    switch plan.content {
    case .none where plan.method == .head: return try handle.set(CURLOPT_NOBODY, 1)
    case .none: if plan.method != .get { try handle.set(CURLOPT_CUSTOMREQUEST, method) }
    case .empty, .bytes, .streamed:
      // The upload form invents no Content-Type, and sends chunks over HTTP/1.1 where the length is unknown.
      try handle.set(CURLOPT_UPLOAD, 1)
      try handle.set(CURLOPT_CUSTOMREQUEST, method)
      try handle.set(CURLOPT_INFILESIZE_LARGE, offset: plan.contentLength ?? -1)
      try isolation.configure(handle)
    }
  }

  private func setLists() throws(CurlError) {
    try member.setHeaders(plan.headers)
    // A proxy decides where a name leads; and an HTTP proxy would be made a tunnel by it.
    guard route?.proxy == nil, let connectTo = plan.connectTo else { return }
    let list = HeaderList(connectTo)
    try member.handle.set(CURLOPT_CONNECT_TO, list)
    self.connectTo = consume list
  }
}

extension Duration {
  /// The whole seconds, as many as libcurl can count.
  var seconds: Int { Int(clamping: min(components.seconds, Int64(Int32.max))) }

  /// The time in milliseconds, rounded up.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let milliseconds = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1000)
    return overflows ? Int.max : Int(whole) + Int(milliseconds)
  }
}
