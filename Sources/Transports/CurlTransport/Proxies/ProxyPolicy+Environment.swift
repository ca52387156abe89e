public import Interception

extension ProxyPolicy {
  /// Returns the policy that variables of the environment describe, as curl reads them.
  ///
  /// ```swift
  /// let proxies = try ProxyPolicy.environment(ProcessInfo.processInfo.environment)
  /// let dispatcher = CurlDispatcher(configuration: .init(proxies: proxies))
  /// ```
  ///
  /// `https_proxy` is the proxy for https, `http_proxy` that for http, and `all_proxy` that for both if there
  /// is no other; `no_proxy` lists the `exceptions`, separated by commas or spaces. The names may be in
  /// capitals, except `HTTP_PROXY`, which a client of a CGI program can set. Variables without content are
  /// ignored.
  ///
  /// curl ignores exceptions that it does not understand, and sends the requests to the proxy; here they are
  /// refused.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` if a variable holds no proxy that ``Proxy/init(url:)``
  ///   reads, or an exception that is not understood. It names the variable, and shows no credentials.
  public static func environment(_ variables: [String: String]) throws(NetworkError) -> ProxyPolicy {
    func value(_ names: String...) -> (name: String, text: String)? {
      for name in names {
        if let text = variables[name]?[...].trimmingWhitespace(), !text.isEmpty {
          return (name, String(text))
        }
      }
      return nil
    }
    func proxy(_ variable: (name: String, text: String)?) throws(NetworkError) -> Proxy? {
      guard let variable else { return nil }
      do throws(NetworkError) { return try Proxy(url: variable.text) } catch {
        throw .invalidRequest("The variable \(variable.name) names no proxy: \(error.reason)")
      }
    }
    let all = try proxy(value("all_proxy", "ALL_PROXY"))
    let secure = try proxy(value("https_proxy", "HTTPS_PROXY")) ?? all
    let plain = try proxy(value("http_proxy")) ?? all
    var policy = ProxyPolicy(secure)
    if plain != secure { policy.rules = [Rule(plain, scheme: "http")] }
    guard let list = value("no_proxy", "NO_PROXY") else { return policy }
    policy.exceptions = list.text.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init)
    if let fault = policy.exceptions.first(where: { HostPattern($0) == nil }) {
      throw .invalidRequest(
        "The entry \(HostPattern.shown(fault)) of the variable \(list.name) \(HostPattern.remedy)")
    }
    return policy
  }
}

extension Proxy {
  /// Creates a proxy from a URL such as `http://user:password@proxy.example.com:3128`.
  ///
  /// The scheme is `http`, `https`, `socks5` or `socks5h`, and `http` if there is none; the two kinds of
  /// SOCKS are the same, because the proxy looks up the names. Without a port it is 1080, and 443 for
  /// `https`, as in curl. Name and password are percent-decoded. A path is ignored.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest`, which shows no credentials.
  public init(url: String) throws(NetworkError) {
    let (scheme, rest) = Self.divided(url)
    let kind: Kind
    switch scheme {
    case "http": kind = .http
    case "https": kind = .https
    case "socks5", "socks5h": kind = .socks5
    default:
      throw .invalidRequest(
        "The scheme of a proxy's URL is http, https, socks5 or socks5h; name such a proxy.")
    }
    // A password may have unencoded characters that would end an authority.
    let at = rest.lastIndex(of: "@")
    let place = (at.map { rest[rest.index(after: $0)...] } ?? rest).prefix { !"/?#".contains($0) }
    let (host, port) = try Self.place(place, default: kind == .https ? 443 : 1080)
    self.init(
      kind, host: host, port: port,
      credentials: try at.map { at throws(NetworkError) in
        try Self.credentials(rest[..<at])
      })
    try check()
  }

  private static func divided(_ url: String) -> (scheme: String, rest: Substring) {
    guard let slashes = url.firstRange(of: "://") else { return ("http", url[...]) }
    return (url[..<slashes.lowerBound].lowercased(), url[slashes.upperBound...])
  }

  private static func place(
    _ text: Substring, default port: Int
  ) throws(NetworkError) -> (host: String, port: Int) {
    let host: Substring
    let rest: Substring
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else {
        throw .invalidRequest("The address of the proxy lacks its closing bracket; add it.")
      }
      (host, rest) = (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
    } else {
      let colon = text.firstIndex(of: ":") ?? text.endIndex
      (host, rest) = (text[..<colon], text[colon...])
    }
    guard !rest.isEmpty else { return (String(host), port) }
    guard rest.first == ":", let port = UInt16(rest.dropFirst()) else {
      throw .invalidRequest("The port of the proxy \(host) is no number from 1 to 65535; correct it.")
    }
    return (String(host), Int(port))
  }

  private static func credentials(_ text: Substring) throws(NetworkError) -> Credentials {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let user = PercentEncoding.decoded(parts[0].utf8),
      let password = PercentEncoding.decoded((parts.count > 1 ? parts[1] : "").utf8)
    else {
      throw .invalidRequest(
        "The name or the password of the proxy is not percent-encoded UTF-8; encode the percent sign as %25.")
    }
    return Credentials(user: user, password: password)
  }
}
