import Cryptography
import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The files of ``Deployments``: the record of starts, and the documents that it names.
///
/// A document is written under a name of its own before the record names it, and removed after the record no
/// longer does. The record is replaced in one step, so that SIGKILL at any time leaves the state before or
/// after it; of two documents that are there, the record says which one counts.
struct StartStore: Sendable {
  private static let prefix = "deployment-"
  private static let ending = ".document"
  /// The maximum number of documents from which a lost record is rebuilt.
  private static let rebuildLimit = 8

  let folder: String
  let verifier: DeploymentVerifier

  var recordFile: WholeFile { WholeFile(path: "\(folder)/deployment.starts") }
  private var lockPath: String { "\(folder)/deployment.lock" }

  /// Takes the lock of the folder; nil if another process has it.
  func lock() throws(DeploymentError) -> FileLock? {
    do { return try FileLock(lockPath) } catch { throw DeploymentError(error, at: lockPath) }
  }

  /// Reads the record of starts, or begins it anew if it is damaged or missing.
  ///
  /// - Parameter isOwner: Whether a damaged record may be set aside.
  /// - Throws: ``DeploymentError`` if it can't be read now, but perhaps later.
  func ledger(app: String, at now: WallTime, isOwner: Bool) throws(DeploymentError) -> StartLedger {
    let reason: String
    do throws(WholeFileFault) {
      if let bytes = try recordFile.bytes(upTo: StartLedger.maximumSize) {
        if let ledger = StartLedger(bytes) { return ledger }
        reason = "The record of starts was damaged"
      } else {
        reason = "The record of starts was missing"
      }
    } catch {
      guard !error.isPassing else { throw DeploymentError(error, at: recordFile.path) }
      reason = "The record of starts can't be read: \(error.reason)"
    }
    let (documents, record) = try stored()
    let isThere = FileStatus(at: recordFile.path) != nil
    guard isThere || !documents.isEmpty else { return StartLedger() }
    let place = isThere && isOwner ? "; " + WholeFile.clause(setAside: recordFile.setAside()) : ""
    return StartLedger(
      rebuiltFrom: documents, record, app: app, at: now,
      detail: "\(reason)\(place). The newest document is on trial again.")
  }

  /// The stored documents that can be verified, from the oldest to the newest.
  private func stored() throws(DeploymentError) -> ([StartLedger.Version], DeploymentRecord) {
    var found: [(StartLedger.Version, DeploymentDocument)] = []
    for name in names.prefix(Self.rebuildLimit) {
      guard let bytes = try? WholeFile(path: "\(folder)/\(name)").bytes(upTo: DeploymentDraft.maximumSize),
        let document = try? verifier.restore(bytes, after: DeploymentRecord())
      else { continue }
      found.append((try Self.version(of: document.bytes, number: document.version), document))
    }
    found.sort { $0.0.number < $1.0.number }
    var record = DeploymentRecord()
    for (_, document) in found { record.accept(document) }
    return (found.map(\.0), record)
  }

  /// Replaces the record of starts.
  func write(_ ledger: StartLedger) throws(DeploymentError) {
    let bytes: [UInt8]
    do throws(CryptographyError) { bytes = try ledger.bytes } catch {
      throw DeploymentError(.cryptography(operation: error.operation))
    }
    do { try recordFile.replace(with: bytes, isSynchronized: true) } catch {
      throw DeploymentError(error, at: recordFile.path)
    }
  }

  /// Reads a stored document, and verifies it.
  func document(
    _ version: StartLedger.Version, after record: DeploymentRecord
  ) throws(DeploymentError) -> DeploymentDocument {
    let file = file(of: version)
    let bytes: [UInt8]?
    do { bytes = try file.bytes(upTo: DeploymentDraft.maximumSize) } catch {
      throw DeploymentError(error, at: file.path, version: version.number)
    }
    guard let bytes else {
      throw DeploymentError(WholeFileFault(reason: "it is missing"), at: file.path, version: version.number)
    }
    guard try Self.version(of: bytes, number: version.number) == version else {
      throw DeploymentError(WholeFileFault(reason: "it is damaged"), at: file.path, version: version.number)
    }
    return try verifier.restore(bytes, after: record)
  }

  /// Stores a document; it has no effect until a record names it.
  func write(_ bytes: [UInt8], of version: StartLedger.Version) throws(DeploymentError) {
    let file = file(of: version)
    do { try file.replace(with: bytes, isSynchronized: true) } catch {
      throw DeploymentError(error, at: file.path, version: version.number)
    }
  }

  /// Removes what the record doesn't name: documents of before, and what a process has left that was killed.
  func removeDocuments(except ledger: StartLedger?) {
    let kept = Set(ledger?.entries.map { name($0.version) } ?? [])
    for name in names where !kept.contains(name) { WholeFile(path: "\(folder)/\(name)").remove() }
  }

  /// The version of a document with these bytes.
  static func version(of bytes: [UInt8], number: UInt64) throws(DeploymentError) -> StartLedger.Version {
    do { return StartLedger.Version(number: number, digest: try Digest.sha256(bytes)) } catch {
      throw DeploymentError(.cryptography(operation: error.operation))
    }
  }

  private func file(of version: StartLedger.Version) -> WholeFile {
    WholeFile(path: "\(folder)/\(name(version))")
  }

  private func name(_ version: StartLedger.Version) -> String {
    Self.prefix + "\(version.number)-" + Hexadecimal.encode(Array(version.digest.prefix(8))) + Self.ending
  }

  /// The names of the files of documents, also of those that were not completed.
  private var names: [String] {
    WholeFile.names(inFolder: folder) { name in
      name.hasPrefix(Self.prefix) && (name.hasSuffix(Self.ending) || name.hasSuffix(Self.ending + ".new"))
    }.sorted()
  }
}

extension StartLedger.Surroundings {
  /// The surroundings of this process.
  static func current(app: String) -> Self { Self(app: app, boot: Self.boot) }

  private static var boot: String {
    #if canImport(Darwin)
    var size = 64
    var text = [UInt8](repeating: 0, count: size)
    guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return "" }
    return String(decoding: text.prefix(size).prefix { $0 != 0 }, as: UTF8.self)
    #else
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &text, text.count)
    return count > 0 ? String(decoding: text.prefix(count).prefix { $0 > 0x20 }, as: UTF8.self) : ""
    #endif
  }
}
