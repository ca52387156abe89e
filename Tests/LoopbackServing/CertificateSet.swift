import CommandRunning
public import Foundation
import SwitchyardTesting

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
  public static let name = TestCertificates.name
  /// The PEM file of the authority.
  public let authorityFile: String
  private let folder: URL

  /// Writes the keys and certificates of this process to a folder; requires the `openssl` command.
  public init(in folder: URL) async throws {
    self.folder = folder
    authorityFile = folder.appendingPathComponent("authority.pem").path
    try await TestCertificates.write(to: folder)
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

  private static func openSSL(_ folder: URL, _ arguments: String) async throws {
    var command = Command(words: ["openssl"] + arguments.split(separator: " ").map(String.init))
    command.folder = folder
    let outcome = try await command.run()
    guard outcome.status == 0 else {
      throw LoopbackError(sentence: "openssl \(arguments) failed with \(outcome)")
    }
  }
}
