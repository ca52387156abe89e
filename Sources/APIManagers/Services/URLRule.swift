/// How a service's address and an API's path make the path of a URL.
///
/// Choose ``standard`` unless the server was built otherwise, for example with the version in front of
/// everything; then write a rule with ``init(_:)``.
public struct URLRule: Sendable {
  private let join: @Sendable (_ address: ServiceAddress, _ path: String) -> String

  /// Makes a rule; it gets the address and the API's path, already percent-encoded, and returns a path.
  public init(_ join: @escaping @Sendable (_ address: ServiceAddress, _ path: String) -> String) {
    self.join = join
  }

  /// Base, version and path, joined by single slashes; without a version, base and path.
  public static let standard = URLRule { address, path in
    let front = [address.basePath, address.version ?? ""].flatMap { $0.split(separator: "/") }
    let prefix = front.map { "/\($0)" }.joined()
    guard !path.isEmpty, path != "/" else { return prefix.isEmpty ? "/" : prefix + path }
    return prefix + (path.hasPrefix("/") ? path : "/" + path)
  }

  func path(at address: ServiceAddress, of path: String) -> String { join(address, path) }
}
