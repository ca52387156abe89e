package import Foundation

/// The certificate that the server shows, in a state directory with its key.
package struct ServerCertificate: Sendable {
  /// Where the files came from.
  package enum Source: Sendable, Equatable {
    case made
    case reused
    case renewed
  }

  static let certificateName = "server.pem"
  static let keyName = "server-key.pem"
  private static let authorityName = "ca.pem"
  static let fileNames = [authorityName, certificateName, keyName]
  /// The time before its end at which a certificate is renewed.
  static let margin: TimeInterval = 30 * 24 * 3600
  static let days = 397

  package let source: Source
  package let end: Date

  /// Checks the certificate of a state directory; makes or renews it if needed.
  ///
  /// Throws if some of the files are missing, damaged, or do not belong together.
  package static func prepare(
    in directory: StateDirectory, now: Date = Date(),
    searchPath: String? = ProcessInfo.processInfo.environment["PATH"]
  ) throws(StateDirectoryError) -> ServerCertificate {
    let missing = fileNames.filter { !directory.exists($0) }
    let making = CertificateMaking(openssl: try OpenSSLProgram(searchPath: searchPath), days: days)
    if missing.count == fileNames.count {
      try making.make(in: directory)
      return try load(from: directory, source: .made)
    }
    guard missing.isEmpty else {
      throw damaged("\(missing.map(directory.path).joined(separator: ", ")) is missing.", in: directory)
    }
    let found = try load(from: directory, source: .reused)
    if found.end.timeIntervalSince(now) > margin { return found }
    try making.make(in: directory)
    return try load(from: directory, source: .renewed)
  }

  private static func load(
    from directory: StateDirectory, source: Source
  ) throws(StateDirectoryError) -> ServerCertificate {
    try directory.restrict(keyName)
    let leaf = try certificate(certificateName, in: directory)
    let authority = try certificate(authorityName, in: directory)
    guard let key = PrivateKey(pem: [UInt8](try directory.read(keyName))) else {
      throw damaged("\(directory.path(keyName)) is not a private key.", in: directory)
    }
    guard leaf.isFor(key) else {
      throw damaged("\(directory.path(keyName)) is not the key of \(certificateName).", in: directory)
    }
    guard leaf.isSigned(by: authority) else {
      throw damaged("\(directory.path(certificateName)) is not signed by \(authorityName).", in: directory)
    }
    guard let end = leaf.end else {
      throw damaged("\(directory.path(certificateName)) does not say until when it is valid.", in: directory)
    }
    return ServerCertificate(source: source, end: end)
  }

  private static func certificate(
    _ name: String, in directory: StateDirectory
  ) throws(StateDirectoryError) -> Certificate {
    guard let certificate = Certificate(pem: [UInt8](try directory.read(name))) else {
      throw damaged("\(directory.path(name)) is not a certificate.", in: directory)
    }
    return certificate
  }

  private static func damaged(_ reason: String, in directory: StateDirectory) -> StateDirectoryError {
    .damaged(reason: reason, delete: fileNames.map(directory.path))
  }
}
