/// The certificate with which this program shows who it is, to servers that ask for one.
public struct ClientCertificate: Sendable {
  /// The PEM file of the certificate, followed by those between it and its authority.
  public var certificateFile: String
  /// The PEM file of its private key.
  public var keyFile: String
  /// The hosts that may see the certificate, written as in URLs; nil shows it to every server that asks.
  ///
  /// A certificate names its owner: name the hosts, unless the dispatcher speaks with no other ones.
  public var hosts: Set<String>?
  /// Gives the words that open the key's file; nil where it is not encrypted.
  ///
  /// It is asked once, where the dispatcher is made. What it gave stays in memory and appears in no error or
  /// log.
  public var passphrase: (@Sendable () -> String)?
  /// What `passphrase` gave.
  var givenPassphrase: String?

  /// Makes a certificate of two files.
  public init(
    certificateFile: String, keyFile: String, hosts: Set<String>? = nil,
    passphrase: (@Sendable () -> String)? = nil
  ) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    self.hosts = hosts.map { Set($0.map(WebOrigin.comparable)) }
    self.passphrase = passphrase
  }

  /// Whether a host may see it.
  func isMeant(for host: String) -> Bool { hosts?.contains(WebOrigin.comparable(host)) ?? true }

  /// The certificate with its passphrase read.
  var opened: ClientCertificate {
    var copy = self
    copy.givenPassphrase = passphrase?()
    copy.passphrase = nil
    return copy
  }
}

extension ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The certificate's file.
  public var description: String { "ClientCertificate(\(certificateFile))" }
  /// The certificate's file.
  public var debugDescription: String { description }
  /// The files, without what opens them.
  public var customMirror: Mirror {
    Mirror(self, children: ["certificateFile": certificateFile, "keyFile": keyFile])
  }
}

extension WebOrigin {
  /// A host's name in the one form in which names are compared: lower case, without the root's dot.
  static func comparable(_ host: String) -> String {
    let host = host.lowercased()
    return host.hasSuffix(".") ? String(host.dropLast()) : host
  }
}
