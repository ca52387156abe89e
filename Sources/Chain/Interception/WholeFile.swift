#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that is read and replaced as a whole.
package struct WholeFile: Sendable, Hashable {
  /// The path.
  package let path: String

  /// Creates a file, which need not exist.
  package init(path: String) { self.path = path }

  /// Returns the content, or nil if the file doesn't exist.
  ///
  /// A symbolic link, a file of another user, and whatever is not a regular file are faults.
  ///
  /// - Parameter maximum: The maximum length in bytes; a longer file is a fault.
  package func bytes(upTo maximum: Int) throws(WholeFileFault) -> [UInt8]? {
    try checkPath()
    // A FIFO would block, and a symbolic link may lead to a file of another owner. What is opened is judged,
    // because the name may have another file a moment later.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT { return nil }
      let finding = FileStatus(at: path)?.finding(for: .reading)
      throw finding.map { WholeFileFault(reason: "\($0)") } ?? WholeFileFault(code: code)
    }
    defer { close(descriptor) }
    if let finding = FileStatus(ofDescriptor: descriptor)?.finding(for: .reading) {
      throw WholeFileFault(reason: "\(finding)")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw WholeFileFault(code: errno) }
    guard status.st_size <= maximum else {
      throw WholeFileFault(reason: "it has more than \(maximum) bytes")
    }
    let size = Int(status.st_size)
    var code: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while filled < size {
        let count = pread(descriptor, buffer.baseAddress?.advanced(by: filled), size - filled, off_t(filled))
        if count < 0, errno == EINTR { continue }
        if count < 0 { code = errno }
        guard count > 0 else { return }
        filled += count
      }
    }
    guard code == 0 else { throw WholeFileFault(code: code) }
    return bytes
  }

  /// Replaces the file atomically by one that only its owner can read.
  ///
  /// The end of the process at any time leaves the former or the new content. A temporary file with the
  /// ending `.new` may be left, which the next call removes.
  ///
  /// - Parameter isSynchronized: Whether the content is written to the disk first, and the file's name
  ///   afterwards, which takes milliseconds. A power failure then leaves one of the two contents as well, and
  ///   once this function has returned, the new one.
  package func replace(with bytes: [UInt8], isSynchronized: Bool) throws(WholeFileFault) {
    try checkPath()
    // Renaming would replace a device or a FIFO as well.
    if let kind = FileStatus(at: path)?.kind, kind != .regular, kind != .symbolicLink {
      throw WholeFileFault(reason: "it is not a regular file")
    }
    let new = path + ".new"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw WholeFileFault(code: errno) }
    defer { close(descriptor) }
    var code: CInt = 0
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let count = pwrite(
          descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset, off_t(offset))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          code = count < 0 ? errno : ENOSPC
          return
        }
        offset += count
      }
    }
    if code == 0, isSynchronized, fsync(descriptor) != 0 { code = errno }
    if code == 0, rename(new, path) != 0 { code = errno }
    guard code == 0 else {
      unlink(new)
      throw WholeFileFault(code: code)
    }
    if isSynchronized { synchronizeFolder() }
  }

  /// Synchronizes the file's directory entry to disk; errors are ignored, because some file systems don't
  /// support it.
  package func synchronizeFolder() {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  /// The path of the file's folder.
  private var folder: String {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    return end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  private func checkPath() throws(WholeFileFault) {
    guard path.isWholeInC else { throw WholeFileFault(reason: "its path contains a null byte") }
  }

  /// The maximum number of files that are kept after they were set aside.
  package static let maximumSetAside = 3

  /// Gives a file that can't be trusted or read another name beside it, so that nothing overwrites it.
  ///
  /// Only a regular file or a symbolic link is renamed: a folder, a device or a FIFO at the path is a mistake
  /// of the configuration. The names are the path with `.damaged-1` to `.damaged-3`; once all exist, the
  /// oldest file is removed. If they can't be renamed, because another user has made them, the name ends with
  /// a random number; there are at most three of these, too.
  ///
  /// - Parameter isKept: Whether the path keeps the file until it is replaced, because a part of it is used.
  /// - Returns: The new path; nil if there is no such file, or the folder doesn't permit it.
  package func setAside(isKept: Bool = false) -> String? {
    guard let kind = FileStatus(at: path)?.kind, kind == .regular || kind == .symbolicLink else { return nil }
    var status = stat()
    let names = usualNamesSetAside
    if let free = names.first(where: { lstat($0, &status) != 0 && errno == ENOENT }) {
      if give(free, isKept) { return free }
    } else if zip(names, names.dropFirst()).allSatisfy({ rename($1, $0) == 0 }), let last = names.last,
      give(last, isKept)
    {
      return last
    }
    let others = otherNamesSetAside
    let target =
      others.count < Self.maximumSetAside
      ? "\(path).damaged-\(UInt64.random(in: 1 << 32 ... .max))" : others.first
    return target.flatMap { give($0, isKept) ? $0 : nil }
  }

  /// Gives the file another name.
  private func give(_ name: String, _ isKept: Bool) -> Bool {
    // The content has both names, so that the end of the process before the replacement loses nothing. Some
    // file systems have no hard links.
    if isKept, linkat(AT_FDCWD, path, AT_FDCWD, name, 0) == 0 { return true }
    return rename(path, name) == 0
  }

  /// The files that ``setAside(isKept:)`` may have made, of which none need exist.
  package var filesSetAside: [WholeFile] {
    (usualNamesSetAside + otherNamesSetAside).map { WholeFile(path: $0) }
  }

  private var usualNamesSetAside: [String] { (1...Self.maximumSetAside).map { "\(path).damaged-\($0)" } }

  /// The names with a random number of the user's own files.
  private var otherNamesSetAside: [String] {
    let nameStart = path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex
    let folder = String(path[..<nameStart])
    let prefix = path[nameStart...] + ".damaged-"
    let names = Self.names(inFolder: folder) { name in
      guard name.hasPrefix(prefix), let number = UInt64(name.dropFirst(prefix.count)) else { return false }
      return number >= 1 << 32 && FileStatus(at: folder + name)?.finding(for: .reading) == nil
    }
    return names.map { folder + $0 }.sorted()
  }

  /// Returns the names of the files in a folder that fulfil a condition; none if it can't be listed.
  package static func names(inFolder folder: String, where isIncluded: (String) -> Bool) -> [String] {
    guard folder.isWholeInC, let listing = opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if isIncluded(name) { names.append(name) }
    }
    return names
  }

  /// Removes the file, if it exists.
  package func remove() { unlink(path) }

  /// Returns how a message names a file that was set aside, as the end of a sentence.
  package static func clause(setAside path: String?) -> String {
    path.map { "it was set aside as \($0)" } ?? "it keeps its name"
  }

}

/// The reason why a file can't be read or replaced, without its path.
package struct WholeFileFault: Error, LoggableError, Sendable, Hashable {
  /// A phrase that follows a colon.
  package let reason: String
  /// The `errno` code of the system; nil if the file itself is what is wrong.
  package let code: CInt?

  /// Creates the fault of a file that must not be read or replaced.
  package init(reason: String) {
    self.reason = reason
    code = nil
  }

  /// Creates the fault of a call that failed.
  package init(code: CInt) {
    reason = String(cString: strerror(code))
    self.code = code
  }

  /// Whether the same call may succeed later with the same file, which is therefore neither set aside nor
  /// overwritten before it was read.
  package var isPassing: Bool {
    switch code {
    case EMFILE, ENFILE, ENOMEM, ENOBUFS, EIO, EINTR, EAGAIN, EBUSY, ESTALE, ETIMEDOUT: true
    // A file that the system protects while the device is locked.
    case EPERM: true
    default: false
    }
  }
}

/// The fault of a text that contains a null byte, at which C functions end it.
///
/// A path would lead to another file, and a passphrase would be a shorter one.
package struct NULFault: Error, LoggableError, Sendable, Hashable {
  /// What the text is, with the article: "The path of the file to send".
  package let name: String
}

extension NULFault: CustomStringConvertible {
  /// The name and the remedy, without the text, which may be secret.
  package var description: String { "\(name) contains a null byte; remove it." }
}

extension String {
  /// Whether C functions receive the text as a whole, because it contains no null byte.
  package var isWholeInC: Bool { !utf8.contains(0) }

  /// Checks that C functions receive the text as a whole.
  ///
  /// Every text from an app or a file is checked where it becomes a C string, before anything is done.
  ///
  /// - Parameter name: What the text is, as in ``NULFault/name``.
  package func checkWhole(as name: String) throws(NULFault) {
    guard isWholeInC else { throw NULFault(name: name) }
  }
}
