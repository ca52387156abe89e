/// A host, or an address, with its port, as in the authority of a URL.
public struct ServerAddress: Sendable, Hashable {
  /// The host or the address, without brackets.
  public let host: String
  /// The port; nil if it has none of its own.
  public let port: UInt16?

  /// Reads an authority, such as `a.test:8443` or `[::1]:8443`; an address without brackets is one, too.
  public init?(authority: String) {
    var host = authority[...]
    var port: Substring?
    if host.first == "[" {
      guard let end = host.firstIndex(of: "]") else { return nil }
      let rest = host[host.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else { return nil }
      port = rest.isEmpty ? nil : rest.dropFirst()
      host = host[host.index(after: host.startIndex)..<end]
    } else if let colon = host.firstIndex(of: ":"), host.count(where: { $0 == ":" }) == 1 {
      port = host[host.index(after: colon)...]
      host = host[..<colon]
    }
    guard !host.isEmpty else { return nil }
    if let port, !port.isEmpty {
      guard let number = UInt16(port) else { return nil }
      self.port = number
    } else {
      self.port = nil
    }
    self.host = String(host)
  }
}
