public import Interception

/// Why a page package is not signed, installed or served; the version installed before stays in use.
public enum PagePackageError: Error, LoggableError, Sendable, Hashable {
  /// The bytes are not a page package, or only a part of one.
  case malformed(String)
  /// The signature is not that of a trusted key.
  case untrusted
  /// The package is for another site than its store.
  case foreignSite(String, expected: String)
  /// The version is not higher than one that was installed before.
  case notNewer(version: Int, installed: Int)
  /// A file's bytes differ from their digests in the manifest.
  case damaged(path: String)
  /// The path of a file is not relative, has an empty, `.` or `..` segment or a character that paths must not
  /// have, or is longer than 1,024 bytes.
  case illegalPath(String)
  /// Two files have the same path.
  case duplicatePath(String)
  /// The text is not a media type.
  case illegalType(String, path: String)
  /// The text is not a host, with or without a port.
  case illegalSite(String)
  /// The version is not positive.
  case illegalVersion(Int)
  /// The package has more bytes than the limit.
  case tooLarge(limit: Int)
  /// The manifest, which has the path, the type and the digests of each file, has more bytes than the limit.
  case manifestTooLarge(limit: Int)
  /// The package has more files than the limit.
  case tooManyFiles(limit: Int)
  /// There is no key, or the text of one is not an Ed25519 key in PEM.
  case unreadableKey
  /// A file of the store can't be read or written.
  case file(path: String, reason: String)
  /// The cryptographic library failed.
  case cryptography(operation: String)
}

extension PagePackageError: CustomStringConvertible {
  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .malformed(let reason): "The page package can't be read: \(reason); download it again."
    case .untrusted:
      "The page package is not signed by a key that its store trusts; sign it with the private key of one."
    case .foreignSite(let site, let expected):
      "The page package is for \"\(Self.shown(site))\"; install one for \"\(expected)\"."
    case .notNewer(let version, let installed):
      "The page package has version \(version), and version \(installed) was installed before; "
        + "sign it with a higher version."
    case .damaged(let path):
      "The file \"\(Self.shown(path))\" of the page package differs from its digest; download the package "
        + "again."
    case .illegalPath(let path):
      "\"\(Self.shown(path))\" is not the path of a page's file; use one like \"loan/index.html\"."
    case .duplicatePath(let path): "The page package has \"\(Self.shown(path))\" twice; leave one out."
    case .illegalType(let type, let path):
      "\"\(Self.shown(type))\", the type of \"\(Self.shown(path))\", is not a media type; use one like "
        + "\"text/html; charset=utf-8\"."
    case .illegalSite(let site):
      "\"\(Self.shown(site))\" is not a site of page packages; use its host, such as \"www.example.com\"."
    case .illegalVersion(let version):
      "\(version) is not the version of a page package; count versions from 1."
    case .tooLarge(let limit): "The page package has more than \(limit) bytes; leave files out."
    case .manifestTooLarge(let limit):
      "The list of the page package's files has more than \(limit) bytes; leave files out, or shorten their "
        + "paths."
    case .tooManyFiles(let limit): "The page package has more than \(limit) files; leave files out."
    case .unreadableKey:
      "A key of page packages is missing, or is not an Ed25519 key in PEM; pass one that "
        + "\"openssl genpkey -algorithm ed25519\" writes, or its public key."
    case .file(let path, let reason):
      "The file \(path) of page packages can't be used: \(reason); check its folder."
    case .cryptography(let operation): "The cryptographic library could not compute \(operation)."
    }
  }

  /// Returns at most 80 characters of a text, without control characters and others that aren't ASCII.
  private static func shown(_ text: String) -> String {
    String(text.unicodeScalars.prefix(80).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
  }
}
