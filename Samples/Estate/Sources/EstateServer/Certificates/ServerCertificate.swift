public import Foundation
import NIOSSL

/// The certificate the server shows and the key to it.
public struct ServerCertificate: Sendable {
  /// Where the files came from.
  public enum Source: Sendable, Equatable {
    /// They were made now, for there were none.
    case made
    /// They were there and hold on for a while.
    case reused
    /// They were there and near their end, so new ones were made.
    case renewed
  }

  static let fileNames = ["ca.pem", "server.pem", "server-key.pem"]
  /// How long before its end a certificate is renewed.
  static let margin: TimeInterval = 30 * 24 * 3600
  /// How long a new certificate lasts.
  static let days = 397

  /// Where the files came from.
  public let source: Source
  /// The moment the certificate ends.
  public let end: Date
  let configuration: TLSConfiguration

  /// Reads the certificate of a state directory; makes or renews it when needed.
  ///
  /// Throws when files are missing in part, damaged, or do not belong together: then somebody should look.
  public static func prepare(
    in directory: StateDirectory, now: Date = Date(),
    searchPath: String? = ProcessInfo.processInfo.environment["PATH"]
  ) throws(StateDirectoryError) -> ServerCertificate {
    let missing = fileNames.filter { !directory.exists($0) }
    let making = CertificateMaking(openssl: try OpenSSLProgram(searchPath: searchPath), days: days)
    if missing.count == fileNames.count {
      try making.make(in: directory)
      return try load(from: directory, source: .made, openssl: making.openssl)
    }
    guard missing.isEmpty else {
      throw damaged("\(missing.map(directory.path).joined(separator: ", ")) is missing.", in: directory)
    }
    let found = try load(from: directory, source: .reused, openssl: making.openssl)
    if found.end.timeIntervalSince(now) > margin { return found }
    try making.make(in: directory)
    return try load(from: directory, source: .renewed, openssl: making.openssl)
  }

  private static func load(
    from directory: StateDirectory, source: Source, openssl: OpenSSLProgram
  ) throws(StateDirectoryError) -> ServerCertificate {
    try directory.restrict("server-key.pem")
    let leaf = try certificate("server.pem", in: directory)
    _ = try certificate("ca.pem", in: directory)
    let keyBytes = [UInt8](try directory.read("server-key.pem"))
    guard let key = try? NIOSSLPrivateKey(bytes: keyBytes, format: .pem) else {
      throw damaged("\(directory.path("server-key.pem")) is not a private key.", in: directory)
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(leaf)], privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    // Making a context compares the key with the certificate.
    guard (try? NIOSSLContext(configuration: configuration)) != nil else {
      throw damaged("\(directory.path("server-key.pem")) is not the key of server.pem.", in: directory)
    }
    do {
      // Its end is looked at by the caller, who renews; here it only matters who signed it.
      try openssl.run(["verify", "-no_check_time", "-CAfile", "ca.pem", "server.pem"], in: directory)
    } catch {
      throw damaged("\(directory.path("server.pem")) is not signed by ca.pem.", in: directory)
    }
    let end = Date(timeIntervalSince1970: TimeInterval(leaf.notValidAfter))
    return ServerCertificate(source: source, end: end, configuration: configuration)
  }

  private static func certificate(
    _ name: String, in directory: StateDirectory
  ) throws(StateDirectoryError) -> NIOSSLCertificate {
    let bytes = [UInt8](try directory.read(name))
    guard let certificate = try? NIOSSLCertificate(bytes: bytes, format: .pem) else {
      throw damaged("\(directory.path(name)) is not a certificate.", in: directory)
    }
    return certificate
  }

  private static func damaged(_ reason: String, in directory: StateDirectory) -> StateDirectoryError {
    .damaged(reason: reason, delete: fileNames.map(directory.path))
  }
}
