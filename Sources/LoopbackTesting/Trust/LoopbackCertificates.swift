#if LoopbackTesting
import Foundation

/// A certificate authority and its certificates, created by the `openssl` command in a temporary folder.
///
/// The folder is removed when the value is released.
public final class LoopbackCertificates: Sendable {
  /// The kind of a server's certificate.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Valid, and issued by the authority for ``LoopbackCertificates/name``, `localhost` and 127.0.0.1.
    case good
    /// Like the good one, but expired yesterday.
    case expired
    /// Issued by the authority for another host name.
    case wrongName
    /// Self-signed.
    case selfSigned
  }

  /// The host name of the good certificate; it cannot be resolved by DNS.
  public static let name = "api.switchyard.test"
  /// The PEM file of the authority that a client should trust.
  public let authorityFile: String
  private let folder: URL

  // Created once per process: a dozen commands take longer than most tests that need them.
  private static let made = Task { try await make() }

  /// Writes the keys and certificates of this process to a new folder; they are valid for a month.
  ///
  /// The first call in a process creates them, without blocking a thread of the cooperative pool.
  ///
  /// - Throws: ``LoopbackError`` if there is no `openssl` command or it fails.
  public init() async throws {
    let files = try await Self.made.value
    folder = try Self.makeFolder()
    authorityFile = folder.appendingPathComponent("authority.pem").path
    for (name, bytes) in files { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns the PEM file of a certificate.
  public func certificate(_ kind: Kind) -> String {
    folder.appendingPathComponent("\(kind.rawValue).pem").path
  }

  /// Returns the PEM file of a certificate's private key.
  public func key(_ kind: Kind) -> String { folder.appendingPathComponent("\(kind.rawValue).key").path }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("loopback-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Returns the files of an authority and its certificates, by name.
  private static func make() async throws -> [String: [UInt8]] {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try await openSSL(
      ["req", "-x509"] + newKey("authority") + ["-days", "31", "-out", "authority.pem"], in: folder)
    for kind in Kind.allCases { try await make(kind, in: folder) }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(into: [:]) { files, name in
      // Stored as arrays, because the leak sanitizer does not recognize references held by Data.
      files[name] = try [UInt8](Data(contentsOf: folder.appendingPathComponent(name)))
    }
  }

  private static func newKey(_ name: String) -> [String] {
    [
      "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "\(name).key",
      "-subj", "/CN=\(name)",
    ]
  }

  private static func make(_ kind: Kind, in folder: URL) async throws {
    let names =
      kind == .wrongName ? "DNS:other.switchyard.test" : "DNS:\(name),DNS:localhost,IP:127.0.0.1"
    let key = newKey(kind.rawValue)
    guard kind != .selfSigned else {
      return try await openSSL(
        ["req", "-x509"] + key
          + ["-days", "30", "-addext", "subjectAltName=\(names)", "-out", "\(kind.rawValue).pem"], in: folder)
    }
    try Data("subjectAltName=\(names)\n".utf8)
      .write(to: folder.appendingPathComponent("\(kind.rawValue).ext"))
    try await openSSL(["req", "-new"] + key + ["-out", "\(kind.rawValue).csr"], in: folder)
    let days = kind == .expired ? "-1" : "30"
    try await openSSL(
      [
        "x509", "-req", "-in", "\(kind.rawValue).csr", "-CA", "authority.pem", "-CAkey", "authority.key",
        "-CAcreateserial", "-days", days, "-extfile", "\(kind.rawValue).ext", "-out", "\(kind.rawValue).pem",
      ], in: folder)
  }

  private static func openSSL(_ arguments: [String], in folder: URL) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let (ended, end) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { process in
      end.yield(process.terminationStatus)
      end.finish()
    }
    do {
      try process.run()
    } catch {
      throw LoopbackError("The openssl command cannot be run (\(error)); install OpenSSL.")
    }
    let status = await ended.first { _ in true } ?? -1
    guard status == 0 else {
      throw LoopbackError(
        "openssl \(arguments.first ?? "") exited with \(status); install OpenSSL 1.1.1 or later.")
    }
  }
}
#endif
