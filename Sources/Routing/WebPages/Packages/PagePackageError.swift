public import Interception

/// Why a page package is not signed, installed or served; the version installed before stays in use.
public struct PagePackageError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong and what to do.
  public let description: String
  /// The version that was installed before, if the package is refused because it is not newer; else nil.
  public let installedVersion: Int?
  /// The file of the store that can't be read or written, if that is the reason; else nil.
  package let file: String?

  private init(_ description: String, installedVersion: Int? = nil, file: String? = nil) {
    self.description = description
    self.installedVersion = installedVersion
    self.file = file
  }

  /// The bytes are not a page package, or only a part of one.
  package static func malformed(_ reason: String) -> PagePackageError {
    PagePackageError("The page package can't be read: \(reason); download it again.")
  }

  /// The signature is not that of a trusted key.
  package static let untrusted = PagePackageError(
    "The page package is not signed by a key that its store trusts; sign it with the private key of one.")

  /// The package is for another site than its store.
  package static func foreignSite(_ site: String, expected: String) -> PagePackageError {
    PagePackageError("The page package is for \"\(shown(site))\"; install one for \"\(expected)\".")
  }

  /// The version is not higher than one that was installed before.
  package static func notNewer(version: Int, installed: Int) -> PagePackageError {
    PagePackageError(
      "The page package has version \(version), and version \(installed) was installed before; "
        + "sign it with a higher version.", installedVersion: installed)
  }

  /// A file's bytes differ from their digests in the manifest.
  package static func damaged(path: String) -> PagePackageError {
    PagePackageError(
      "The file \"\(shown(path))\" of the page package differs from its digest; download the package again.")
  }

  /// The path of a file is not relative, has an empty, `.` or `..` segment or a character that paths must not
  /// have, or is longer than 1,024 bytes.
  package static func illegalPath(_ path: String) -> PagePackageError {
    PagePackageError("\"\(shown(path))\" is not the path of a page's file; use one like \"loan/index.html\".")
  }

  /// Two files have the same path.
  package static func duplicatePath(_ path: String) -> PagePackageError {
    PagePackageError("The page package has \"\(shown(path))\" twice; leave one out.")
  }

  /// The text is not a media type.
  package static func illegalType(_ type: String, path: String) -> PagePackageError {
    PagePackageError(
      "\"\(shown(type))\", the type of \"\(shown(path))\", is not a media type; use one like "
        + "\"text/html; charset=utf-8\".")
  }

  /// The text is not a host, with or without a port.
  package static func illegalSite(_ site: String) -> PagePackageError {
    PagePackageError(
      "\"\(shown(site))\" is not a site of page packages; use its host, such as \"www.example.com\".")
  }

  /// The version is not positive.
  package static func illegalVersion(_ version: Int) -> PagePackageError {
    PagePackageError("\(version) is not the version of a page package; count versions from 1.")
  }

  /// The package has more bytes than the limit.
  package static func tooLarge(limit: Int) -> PagePackageError {
    PagePackageError("The page package has more than \(limit) bytes; leave files out.")
  }

  /// The manifest, which has the path, the type and the digests of each file, has more bytes than the limit.
  package static func manifestTooLarge(limit: Int) -> PagePackageError {
    PagePackageError(
      "The list of the page package's files has more than \(limit) bytes; leave files out, or shorten their "
        + "paths.")
  }

  /// The package has more files than the limit.
  package static func tooManyFiles(limit: Int) -> PagePackageError {
    PagePackageError("The page package has more than \(limit) files; leave files out.")
  }

  /// There is no key, or the text of one is not an Ed25519 key in PEM.
  package static let unreadableKey = PagePackageError(
    "A key of page packages is missing, or is not an Ed25519 key in PEM; pass one that "
      + "\"openssl genpkey -algorithm ed25519\" writes, or its public key.")

  /// A file of the store can't be read or written.
  package static func file(path: String, reason: String) -> PagePackageError {
    PagePackageError(
      "The file \(path) of page packages can't be used: \(reason); check its folder.", file: path)
  }

  /// The cryptographic library failed.
  package static func cryptography(operation: String) -> PagePackageError {
    PagePackageError("The cryptographic library could not compute \(operation).")
  }

  /// Returns at most 80 characters of a text, without control characters and others that aren't ASCII.
  private static func shown(_ text: String) -> String {
    String(text.unicodeScalars.prefix(80).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
  }
}
