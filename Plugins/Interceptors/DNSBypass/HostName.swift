import Interception

/// A lower-case host name and a port.
///
/// As a name in a table, nil means every port; as a URL's host, it means the scheme's default port.
struct HostName: Sendable, Hashable {
  let host: String
  let port: Int?

  init(host: String, port: Int?) {
    self.host = host
    self.port = port
  }

  /// Parses `host` or `host:port`; nil for an IP address or anything else that is not a host name.
  ///
  /// A dot at the end of a host is ignored, here and in an authority.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let name = parts.first, parts.count <= 2, AuthoritySyntax.isName(name) else { return nil }
    host = AuthoritySyntax.comparable(host: name)
    guard parts.count == 2 else {
      port = nil
      return
    }
    guard let number = AuthoritySyntax.port(parts[1]) else { return nil }
    port = number
  }

  /// Parses the host and the port of an authority for a lookup; nil if the port is malformed.
  ///
  /// It isn't checked that the host is a name, because the table contains only names.
  init?(authority: String) {
    let isPlain = authority.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy {
        (0x21...0x7E).contains($0) && !(0x41...0x5a).contains($0) && $0 != UInt8(ascii: ":")
      }
    }
    // Almost every authority is a lower-case name without a port.
    if isPlain == true, authority.utf8.last != UInt8(ascii: ".") {
      self.init(host: authority, port: nil)
      return
    }
    let bytes = authority.utf8
    guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else {
      self.init(host: AuthoritySyntax.comparable(host: authority), port: nil)
      return
    }
    guard let port = AuthoritySyntax.port(authority[bytes.index(after: colon)...]) else { return nil }
    self.init(host: AuthoritySyntax.comparable(host: authority[..<colon]), port: port)
  }
}

extension HostName: CustomStringConvertible {
  var description: String { port.map { "\(host):\($0)" } ?? host }
}
