#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The names of a download's files, and what is written beside the content.
struct DownloadPaths: Sendable {
  let target: String
  var part: String { target + ".part" }
  var note: String { target + ".part.info" }
  private var newNote: String { target + ".part.info.new" }

  /// A note is some hundred bytes long; more is none of ours.
  private static let longestNote = 16 << 10

  /// Makes the names beside a target.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest`` where no regular file can have the target's name.
  init(target: String) throws(NetworkError) {
    guard !target.isEmpty, target.utf8.last != UInt8(ascii: "/"), !target.utf8.contains(0) else {
      throw NetworkError(.invalidRequest, "The download's target is no file name; name a file.")
    }
    self.target = target
    try checkTarget()
  }

  /// Checks that the target's name is free, or that of a regular file.
  ///
  /// Renaming replaces whatever has the name, and no system call renames onto regular files alone. So the
  /// name is checked before anything is requested and again right before it is given: only a file of another
  /// kind that appears between this second check and the renaming is still replaced. Links among the folders
  /// of the path are followed.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which says what has the name.
  func checkTarget() throws(NetworkError) {
    var status = stat()
    // Where the name cannot be looked up, opening the unfinished file beside it says why.
    guard lstat(target, &status) == 0 else { return }
    let kind: String
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: kind = "a folder; name a file in it"
    case S_IFLNK: kind = "a symbolic link; name the file that it leads to, or remove it"
    case S_IFIFO: kind = "a FIFO; stream the answer to it instead, or name a file"
    case S_IFCHR, S_IFBLK: kind = "a device; stream the answer to it instead, or name a file"
    case S_IFSOCK: kind = "a socket; stream the answer to it instead, or name a file"
    default: kind = "no regular file; name one"
    }
    throw NetworkError(.invalidRequest, "The download's target \(target) is \(kind).")
  }

  /// The note of an earlier download; nil where there is none, or none that makes sense.
  func readNote() -> DownloadRecord? {
    let descriptor = open(note, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.longestNote) { buffer, filled in
      repeat {
        count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
      } while count < 0 && errno == EINTR
      filled = max(count, 0)
    }
    return DownloadRecord(bytes)
  }

  /// Writes a note, wholly or not at all.
  func write(_ record: DownloadRecord) throws(NetworkError) {
    unlink(newNote)
    let descriptor = open(newNote, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw FileFailure.of(errno, "write", newNote) }
    defer { close(descriptor) }
    try FileWriting.write(record.bytes, to: descriptor, at: 0, path: newNote)
    guard fsync(descriptor) == 0 else { throw FileFailure.of(errno, "save", newNote) }
    guard rename(newNote, note) == 0 else { throw FileFailure.of(errno, "rename", newNote) }
  }

  /// Removes the note, if there is one.
  func removeNote() throws(NetworkError) {
    guard unlink(note) == 0 || errno == ENOENT else { throw FileFailure.of(errno, "remove", note) }
  }

  /// Puts the target's name on the disk; a file system that cannot do it has its own ways.
  func syncFolder() {
    let end = target.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = end.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}
