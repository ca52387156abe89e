public import Interception

/// The certificate by which this program authenticates itself to servers that ask for one.
public struct ClientCertificate: Sendable {
  /// The PEM file of the certificate, followed by the intermediate certificates.
  package var certificateFile: String
  /// The PEM file of its private key.
  package var keyFile: String
  /// The hosts that the certificate is sent to, written as in URLs; nil sends it to every server that asks.
  package var hosts: Set<String>?
  /// Returns the passphrase of the key's file; nil if the file is not encrypted.
  package var passphrase: (@Sendable () -> String)?
  /// What `passphrase` returned.
  var givenPassphrase: String?

  /// Creates a certificate from two files.
  ///
  /// - Parameters:
  ///   - certificateFile: The PEM file of the certificate, followed by the intermediate certificates.
  ///   - keyFile: The PEM file of its private key.
  ///   - hosts: The hosts that the certificate is sent to, written as in URLs; nil sends it to every server
  ///     that asks.
  ///
  ///     Case and a dot at the end are ignored. A text that is no host, such as a pattern or one with a port,
  ///     fails every request as `invalidRequest`.
  ///
  ///     A certificate names its owner: set this unless the dispatcher connects to those hosts only.
  ///   - passphrase: Returns the passphrase of the key's file; nil if the file is not encrypted.
  ///
  ///     It is called once, when the dispatcher is created. The passphrase stays in memory and appears in no
  ///     error or log.
  public init(
    certificateFile: String, keyFile: String, hosts: Set<String>? = nil,
    passphrase: (@Sendable () -> String)? = nil
  ) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    self.hosts = hosts
    self.passphrase = passphrase
  }

  /// The certificate with its passphrase read.
  var opened: ClientCertificate {
    var copy = self
    copy.givenPassphrase = passphrase?()
    copy.passphrase = nil
    return copy
  }
}

extension ClientCertificate: Concealed, CustomStringConvertible {
  /// The certificate's file.
  public var description: String { "ClientCertificate(\(certificateFile))" }
}
