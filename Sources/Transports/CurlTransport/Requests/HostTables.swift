import Interception

/// What a configuration says about hosts, checked, and in the form in which hosts are compared.
struct HostTables: Sendable {
  let proxies: ProxyTable
  let sockets: [String: String]
  let priorKnowledge: Set<String>
  /// The hosts that the client's certificate is sent to; nil for all.
  let certificateHosts: Set<String>?

  /// Checks the hosts; the error names the first one that no host of a URL can equal, and its place.
  init(_ configuration: CurlDispatcher.Configuration) throws(NetworkError) {
    try Self.checkTexts(of: configuration.tls)
    proxies = try ProxyTable(configuration.proxies)
    let connections = configuration.connections
    var sockets: [String: String] = [:]
    for (host, path) in connections.sockets {
      sockets[try Self.comparable(host, of: "ConnectionPolicy(sockets:)")] = path
    }
    self.sockets = sockets
    priorKnowledge = try Self.comparable(connections.priorKnowledge, of: "ConnectionPolicy(priorKnowledge:)")
    certificateHosts = try configuration.tls.clientCertificate?.hosts.map { hosts throws(NetworkError) in
      try Self.comparable(hosts, of: "ClientCertificate(hosts:)")
    }
  }

  /// Checks what libcurl and OpenSSL would cut off at a null byte: another file or passphrase would be used.
  private static func checkTexts(of tls: TLSPolicy) throws(NetworkError) {
    do throws(NULFault) {
      if let path = tls.authorityFile {
        try path.checkWhole(as: "The path of TLSPolicy(authorityFile:)")
      }
      guard let certificate = tls.clientCertificate else { return }
      try certificate.certificateFile.checkWhole(as: "The path ClientCertificate(certificateFile:)")
      try certificate.keyFile.checkWhole(as: "The path ClientCertificate(keyFile:)")
      try certificate.givenPassphrase?.checkWhole(as: "The text of ClientCertificate(passphrase:)")
    } catch { throw .invalidRequest("\(error)") }
  }

  private static func comparable(_ hosts: Set<String>, of place: String) throws(NetworkError) -> Set<String> {
    var names: Set<String> = []
    for host in hosts { names.insert(try comparable(host, of: place)) }
    return names
  }

  private static func comparable(_ host: String, of place: String) throws(NetworkError) -> String {
    guard AuthoritySyntax.isHost(host) else {
      throw .invalidRequest(
        "\"\(host.printable)\" in \(place) is no host, so that it would never apply; write one exact name or address as "
          + "in URLs, without scheme, port or pattern.")
    }
    return AuthoritySyntax.comparable(host: host)
  }
}
