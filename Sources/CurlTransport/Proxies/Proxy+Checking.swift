import Interception

extension Proxy {
  /// Checks what libcurl would cut off or read as another host, kind or user; the error shows no credential.
  func check() throws(NetworkError) {
    guard isHost else {
      throw .invalidRequest(
        "The proxy's host \"\(host.printable)\" is neither an ASCII name nor an address in its usual form; correct it in "
          + "ProxyPolicy.")
    }
    guard (1...65_535).contains(port) else {
      throw .invalidRequest("The proxy's port \(port) is not from 1 to 65535; correct it in ProxyPolicy.")
    }
    guard let credentials else { return }
    try check(credentials.user, as: "user name")
    try check(credentials.password, as: "password")
    guard kind == .socks5 || !credentials.user.utf8.contains(UInt8(ascii: ":")) else {
      throw .invalidRequest("The user name for the proxy \(self) holds a colon, which ends it; use another.")
    }
  }

  private var isHost: Bool {
    if IPAddress(host)?.isVersion6 == true { return true }
    return !host.isEmpty && host.utf8.allSatisfy(RequestTarget.isHostByte)
      && !AuthoritySyntax.isAmbiguous(host: host[...])
  }

  // RFC 7617, section 2, allows no control characters; RFC 1929 has one byte for the length.
  private func check(_ credential: String, as part: String) throws(NetworkError) {
    guard !credential.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw .invalidRequest(
        "The \(part) for the proxy \(self) holds a control character; remove it from Proxy.Credentials.")
    }
    guard kind != .socks5 || credential.utf8.count <= 255 else {
      throw .invalidRequest("The \(part) for the proxy \(self) exceeds the 255 bytes of SOCKS; shorten it.")
    }
  }
}
