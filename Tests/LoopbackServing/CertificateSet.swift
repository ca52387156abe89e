public import Foundation

/// An authority of its own and the certificates it issued, made by the `openssl` command into a folder.
public struct CertificateSet: Sendable {
  /// What is special about a server's certificate.
  public enum Kind: String, Sendable, CaseIterable {
    /// Issued by the authority, for ``CertificateSet/name`` and the loopback address, and valid now.
    case good
    /// As the good one, but over since yesterday.
    case expired
    /// Issued by the authority for another name.
    case wrongName
    /// Issued by nobody but itself.
    case selfSigned
  }

  /// The name that the good certificate is for, besides `localhost` and 127.0.0.1.
  public static let name = "api.switchyard.test"
  /// The PEM file of the authority.
  public let authorityFile: String
  private let folder: URL

  /// Makes keys and certificates; needs the `openssl` command.
  public init(in folder: URL) throws {
    self.folder = folder
    authorityFile = folder.appendingPathComponent("authority.pem").path
    try Self.openSSL(
      folder,
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout authority.key "
        + "-subj /CN=Switchyard-Test-Authority -days 30 -out authority.pem")
    for kind in Kind.allCases { try make(kind) }
  }

  /// The PEM file of a certificate.
  public func certificate(_ kind: Kind) -> String { folder.appendingPathComponent("\(kind).pem").path }

  /// The PEM file of a certificate's key.
  public func key(_ kind: Kind) -> String { folder.appendingPathComponent("\(kind).key").path }

  private func make(_ kind: Kind) throws {
    let names =
      kind == .wrongName ? "DNS:other.switchyard.test" : "DNS:\(Self.name),DNS:localhost,IP:127.0.0.1"
    let newKey =
      "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout \(kind).key -subj /CN=\(kind)"
    guard kind != .selfSigned else {
      return try Self.openSSL(
        folder, "req -x509 \(newKey) -days 30 -addext subjectAltName=\(names) -out \(kind).pem")
    }
    let extensions = folder.appendingPathComponent("\(kind).ext")
    try Data("subjectAltName=\(names)".utf8).write(to: extensions)
    try Self.openSSL(folder, "req -new \(newKey) -out \(kind).csr")
    try Self.openSSL(
      folder,
      "x509 -req -in \(kind).csr -CA authority.pem -CAkey authority.key -CAcreateserial "
        + "-days \(kind == .expired ? -1 : 30) -extfile \(kind).ext -out \(kind).pem")
  }

  private static func openSSL(_ folder: URL, _ arguments: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = folder
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw LoopbackError(sentence: "openssl \(arguments) ended with \(process.terminationStatus)")
    }
  }
}
