import Interception

/// Which requests go through a proxy.
///
/// Variables such as `http_proxy` and `no_proxy` are ignored, unless the policy is made of them by
/// ``environment(_:)``. If a request goes through a proxy, the `connectTarget` of its context is ignored,
/// because the proxy looks up the name, and the report's remote address is the proxy's.
public struct ProxyPolicy: Sendable, Hashable {
  /// A proxy for some requests, in place of `proxy`.
  public struct Rule: Sendable, Hashable {
    /// The hosts, as in `exceptions`; `*` for all.
    package var hosts: [String]
    /// The scheme, `http` or `https`; nil for both.
    package var scheme: String?
    /// The proxy; nil connects directly.
    package var proxy: Proxy?

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - proxy: The proxy; nil connects directly.
    ///   - hosts: The hosts, as in `exceptions`; `*` for all.
    ///   - scheme: The scheme, `http` or `https`; nil for both.
    public init(_ proxy: Proxy?, for hosts: [String] = ["*"], scheme: String? = nil) {
      self.hosts = hosts
      self.scheme = scheme?.lowercased()
      self.proxy = proxy
    }
  }

  /// The proxy for requests to which no rule applies; nil connects directly.
  package var proxy: Proxy?
  /// The rules, of which the first one that applies decides.
  package var rules: [Rule]
  /// The hosts that are connected to directly, whatever the rules say.
  package var exceptions: [String]

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - proxy: The proxy for requests to which no rule applies; nil connects directly.
  ///   - rules: The rules, of which the first one that applies decides.
  ///   - exceptions: The hosts that are connected to directly, whatever the rules say.
  ///
  ///     - A name, with or without a leading dot, matches itself and its subdomains.
  ///     - An address matches itself, and a range such as `10.0.0.0/8` or `169.254/16` the addresses in it,
  ///       but not names that resolve to them. IPv6 addresses and ranges may be in brackets.
  ///     - `*` stands for any characters: `*.example.com` matches the subdomains but not `example.com`, and
  ///       `127.*` addresses, but no names. `*` alone matches every host.
  ///     - `<local>` matches names without a dot.
  ///     - A port after a colon, as in `example.com:8080` or `[fd00::1]:8080`, limits each of them to that
  ///       port.
  ///
  ///     Case, white space around an entry and a dot at the end are ignored. An entry that is not understood
  ///     fails every request as `NetworkError.Kind.invalidRequest`, with an error that names it.
  public init(_ proxy: Proxy?, rules: [Rule] = [], except exceptions: [String] = []) {
    self.proxy = proxy
    self.rules = rules
    self.exceptions = exceptions
  }

  /// A policy without a proxy.
  public static let direct = ProxyPolicy(nil)
}
