/// A rule that forms a URL's path from a service's address and an API's path.
///
/// Use ``standard`` unless the server differs, for example with the version first.
public struct URLRule: Sendable {
  private let join: @Sendable (_ address: ServiceAddress, _ path: String) -> String

  /// Creates a rule from a closure that receives the address and the API's percent-encoded path, and returns
  /// a path.
  public init(_ join: @escaping @Sendable (_ address: ServiceAddress, _ path: String) -> String) {
    self.join = join
  }

  /// Base path, version and API path, joined by single slashes; the version is omitted if it is nil.
  public static let standard = URLRule { address, path in
    // The usual address, whose parts need not be taken apart.
    if address.basePath.isEmpty, path.utf8.first == UInt8(ascii: "/"), path.utf8.count > 1 {
      guard let version = address.version else { return path }
      if !version.isEmpty, !version.utf8.contains(UInt8(ascii: "/")) { return "/" + version + path }
    }
    let front = [address.basePath, address.version ?? ""].flatMap { $0.split(separator: "/") }
    let prefix = front.map { "/\($0)" }.joined()
    guard !path.isEmpty, path != "/" else { return prefix.isEmpty ? "/" : prefix + path }
    return prefix + (path.hasPrefix("/") ? path : "/" + path)
  }

  func path(at address: ServiceAddress, of path: String) -> String { join(address, path) }
}
