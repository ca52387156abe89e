import Foundation

/// An authority of its own and the certificates it issued, made by the `openssl` command into a temporary folder.
///
/// The folder goes when the last user of the value lets go of it.
public final class LoopbackCertificates: Sendable {
  /// What is special about a server's certificate.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Issued by the authority, for ``LoopbackCertificates/name``, `localhost` and 127.0.0.1, and valid now.
    case good
    /// As the good one, but over since yesterday.
    case expired
    /// Issued by the authority for another name.
    case wrongName
    /// Issued by nobody but itself.
    case selfSigned
  }

  /// The name that the good certificate is for; no name server knows it.
  public static let name = "api.switchyard.test"
  /// The PEM file of the authority, for a client to trust.
  public let authorityFile: String
  private let folder: URL

  /// Makes keys and certificates; they are valid for a day.
  ///
  /// - Throws: ``LoopbackError`` where there is no `openssl` command, or it fails.
  public init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("loopback-\(UUID().uuidString)", isDirectory: true)
    authorityFile = folder.appendingPathComponent("authority.pem").path
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try openSSL(
      ["req", "-x509"] + Self.newKey("authority") + ["-days", "2", "-out", "authority.pem"])
    for kind in Kind.allCases { try make(kind) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The PEM file of a certificate.
  public func certificate(_ kind: Kind) -> String {
    folder.appendingPathComponent("\(kind.rawValue).pem").path
  }

  /// The PEM file of a certificate's key.
  public func key(_ kind: Kind) -> String { folder.appendingPathComponent("\(kind.rawValue).key").path }

  private static func newKey(_ name: String) -> [String] {
    [
      "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "\(name).key",
      "-subj",
      "/CN=\(name)",
    ]
  }

  private func make(_ kind: Kind) throws {
    let names =
      kind == .wrongName ? "DNS:other.switchyard.test" : "DNS:\(Self.name),DNS:localhost,IP:127.0.0.1"
    let key = Self.newKey(kind.rawValue)
    guard kind != .selfSigned else {
      return try openSSL(
        ["req", "-x509"] + key
          + ["-days", "1", "-addext", "subjectAltName=\(names)", "-out", "\(kind.rawValue).pem"])
    }
    try Data("subjectAltName=\(names)\n".utf8)
      .write(to: folder.appendingPathComponent("\(kind.rawValue).ext"))
    try openSSL(["req", "-new"] + key + ["-out", "\(kind.rawValue).csr"])
    try openSSL([
      "x509", "-req", "-in", "\(kind.rawValue).csr", "-CA", "authority.pem", "-CAkey", "authority.key",
      "-CAcreateserial", "-days", kind == .expired ? "-1" : "1", "-extfile", "\(kind.rawValue).ext", "-out",
      "\(kind.rawValue).pem",
    ])
  }

  private func openSSL(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw LoopbackError("The openssl command cannot be run (\(error)); install OpenSSL.")
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw LoopbackError(
        "openssl \(arguments.first ?? "") ended with \(process.terminationStatus); OpenSSL 1.1.1 or later is needed."
      )
    }
  }
}
