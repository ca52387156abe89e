import Cryptography
import Interception
import Synchronization

/// The installed page package of a site, in a folder of the device.
///
/// ```swift
/// let store = try PagePackageStore(
///   folder: folder, site: "www.example.com", trusting: [publicKey])
/// try await store.install(bytes)
/// ```
///
/// Installing renames one file: SIGKILL at any time leaves the former or the new version. Files are served
/// from the package and never extracted, so no path of a package reaches the file system. Each block of 256
/// KiB is compared with its signed digest before a byte of it is delivered.
///
/// A version lower than an earlier one is refused, even if the package was deleted or replaced by an older
/// one: a file beside the package records the highest version. It is written when a package is installed, or
/// when the store is opened, if an installation was interrupted before. If the record can't be read or is
/// damaged, nothing is served or installed; see ``fault``. Removing all files of the store forgets the
/// versions.
public final class PagePackageStore: Sendable {
  /// The site whose pages the store has, in lower case.
  package let site: String
  private let path: String
  private let keys: [AsymmetricKey]
  /// Held for the time of an installation; no property waits for it.
  private let installing = Mutex(())
  /// Never held during I/O.
  private let state = Mutex(State())

  private struct State {
    var opened = Opened()
    /// The number of times that the files were opened.
    var count = 0
    /// The package of a deployment document, which is served instead of the one on disk.
    var deployed: OpenPackage?
  }

  /// What the files on disk are.
  private struct Opened {
    var package: OpenPackage?
    var fault: PagePackageError?
    /// Whether the version of the package has to be recorded as the highest one.
    var isUnrecorded = false
  }

  /// Opens the store, and the package that is installed in it.
  ///
  /// - Parameters:
  ///   - folder: A folder that exists and that only the app writes. The names of the store's files begin with
  ///     the site.
  ///   - site: The host of the site, with a port unless it is 443.
  ///   - texts: The Ed25519 public keys in PEM that may sign packages: the present one, and the next one
  ///     while the key is exchanged.
  /// - Throws: ``PagePackageError`` if an argument is invalid. A package that is not served is no error; see
  ///   ``fault``.
  public init(folder: String, site: String, trusting texts: [String]) throws(PagePackageError) {
    guard let canonical = PageSite.canonical(site) else { throw .illegalSite(site) }
    var keys: [AsymmetricKey] = []
    for text in texts {
      guard let key = AsymmetricKey(publicPEM: text), key.kind == .ed25519 else { throw .unreadableKey }
      keys.append(key)
    }
    guard !keys.isEmpty else { throw .unreadableKey }
    guard folder.isWholeInC else { throw .file(path: folder, reason: "its path contains a null byte") }
    self.site = canonical
    self.keys = keys
    path = "\(folder)/\(canonical).pages"
    use(open())
  }

  /// The version of the package that is served; nil if there is none.
  public var version: Int? { state.withLock { ($0.deployed ?? $0.opened.package)?.version } }

  /// Why the package on disk is not served, or its version not recorded; nil if all is well, or there are no
  /// files.
  ///
  /// The package may be torn, signed by another, older than an earlier one, or unreadable. The file that the
  /// error names can be the record of the highest version: if it can't be read or is damaged, no package is
  /// served; if it can't be written, the package is served, and the next start or installation writes the
  /// record.
  public var fault: PagePackageError? { state.withLock { $0.opened.fault } }

  /// The package that is served.
  var package: OpenPackage? {
    let (last, count, deployed) = state.withLock { ($0.opened, $0.count, $0.deployed) }
    if let deployed { return deployed }
    // What made a file unreadable, such as too many open ones, may have passed.
    guard last.package == nil, last.fault?.file != nil else { return last.package }
    let opened = open()
    return state.withLock { state in
      // A package may have been installed meanwhile.
      if state.count == count { (state.opened, state.count) = (opened, count + 1) }
      return state.deployed ?? state.opened.package
    }
  }

  /// Installs a package in place of the present one.
  ///
  /// Everything is verified before anything is written; it returns when the disk has the package.
  ///
  /// - Parameter bytes: A package as ``PagePackage/signed(withPrivateKeyPEM:)`` returns it, at most 64 MiB.
  /// - Throws: ``PagePackageError``; the present package stays installed then.
  @concurrent public func install(_ bytes: [UInt8]) async throws(PagePackageError) {
    let mark = try PageVersionMark(try checked(bytes).archive.manifest)
    try installing.withLock { _ throws(PagePackageError) in try replace(with: bytes, mark) }
  }

  /// Verifies a package in memory.
  package func checked(_ bytes: [UInt8]) throws(PagePackageError) -> OpenPackage {
    try OpenPackage(bytes, site: site, trusting: keys)
  }

  /// Serves the package of a deployment document instead of the one on disk, which nil serves again.
  ///
  /// Its version is not compared: the version of the document was.
  package func deploy(_ package: OpenPackage?) { state.withLock { $0.deployed = package } }

  /// Compares the versions and replaces the package, in one step for all processes that use the store.
  private func replace(with bytes: [UInt8], _ mark: PageVersionMark) throws(PagePackageError) {
    guard let lock = try self.lock() else {
      throw .file(path: lockPath, reason: "a package is being installed; repeat it later")
    }
    defer { lock.release() }
    // Another process may have installed a version since.
    let present = openLocked()
    use(present)
    var known = try readMark()
    if let package = present.package, package.version > known?.version ?? 0 {
      known = try PageVersionMark(package.archive.manifest)
    }
    if let known {
      // The same package again is only useful in place of one that is lost or damaged.
      let isRepair = mark == known && present.package?.isIntact != true
      guard mark.version > known.version || isRepair else {
        throw .notNewer(version: mark.version, installed: known.version)
      }
    }
    try write(bytes, to: path)
    // Records the version, too. If the process ends before, the package itself states the version, and the
    // next start records it.
    use(openLocked())
  }

  /// Serves what was opened.
  private func use(_ opened: Opened) {
    state.withLock { ($0.opened, $0.count) = (opened, $0.count + 1) }
  }

  /// Opens the package on disk, and records its version if an installation was interrupted before.
  private func open() -> Opened {
    var opened = readFiles()
    guard opened.isUnrecorded else { return opened }
    do throws(PagePackageError) {
      // The holder of the lock is installing a package, and records its version.
      guard let lock = try self.lock() else { return opened }
      defer { lock.release() }
      return openLocked()
    } catch {
      opened.fault = error
      return opened
    }
  }

  /// Opens the package on disk, and records its version; the calling function holds the lock.
  private func openLocked() -> Opened {
    var opened = readFiles()
    guard opened.isUnrecorded, let package = opened.package else { return opened }
    do throws(PagePackageError) {
      try write(PageVersionMark(package.archive.manifest).bytes, to: markPath)
    } catch {
      opened.fault = error
    }
    return opened
  }

  /// Opens the package on disk, unless a later version was installed before.
  private func readFiles() -> Opened {
    do throws(PagePackageError) {
      let mark = try readMark()
      guard let package = try OpenPackage.at(path, site: site, trusting: keys) else { return Opened() }
      let own = try PageVersionMark(package.archive.manifest)
      if let mark {
        guard own.version > mark.version || own == mark else {
          throw .notNewer(version: own.version, installed: mark.version)
        }
      }
      return Opened(package: package, isUnrecorded: own != mark)
    } catch {
      return Opened(fault: error)
    }
  }

  private var markPath: String { path + ".version" }
  private var lockPath: String { path + ".lock" }

  /// Returns the highest version that was installed; nil if none is recorded.
  ///
  /// A record that can't be read is not the same as none: an older package would be served.
  private func readMark() throws(PagePackageError) -> PageVersionMark? {
    let bytes: [UInt8]?
    do throws(WholeFileFault) {
      bytes = try WholeFile(path: markPath).bytes(upTo: PageVersionMark.maximumSize)
    } catch {
      throw .file(path: markPath, reason: error.reason)
    }
    guard let bytes else { return nil }
    guard let mark = PageVersionMark(bytes) else {
      throw .file(
        path: markPath,
        reason: "it is damaged, so that the highest installed version is unknown; to forget the versions, "
          + "remove it together with the package")
    }
    return mark
  }

  /// Takes the lock by which one process at a time installs a package; nil if it is taken.
  private func lock() throws(PagePackageError) -> FileLock? {
    do { return try FileLock(lockPath) } catch { throw .file(path: lockPath, reason: error.reason) }
  }

  private func write(_ bytes: [UInt8], to path: String) throws(PagePackageError) {
    do throws(WholeFileFault) {
      try WholeFile(path: path).replace(with: bytes, isSynchronized: true)
    } catch {
      throw .file(path: path, reason: error.reason)
    }
  }
}

/// The version of a manifest, with a digest that tells two packages of one version apart.
struct PageVersionMark: Hashable {
  static let maximumSize = 256
  private static let format = "switchyard page version 1"

  let version: Int
  private let digest: [UInt8]

  init(_ manifest: PageManifest) throws(PagePackageError) {
    version = manifest.version
    do throws(CryptographyError) { digest = try HashValue(sha256: manifest.bytes).bytes } catch {
      throw .cryptography(operation: error.operation)
    }
  }

  /// Reads a mark; nil if it is damaged.
  init?(_ bytes: [UInt8]) {
    var reader = LengthPrefixedReader(bytes[...])
    guard reader.text() == Self.format, let version = reader.count(), let digest = reader.field(),
      digest.count == Digest.size, reader.isAtEnd
    else { return nil }
    self.version = version
    self.digest = Array(digest)
  }

  var bytes: [UInt8] {
    var fields = LengthPrefixed()
    fields.append(Self.format)
    fields.append(count: version)
    fields.append(digest)
    return fields.bytes
  }
}
