import CommandRunning
public import Foundation

/// A certificate authority and its certificates, created by the `openssl` command in a folder.
public struct CertificateSet: Sendable {
  /// The kind of a server's certificate.
  public enum Kind: String, Sendable, CaseIterable {
    /// Valid, and issued by the authority for ``CertificateSet/name`` and the loopback address.
    case good
    /// Like the good one, but expired yesterday.
    case expired
    /// Issued by the authority for another host name.
    case wrongName
    /// Self-signed.
    case selfSigned
  }

  /// The host name of the good certificate, besides `localhost` and 127.0.0.1.
  public static let name = "api.switchyard.test"
  /// The PEM file of the authority.
  public let authorityFile: String
  private let folder: URL

  // Created once per process: a dozen commands take longer than most tests that need them.
  private static let made = Task { try await make() }

  /// Writes the keys and certificates of this process to a folder; requires the `openssl` command.
  public init(in folder: URL) async throws {
    self.folder = folder
    authorityFile = folder.appendingPathComponent("authority.pem").path
    for (name, bytes) in try await Self.made.value {
      try Data(bytes).write(to: folder.appendingPathComponent(name))
    }
  }

  /// Returns the PEM file of a certificate.
  public func certificate(_ kind: Kind) -> String { folder.appendingPathComponent("\(kind).pem").path }

  /// Returns the PEM file of a certificate's private key.
  public func key(_ kind: Kind) -> String { folder.appendingPathComponent("\(kind).key").path }

  /// Returns the pin of a certificate's public key, as computed by the `openssl` command.
  public func pin(_ kind: Kind) async throws -> String {
    try await Self.openSSL(folder, "x509 -in \(kind).pem -noout -pubkey -out \(kind).pub")
    try await Self.openSSL(folder, "pkey -pubin -in \(kind).pub -outform der -out \(kind).spki")
    try await Self.openSSL(folder, "dgst -sha256 -binary -out \(kind).digest \(kind).spki")
    let digest = try Data(contentsOf: folder.appendingPathComponent("\(kind).digest"))
    return "sha256/" + digest.base64EncodedString()
  }

  /// Returns the file of a certificate's private key, encrypted with a passphrase.
  public func encryptedKey(_ kind: Kind, passphrase: String) async throws -> String {
    try await Self.openSSL(
      folder, "ec -aes256 -in \(kind).key -passout pass:\(passphrase) -out \(kind).secret.key")
    return folder.appendingPathComponent("\(kind).secret.key").path
  }

  /// Creates an OCSP response of the authority for a certificate and returns its file, for a server to
  /// staple; also appends the authority's certificate to the server's.
  public func staple(_ kind: Kind, isRevoked: Bool) async throws -> String {
    try await Self.openSSL(folder, "x509 -in \(kind).pem -noout -serial -out \(kind).serial")
    let serial = try String(contentsOf: folder.appendingPathComponent("\(kind).serial"), encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines).replacingOccurrences(of: "serial=", with: "")
    let state = isRevoked ? "R\t401231235959Z\t250101000000Z" : "V\t401231235959Z\t"
    let line = "\(state)\t\(serial)\tunknown\t/CN=\(kind)\n"
    try Data(line.utf8).write(to: folder.appendingPathComponent("index.txt"))
    try await Self.openSSL(
      folder,
      "ocsp -index index.txt -CA authority.pem -rsigner authority.pem -rkey authority.key "
        + "-issuer authority.pem -cert \(kind).pem -ndays 1 -respout \(kind).staple")
    // libcurl looks for the issuer, whose name and key are part of the OCSP request, in the server's chain.
    let chain =
      try Data(contentsOf: URL(fileURLWithPath: certificate(kind)))
      + Data(contentsOf: URL(fileURLWithPath: authorityFile))
    try chain.write(to: URL(fileURLWithPath: certificate(kind)))
    return folder.appendingPathComponent("\(kind).staple").path
  }

  /// Returns the files of an authority and its certificates, by name.
  private static func make() async throws -> [String: [UInt8]] {
    let temporary = try TemporaryFolder(prefix: "certificates")
    let folder = temporary.url
    try await openSSL(
      folder,
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout authority.key "
        + "-subj /CN=Switchyard-Test-Authority -days 30 -out authority.pem")
    for kind in Kind.allCases { try await make(kind, in: folder) }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(into: [:]) { files, name in
      // Stored as arrays, because the leak sanitizer does not recognize references held by Data.
      files[name] = try [UInt8](Data(contentsOf: folder.appendingPathComponent(name)))
    }
  }

  private static func make(_ kind: Kind, in folder: URL) async throws {
    let names =
      kind == .wrongName ? "DNS:other.switchyard.test" : "DNS:\(name),DNS:localhost,IP:127.0.0.1"
    let newKey =
      "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout \(kind).key -subj /CN=\(kind)"
    guard kind != .selfSigned else {
      return try await openSSL(
        folder, "req -x509 \(newKey) -days 30 -addext subjectAltName=\(names) -out \(kind).pem")
    }
    let extensions = folder.appendingPathComponent("\(kind).ext")
    try Data("subjectAltName=\(names)".utf8).write(to: extensions)
    try await openSSL(folder, "req -new \(newKey) -out \(kind).csr")
    try await openSSL(
      folder,
      "x509 -req -in \(kind).csr -CA authority.pem -CAkey authority.key -CAcreateserial "
        + "-days \(kind == .expired ? -1 : 30) -extfile \(kind).ext -out \(kind).pem")
  }

  private static func openSSL(_ folder: URL, _ arguments: String) async throws {
    var command = Command(words: ["openssl"] + arguments.split(separator: " ").map(String.init))
    command.folder = folder
    let outcome = try await command.run()
    guard outcome.status == 0 else {
      throw LoopbackError(sentence: "openssl \(arguments) failed with \(outcome)")
    }
  }
}
