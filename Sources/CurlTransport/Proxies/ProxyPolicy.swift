import Interception

/// Which requests go through a proxy.
///
/// What the environment says, as in `http_proxy` and `no_proxy`, is never heeded. Where a proxy applies, a
/// `connectTarget` of the request's context is passed over: the proxy decides where a name leads, and the
/// report's remote address is the proxy's.
public struct ProxyPolicy: Sendable, Hashable {
  /// The proxy; nil connects directly.
  public var proxy: Proxy?
  /// The hosts that are reached without the proxy.
  ///
  /// A name stands for itself and all names below it, with or without a dot before it; an address stands for
  /// itself; `*` stands for every host. Case doesn't matter. Ranges of addresses are not understood.
  public var exceptions: [String]

  /// Makes a policy.
  public init(_ proxy: Proxy?, except exceptions: [String] = []) {
    self.proxy = proxy
    self.exceptions = exceptions
  }

  /// No proxy.
  public static let direct = ProxyPolicy(nil)

  /// The proxy of an origin.
  func proxy(for origin: WebOrigin) -> Proxy? {
    guard let proxy else { return nil }
    let host = Self.bare(origin.host)
    return exceptions.contains { Self.covers(Self.bare($0), host) } ? nil : proxy
  }

  private static func covers(_ exception: String, _ host: String) -> Bool {
    if exception == "*" || exception == host { return true }
    // The numbers of an address have no names below them.
    guard !exception.isEmpty, IPAddress(host) == nil else { return false }
    return host.hasSuffix("." + exception)
  }

  private static func bare(_ host: String) -> String {
    var host = host.lowercased()[...]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    if host.hasPrefix(".") { host = host.dropFirst() }
    if host.hasSuffix(".") { host = host.dropLast() }
    return String(host)
  }
}
