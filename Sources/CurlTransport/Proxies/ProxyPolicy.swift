import Interception

/// Which requests go through a proxy.
///
/// Variables of the environment such as `http_proxy` and `no_proxy` are ignored. If a request goes through a
/// proxy, the `connectTarget` of its context is ignored too, because the proxy looks up the name, and the
/// report's remote address is the proxy's.
public struct ProxyPolicy: Sendable, Hashable {
  /// The proxy; nil connects directly.
  public var proxy: Proxy?
  /// The hosts that are connected to directly.
  ///
  /// A name, with or without a leading dot, matches itself and its subdomains; an address matches itself; `*`
  /// matches every host. Case is ignored. Ranges of addresses are not supported.
  public var exceptions: [String]

  /// Creates a policy.
  public init(_ proxy: Proxy?, except exceptions: [String] = []) {
    self.proxy = proxy
    self.exceptions = exceptions
  }

  /// A policy without a proxy.
  public static let direct = ProxyPolicy(nil)

  func proxy(for origin: WebOrigin) -> Proxy? {
    guard let proxy else { return nil }
    let host = Self.bare(origin.host)
    return exceptions.contains { Self.covers(Self.bare($0), host) } ? nil : proxy
  }

  private static func covers(_ exception: String, _ host: String) -> Bool {
    if exception == "*" || exception == host { return true }
    // An address has no subdomains.
    guard !exception.isEmpty, IPAddress(host) == nil else { return false }
    return host.hasSuffix("." + exception)
  }

  private static func bare(_ host: String) -> String {
    let host = WebOrigin.comparable(host)
    if host.hasPrefix("["), host.hasSuffix("]") { return String(host.dropFirst().dropLast()) }
    return host.hasPrefix(".") ? String(host.dropFirst()) : host
  }
}
