#if LoopbackTesting
import Foundation
import SwitchyardTesting

/// A certificate authority and its certificates, created by the `openssl` command in a temporary folder.
///
/// The folder is removed when the value is released.
public final class LoopbackCertificates: Sendable {
  /// The kind of a server's certificate.
  public enum Kind: String, Sendable, Hashable {
    /// Valid, and issued by the authority for `name`, `localhost` and 127.0.0.1.
    case good
    /// Like the good one, but expired yesterday.
    case expired
    /// Issued by the authority for another host name.
    case wrongName
    /// Self-signed.
    case selfSigned
  }

  /// The host name of the good certificate; it cannot be resolved by DNS.
  public static let name = TestCertificates.name
  /// The PEM file of the authority that a client should trust.
  public let authorityFile: String
  private let folder: URL

  /// Writes the keys and certificates of this process to a new folder; they are valid for a month.
  ///
  /// The first call in a process creates them, without blocking a thread of the cooperative pool.
  ///
  /// - Throws: ``LoopbackError`` if there is no `openssl` command or it fails.
  public init() async throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("loopback-\(UUID().uuidString)", isDirectory: true)
    authorityFile = folder.appendingPathComponent("authority.pem").path
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
      try await TestCertificates.write(to: folder)
    } catch let error as OpenSSLCommandError {
      throw LoopbackError(error.description)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns the PEM file of a certificate.
  func certificate(_ kind: Kind) -> String {
    folder.appendingPathComponent("\(kind.rawValue).pem").path
  }

  /// Returns the PEM file of a certificate's private key.
  func key(_ kind: Kind) -> String { folder.appendingPathComponent("\(kind.rawValue).key").path }
}
#endif
