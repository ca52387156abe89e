import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The unfinished file beside a download's target, locked by one download at a time.
///
/// Releasing it closes the file and unlocks it for the next download.
final class PartialFile: Sendable {
  private let descriptor: CInt
  private let paths: DownloadPaths

  /// Opens or creates the file, and locks it against other downloads of this and other processes.
  init(_ paths: DownloadPaths) throws(NetworkError) {
    self.paths = paths
    while true {
      let descriptor = Glue.open(paths.part)
      guard descriptor >= 0 else { throw Self.failure(errno, toOpen: paths.part) }
      do throws(NetworkError) {
        guard try Self.claim(descriptor, at: paths.part) else {
          close(descriptor)
          continue
        }
      } catch {
        close(descriptor)
        throw error
      }
      self.descriptor = descriptor
      return
    }
  }

  deinit {
    // Closing alone would leave the lock with a child process that was forked but has not yet called exec,
    // and still has the file open.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private enum Glue {
    static func open(_ path: String) -> CInt {
      #if canImport(Darwin)
      Darwin.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
      #elseif canImport(Musl)
      Musl.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
      #else
      Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
      #endif
    }
  }

  /// Returns the error for a file that can't be opened, which names what was put in its place.
  private static func failure(_ code: CInt, toOpen path: String) -> NetworkError {
    switch FileStatus(at: path)?.finding(for: .writing) {
    case .symbolicLink?:
      .download(
        .fileSystem(code: code),
        "The unfinished file \(path) is not used: it is a symbolic link; remove it, or choose another target."
      )
    case let finding?: refusal(of: path, finding)
    case nil: FileFailure.of(code, "open", path)
    }
  }

  private static func refusal(of path: String, _ finding: FileFinding) -> NetworkError {
    let fault: DownloadFault? = if case .notRegular = finding { nil } else { .foreignFile }
    return NetworkError(
      .invalidRequest,
      "The unfinished file \(path) is not used: \(finding); remove it, or choose a target in a folder that only "
        + "you can write.", underlying: fault)
  }

  /// Locks the file; returns false if another download has meanwhile renamed it to its target.
  ///
  /// - Throws: An error if another user may have put the file in its place. What is opened is judged, because
  ///   the path may have another file a moment later; and its owner is, because another user can keep the
  ///   file open, and write to it when it has become the target.
  private static func claim(_ descriptor: CInt, at path: String) throws(NetworkError) -> Bool {
    guard let status = FileStatus(ofDescriptor: descriptor) else { throw FileFailure.of(errno, "read", path) }
    // Removed since it was opened.
    guard status.links > 0 else { return false }
    if let finding = status.finding(for: .writing) { throw refusal(of: path, finding) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      guard code == EWOULDBLOCK else { throw FileFailure.of(code, "lock", path) }
      throw .download(
        .occupied, "Another download is writing \(path); wait for it, or choose another target.")
    }
    return try isNamed(descriptor, path)
  }

  /// Whether a path leads to an open file.
  private static func isNamed(_ descriptor: CInt, _ path: String) throws(NetworkError) -> Bool {
    guard let mine = FileStatus(ofDescriptor: descriptor) else { throw FileFailure.of(errno, "read", path) }
    return FileIdentity(path: path) == mine.identity
  }

  /// The number of bytes in the file.
  func size() throws(NetworkError) -> Int64 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFailure.of(errno, "read", paths.part) }
    return Int64(status.st_size)
  }

  /// Truncates the file, and records the version that it will contain.
  ///
  /// The old record is removed first, so that a record never exists beside bytes of another version.
  func restart(noting record: DownloadRecord?) throws(NetworkError) {
    try paths.removeNote()
    guard ftruncate(descriptor, 0) == 0 else { throw FileFailure.of(errno, "empty", paths.part) }
    if let record { try paths.write(record) }
  }

  /// Writes bytes at an offset.
  func write(_ bytes: [UInt8], at offset: Int64) throws(NetworkError) {
    try FileWriting.write(bytes, to: descriptor, at: offset, path: paths.part)
  }

  /// Synchronizes the file to disk, renames it to the target, and records its version.
  ///
  /// - Parameter record: The version of the whole content; nil if it has none, or is not to be kept.
  /// - Throws: ``NetworkError/Kind/invalidRequest`` if the target has meanwhile become something other than a
  ///   regular file.
  func finish(noting record: DownloadRecord?) throws(NetworkError) {
    guard fsync(descriptor) == 0 else { throw FileFailure.of(errno, "save", paths.part) }
    do throws(NetworkError) {
      try paths.checkTarget()
    } catch {
      var late = error
      late.requestMayHaveBeenProcessed = true
      throw late
    }
    // The folder may have been deleted and made again, with the unfinished file of another download.
    guard try Self.isNamed(descriptor, paths.part) else { throw FileFailure.of(ENOENT, "rename", paths.part) }
    guard rename(paths.part, paths.target) == 0 else { throw FileFailure.of(errno, "rename", paths.part) }
    // The path may have got another file between the two calls: what was renamed must be what was verified.
    let isTarget = try Self.isNamed(descriptor, paths.target)
    // Without the unfinished file, the record has no meaning.
    unlink(paths.note)
    guard isTarget else { throw Self.replacement(of: paths.target) }
    WholeFile(path: paths.target).synchronizeFolder()
    paths.write(
      FileStamp(ofDescriptor: descriptor).flatMap { stamp in
        record.map { DownloadedVersion(record: $0.ofComplete(total: stamp.size), stamp: stamp) }
      })
  }

  /// Returns the error for a target that has been replaced since the file was renamed to it.
  static func replacement(of target: String) -> NetworkError {
    guard let status = FileStatus(at: target) else { return FileFailure.of(ENOENT, "read", target) }
    guard let finding = status.finding(for: .writing) else {
      // Unfinished files of several accounts don't exclude each other.
      return .download(
        .occupied,
        "Another download has replaced \(target) meanwhile, such as that of another account; choose a target for "
          + "each, or wait for the other one.")
    }
    return .download(
      .foreignFile,
      "\(target) is not the file that was downloaded, but \(finding); choose a target in a folder that only you "
        + "can write.")
  }

  /// Whether the target is still the file that has a version.
  func isTarget(of record: DownloadRecord?) -> Bool { record != nil && paths.readVersion() == record }

  /// Synchronizes the file to disk, and then records its progress.
  ///
  /// In this order, the record never states bytes that a power failure may take.
  func checkpoint(_ record: DownloadRecord) throws(NetworkError) {
    guard fsync(descriptor) == 0 else { throw FileFailure.of(errno, "save", paths.part) }
    try paths.write(record)
  }

  /// Returns the digest of the file's content.
  func digest(by algorithm: FileDigest.Algorithm) async throws(NetworkError) -> FileDigest {
    try await FileHash.digest(of: descriptor, at: paths.part, by: algorithm)
  }

  /// Returns the digest of the target's content; nil if it can't be read.
  func digestOfTarget(by algorithm: FileDigest.Algorithm) async throws(NetworkError) -> FileDigest? {
    try await FileHash.digest(ofFileAt: paths.target, by: algorithm)
  }

  /// Keeps the file for a later download, and synchronizes it to disk if possible.
  func keep() { _ = fsync(descriptor) }

  /// Removes the file and its record, unless they are still those of another owner: a run that has received
  /// nothing has not replaced them.
  func discard() {
    if paths.hasOtherOwner { return }
    // If the file has been renamed to the target or removed, another download may have begun at its path.
    if let present = FileIdentity(path: paths.part),
      present != FileStatus(ofDescriptor: descriptor)?.identity
    {
      return
    }
    unlink(paths.note)
    unlink(paths.part)
  }
}
