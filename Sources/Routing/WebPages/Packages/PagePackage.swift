import Cryptography

/// The files of a site's pages for a device without a network, which the build of the site's server signs.
///
/// ```swift
/// var package = try PagePackage(site: "www.example.com", version: 12)
/// try package.add("loan/index.html", type: "text/html; charset=utf-8", html)
/// let bytes = try package.signed(withPrivateKeyPEM: key)
/// ```
///
/// The bytes are one file for any web server. A ``PagePackageStore`` of the app installs them. The package
/// states the version, the digests of all files (SHA-256) and their media types, signed with Ed25519 (RFC
/// 8032). Equal packages have equal bytes. A package has at most 64 MiB and 4,096 files, whose list has at
/// most 4 MiB.
public struct PagePackage: Sendable {
  private let site: String
  private let version: Int
  private var files: [[UInt8]: (type: String, bytes: [UInt8])] = [:]
  private var size = 0

  /// Creates a package without files.
  ///
  /// - Parameters:
  ///   - site: The host of the site, with a port unless it is 443.
  ///   - version: The number of the version, from 1; stores install only higher ones than before.
  /// - Throws: ``PagePackageError``.
  public init(site: String, version: Int) throws(PagePackageError) {
    guard let canonical = PageSite.canonical(site) else { throw .illegalSite(site) }
    guard version > 0 else { throw .illegalVersion(version) }
    self.site = canonical
    self.version = version
  }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - path: The path of its URL without the first slash; `loan/index.html` also answers `/loan/`.
  ///   - type: Its media type, by which a web view alone decides what it is.
  /// - Throws: ``PagePackageError``; the package is unchanged then.
  public mutating func add(_ path: String, type: String, _ bytes: [UInt8]) throws(PagePackageError) {
    let key = Array(path.utf8)
    guard PagePath.isValid(key) else { throw .illegalPath(path) }
    guard PageManifest.isType(type) else { throw .illegalType(type, path: path) }
    guard files[key] == nil else { throw .duplicatePath(path) }
    guard files.count < PageManifest.maximumFiles else {
      throw .tooManyFiles(limit: PageManifest.maximumFiles)
    }
    guard bytes.count <= PageArchive.maximumSize - size else {
      throw .tooLarge(limit: PageArchive.maximumSize)
    }
    files[key] = (type, bytes)
    size += bytes.count
  }

  /// Returns the signed package, for a file on the server.
  ///
  /// - Parameter text: An Ed25519 private key in PEM, as `openssl genpkey -algorithm ed25519` writes it.
  /// - Throws: ``PagePackageError``, which never contains the key.
  public func signed(withPrivateKeyPEM text: String) throws(PagePackageError) -> [UInt8] {
    guard let key = AsymmetricKey(privatePEM: text), key.kind == .ed25519 else { throw .unreadableKey }
    let sorted = files.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    var entries: [PageManifest.Entry] = []
    for (path, file) in sorted {
      var digests: [HashValue] = []
      for start in stride(from: 0, to: file.bytes.count, by: PageManifest.blockSize) {
        let block = Array(file.bytes[start..<min(start + PageManifest.blockSize, file.bytes.count)])
        do throws(CryptographyError) { digests.append(try HashValue(sha256: block)) } catch {
          throw .cryptography(operation: error.operation)
        }
      }
      entries.append(
        PageManifest.Entry(path: path, type: file.type, size: file.bytes.count, digests: digests))
    }
    let manifest = PageManifest(site: site, version: version, entries: entries)
    return try PageArchive.bytes(manifest: manifest, contents: sorted.map(\.value.bytes), signedBy: key)
  }
}
