import Foundation

/// Makes a certificate authority and one certificate signed by it, without keeping the authority's key.
///
/// The authority can then sign nothing else, so a client that trusts `ca.pem` trusts this server only. A
/// renewal therefore makes a new `ca.pem`.
struct CertificateMaking {
  /// The names in the certificate.
  ///
  /// `api.estate.test` and `staging.estate.test` are there for DNS bypass; the names do not resolve (RFC
  /// 6761).
  static let names = "DNS:localhost, DNS:api.estate.test, DNS:staging.estate.test, IP:127.0.0.1"

  private static let settings = """
    [req]
    distinguished_name = subject
    prompt = no
    [subject]
    CN = Estate sample
    [authority]
    basicConstraints = critical, CA:TRUE, pathlen:0
    keyUsage = critical, keyCertSign, cRLSign
    subjectKeyIdentifier = hash
    [server]
    basicConstraints = critical, CA:FALSE
    keyUsage = critical, digitalSignature
    extendedKeyUsage = serverAuth
    subjectAltName = \(names)
    subjectKeyIdentifier = hash
    authorityKeyIdentifier = keyid

    """

  let openssl: OpenSSLProgram
  let days: Int

  /// Makes `ca.pem`, `server.pem` and `server-key.pem` in a directory, replacing existing ones.
  func make(in directory: StateDirectory) throws(StateDirectoryError) {
    try directory.withScratch { scratch throws(StateDirectoryError) in
      try scratch.write(Data(Self.settings.utf8), to: "settings.cnf")
      try key("ca-key.pem", in: scratch)
      try openssl.run(
        [
          "req", "-new", "-x509", "-sha256", "-config", "settings.cnf", "-extensions", "authority",
          "-key", "ca-key.pem", "-subj", "/CN=Estate sample authority", "-days", "\(days + 1)",
          "-out", "ca.pem",
        ], in: scratch)
      try key("server-key.pem", in: scratch)
      try openssl.run(
        [
          "req", "-new", "-sha256", "-config", "settings.cnf", "-key", "server-key.pem",
          "-subj", "/CN=localhost", "-out", "server.csr",
        ], in: scratch)
      try openssl.run(
        [
          "x509", "-req", "-sha256", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca-key.pem",
          "-set_serial", "0x01\(Hexadecimal.random(15))", "-days", "\(days)", "-extfile", "settings.cnf",
          "-extensions", "server", "-out", "server.pem",
        ], in: scratch)
      try directory.adopt("server-key.pem", from: scratch, permissions: 0o600)
      try directory.adopt("server.pem", from: scratch, permissions: 0o644)
      try directory.adopt("ca.pem", from: scratch, permissions: 0o644)
    }
  }

  private func key(_ name: String, in scratch: StateDirectory) throws(StateDirectoryError) {
    try openssl.run(["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", name], in: scratch)
  }
}
