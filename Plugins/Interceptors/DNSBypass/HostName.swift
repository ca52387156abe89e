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
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let name = parts.first, parts.count <= 2, Self.isName(name) else { return nil }
    host = name.lowercased()
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
    if isPlain == true {
      self.init(host: authority, port: nil)
      return
    }
    let bytes = authority.utf8
    guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else {
      self.init(host: authority.lowercased(), port: nil)
      return
    }
    guard let port = AuthoritySyntax.port(authority[bytes.index(after: colon)...]) else { return nil }
    self.init(host: authority[..<colon].lowercased(), port: port)
  }

  private static func isName(_ name: Substring) -> Bool {
    guard (1...253).contains(name.utf8.count), !AuthoritySyntax.isAmbiguous(host: name),
      IPAddress(name) == nil
    else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}

extension HostName: CustomStringConvertible {
  var description: String { port.map { "\(host):\($0)" } ?? host }
}
