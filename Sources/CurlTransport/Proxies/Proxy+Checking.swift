import Interception

extension Proxy {
  // RFC 1929 has one byte for the length.
  private static let longestSOCKSCredential = 255

  /// Checks what libcurl would cut off or read as something else, such as another host, kind or user.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the part and never a credential.
  func check() throws(NetworkError) {
    guard isHost else {
      throw RequestTarget.invalid(
        "The proxy's host \"\(RequestTarget.printable(host))\" is neither a name in ASCII nor an address in its usual "
          + "form; correct it in ProxyPolicy.")
    }
    guard (1...65_535).contains(port) else {
      throw RequestTarget.invalid(
        "The proxy's port \(port) is not from 1 to 65535; correct it in ProxyPolicy.")
    }
    guard let credentials else { return }
    try check(credentials.user, as: "user name")
    try check(credentials.password, as: "password")
    guard kind == .socks5 || !credentials.user.utf8.contains(UInt8(ascii: ":")) else {
      throw RequestTarget.invalid(
        "The user name for the proxy \(self) holds a colon, which ends it in Basic credentials; use another one."
      )
    }
  }

  private var isHost: Bool {
    if IPAddress(host)?.isVersion6 == true { return true }
    return !host.isEmpty && host.utf8.allSatisfy(RequestTarget.isHostByte)
      && !AuthoritySyntax.isAmbiguous(host: host[...])
  }

  // RFC 7617, section 2, allows no control characters.
  private func check(_ credential: String, as part: String) throws(NetworkError) {
    guard !credential.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw RequestTarget.invalid(
        "The \(part) for the proxy \(self) holds a control character; remove it from Proxy.Credentials.")
    }
    guard kind != .socks5 || credential.utf8.count <= Self.longestSOCKSCredential else {
      throw RequestTarget.invalid(
        "The \(part) for the proxy \(self) is longer than the \(Self.longestSOCKSCredential) bytes of SOCKS; use a "
          + "shorter one.")
    }
  }
}
