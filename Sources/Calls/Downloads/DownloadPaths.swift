import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The paths of a download's files, and the record beside the unfinished file.
struct DownloadPaths: Sendable {
  let target: String
  let part: String
  var note: String { part + ".info" }
  /// The version of the complete file, in a hidden file.
  let version: String
  private let owner: StorageOwner

  /// A record has a few hundred bytes; a longer file is not one.
  private static let longestNote = 16 << 10

  /// Creates the paths beside a target.
  ///
  /// The unfinished file of an account has a name of its own, so that no other account resumes, replaces or
  /// removes it.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest`` if no regular file can have the target's name.
  init(target: String, owner: StorageOwner = .none) throws(NetworkError) {
    guard !target.isEmpty, target.utf8.last != UInt8(ascii: "/"), !target.utf8.contains(0) else {
      throw NetworkError(
        .invalidRequest, "The download's target is not a file name; pass the path of a file.")
    }
    self.target = target
    self.owner = owner
    part = target + ".part" + owner.suffix
    let name =
      target.utf8.lastIndex(of: UInt8(ascii: "/")).map(target.utf8.index(after:)) ?? target.startIndex
    version = "\(target[..<name]).\(target[name...]).version"
    try checkTarget()
  }

  /// Checks that the target doesn't exist or is a regular file.
  ///
  /// Renaming replaces any existing file, and no system call renames only onto regular files. The target is
  /// therefore checked before anything is requested, and again immediately before the renaming: only a file
  /// of another kind created between this second check and the renaming is still replaced. Symbolic links in
  /// the path's folders are followed.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, with the kind of file found.
  func checkTarget() throws(NetworkError) {
    var status = stat()
    // If the target's status cannot be read, opening the unfinished file beside it reports the reason.
    guard lstat(target, &status) == 0 else { return }
    let kind: String
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: kind = "a folder; pass the path of a file in it"
    case S_IFLNK: kind = "a symbolic link; pass the path of its destination, or remove it"
    case S_IFIFO: kind = "a FIFO; write a stream to it instead, or pass the path of a file"
    case S_IFCHR, S_IFBLK: kind = "a device; write a stream to it instead, or pass the path of a file"
    case S_IFSOCK: kind = "a socket; write a stream to it instead, or pass the path of a file"
    default: kind = "not a regular file; pass the path of one"
    }
    throw NetworkError(.invalidRequest, "The download's target \(target) is \(kind).")
  }

  /// Returns the record of an earlier download, or nil if there is none or it is not valid.
  ///
  /// - Throws: An error if it can't be read for a reason that may pass: without it, the unfinished file would
  ///   be begun anew, or removed.
  func readNote() throws(NetworkError) -> DownloadRecord? {
    do throws(WholeFileFault) {
      return try WholeFile(path: note).bytes(upTo: Self.longestNote).flatMap { DownloadRecord($0) }
    } catch {
      guard error.isPassing, let code = error.code else { return nil }
      throw FileFailure.of(code, "read", note)
    }
  }

  /// Whether the unfinished file is, or may be, that of another owner.
  var hasOtherOwner: Bool {
    do throws(NetworkError) {
      guard let record = try readNote() else { return false }
      return record.owner != owner.digest
    } catch {
      return true
    }
  }

  /// Returns the version of the target, or nil if it is unknown, the file has been changed or replaced
  /// since, or one of both files belongs to another user.
  func readVersion() -> DownloadRecord? {
    guard let bytes = try? WholeFile(path: version).bytes(upTo: Self.longestNote),
      let known = DownloadedVersion(bytes),
      known.stamp == FileStamp.ofFile(at: target),
      // A file with the stamp of one that was removed can be made in its place.
      let status = FileStatus(at: target), status.finding(for: .reading) == nil
    else { return nil }
    return known.record
  }

  /// Replaces the record atomically, by one that only its owner can read.
  ///
  /// It has a digest of what identifies the account, such as a token. It is removed if it would be too long
  /// to be read, as with an entity tag of many kilobytes.
  func write(_ record: DownloadRecord) throws(NetworkError) {
    guard owner.isKnown else { return }
    guard record.bytes.count <= Self.longestNote else { return try removeNote() }
    do throws(WholeFileFault) {
      try WholeFile(path: note).replace(with: record.bytes, isSynchronized: true)
    } catch {
      // Without a code, a file of another kind has the name.
      throw FileFailure.of(error.code ?? EEXIST, "write", note)
    }
  }

  /// Replaces the version of the target; nil removes it.
  ///
  /// Errors are ignored, because the download is complete: the next one is of the whole content then.
  func write(_ version: DownloadedVersion?) {
    unlink(self.version)
    guard owner.isKnown, let version, version.bytes.count <= Self.longestNote else { return }
    try? WholeFile(path: self.version).replace(with: version.bytes, isSynchronized: true)
  }

  /// Removes the record, if it exists.
  func removeNote() throws(NetworkError) {
    guard unlink(note) == 0 || errno == ENOENT else { throw FileFailure.of(errno, "remove", note) }
  }
}

/// Writes all given bytes, however few the system accepts per call.
enum FileWriting {
  static func write(
    _ bytes: [UInt8], to descriptor: CInt, at offset: Int64, path: String
  ) throws(NetworkError) {
    let code: CInt = bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = pwrite(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written,
          off_t(offset + Int64(written)))
        if count < 0 {
          let code = errno
          if code == EINTR { continue }
          return code
        }
        // When full, some file systems return 0 instead of an error.
        if count == 0 { return ENOSPC }
        written += count
      }
      return 0
    }
    guard code == 0 else { throw FileFailure.of(code, "write", path) }
  }
}

/// Translates errors of the file system into those of a download.
enum FileFailure {
  /// Returns the error for an `errno` code.
  static func of(_ code: CInt, _ verb: String, _ path: String) -> NetworkError {
    let what = "Cannot \(verb) \(path): \(String(cString: strerror(code)))"
    return switch code {
    case ENOSPC, EDQUOT, EFBIG:
      .download(.noSpace, "\(what); free disk space, and run the download again to resume it.")
    case EACCES, EPERM, EROFS:
      .download(.noPermission, "\(what); choose a writable folder.")
    case EMFILE, ENFILE, ENOMEM:
      .download(.fileSystem(code: code), "\(what); run the download again once fewer files are open.")
    default: .download(.fileSystem(code: code), "\(what); choose another target, or check its folder.")
    }
  }
}
