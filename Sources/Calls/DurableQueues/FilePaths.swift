#if SQLite
package import Interception
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The files that belong to a queue, and the operations on them as files.
struct FilePaths: Sendable {
  /// The maximum number of damaged files with the same time.
  private static let maximumNames = 100

  let database: String

  var lock: String { database + ".lock" }
  /// Exists if a running queue has found the database damaged.
  private var damageMark: String { database + ".damaged" }
  private static var companions: [String] { DatabaseOwnership.companions }

  /// Whether a running queue of this user has found the database damaged.
  var isMarkedAsDamaged: Bool {
    FileStatus(at: damageMark).map { $0.finding(for: .reading) == nil } ?? false
  }

  /// Records for the next start that the database is damaged.
  func markAsDamaged() {
    // Another user's file is no mark at the next start, and a FIFO would block the thread.
    if FileStatus(at: damageMark)?.finding(for: .reading) != nil { unlink(damageMark) }
    let descriptor = open(damageMark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Renames the database and its companions, and returns the new path of the database.
  ///
  /// At most as many damaged databases are kept as ``WholeFile/maximumSetAside`` says; the oldest are
  /// deleted.
  func setAside(at second: Int64) throws(QueueFileError) -> String {
    for number in 0..<Self.maximumNames {
      let target = database + Self.setAsideInfix + "\(second)" + (number == 0 ? "" : "-\(number)")
      if access(target, F_OK) == 0 { continue }
      guard rename(database, target) == 0 || errno == ENOENT else {
        let code = errno
        throw QueueFileError(FileLock.kind(of: code), path: database, code: "errno \(code)")
      }
      for companion in Self.companions { rename(database + companion, target + companion) }
      unlink(damageMark)
      removeDamagedFiles(keeping: WholeFile.maximumSetAside, except: target)
      return target
    }
    throw QueueFileError(.unusable, path: database)
  }

  /// The file that is to replace a damaged one.
  var replacement: String { database + ".salvage" }

  /// Renames the replacement, if there is one, to the database, which was moved away.
  func installReplacement() throws(QueueFileError) {
    guard FileStatus(at: database) == nil, let status = FileStatus(at: replacement) else { return }
    if let finding = status.finding(for: .writing) {
      throw QueueFileError(finding: finding, path: replacement)
    }
    // A process may have been killed before it had moved them away with the database.
    for companion in Self.companions { unlink(database + companion) }
    guard rename(replacement, database) == 0 else {
      let code = errno
      throw QueueFileError(FileLock.kind(of: code), path: database, code: "errno \(code)")
    }
  }

  /// Deletes a replacement, which is incomplete as long as the database exists.
  func deleteReplacement() {
    unlink(replacement)
    for companion in Self.companions { unlink(replacement + companion) }
  }

  /// Deletes the database and its companions.
  func delete() {
    unlink(database)
    for companion in Self.companions { unlink(database + companion) }
  }

  private static let wipeSuffix = ".wiping"

  /// Whether a process has begun to delete everything, and has not finished.
  var isBeingWiped: Bool {
    FileStatus(at: database + Self.wipeSuffix).map { $0.finding(for: .reading) == nil } ?? false
  }

  /// The databases of a folder for which ``isBeingWiped`` is true.
  static func beingWiped(in folder: String) -> [String] {
    guard folder.isWholeInC, let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var found: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasSuffix(wipeSuffix) else { continue }
      let paths = FilePaths(database: "\(folder)/\(name.dropLast(wipeSuffix.count))")
      if paths.isBeingWiped { found.append(paths.database) }
    }
    return found.sorted()
  }

  /// Deletes the database and every file that has some of its content, under the lock.
  ///
  /// A mark exists until all are deleted and the folder is synchronized, so that what the end of the process
  /// has left is deleted at the next start. On a full disk there may be no mark.
  func wipe() throws(QueueFileError) {
    let mark = database + Self.wipeSuffix
    if FileStatus(at: mark)?.finding(for: .reading) != nil { unlink(mark) }
    let descriptor = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if descriptor >= 0 { close(descriptor) }
    WholeFile(path: database).synchronizeFolder()
    deleteReplacement()
    delete()
    removeDamagedFiles(except: nil)
    unlink(damageMark)
    let files = [database, replacement].flatMap { file in [file] + Self.companions.map { file + $0 } }
    if let rest = (files + setAsideFiles.flatMap(\.value)).first(where: { FileStatus(at: $0) != nil }) {
      throw QueueFileError(.notWritable, path: rest, code: "it can't be deleted")
    }
    WholeFile(path: database).synchronizeFolder()
    unlink(mark)
  }

  /// Deletes what ``setAside(at:)`` has renamed, but not the newest databases nor their companions.
  ///
  /// - Parameters:
  ///   - count: The number of databases that are kept.
  ///   - kept: The path of one that is kept, and counted, in any case.
  func removeDamagedFiles(keeping count: Int = 0, except kept: String?) {
    let keptNumbers = kept.map { Self.numbers($0.dropFirst((database + Self.setAsideInfix).count)) }
    let found = setAsideFiles.filter { $0.key != keptNumbers }
    let oldestFirst = found.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for (_, files) in oldestFirst.dropLast(max(count - (kept == nil ? 0 : 1), 0)) {
      for file in files { unlink(file) }
    }
  }

  private static let setAsideInfix = ".damaged-"

  /// The files that ``setAside(at:)`` has renamed, by the time and the number in their names.
  private var setAsideFiles: [[Int64]: [String]] {
    let names = database.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = names.last else { return [:] }
    let folder = names.count > 1 ? String(names.dropLast().joined(separator: "/")) + "/" : ""
    guard let listing = opendir(folder.isEmpty ? "." : folder) else { return [:] }
    defer { closedir(listing) }
    var found: [[Int64]: [String]] = [:]
    let prefix = name + Self.setAsideInfix
    while let entry = readdir(listing) {
      let file = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard file.hasPrefix(prefix) else { continue }
      let numbers = Self.numbers(file.dropFirst(prefix.count))
      if !numbers.isEmpty { found[numbers, default: []].append(folder + file) }
    }
    return found
  }

  /// Returns the time and the number in the end of the name of a damaged database, or of its companion.
  private static func numbers(_ ending: Substring) -> [Int64] {
    ending.split(separator: "-").prefix(2).compactMap { Int64($0) }
  }

  /// The identity of the database's file, which differs from that of a file that has replaced it.
  var identity: FileIdentity? { FileIdentity(path: database) }
}

/// A lock on a file beside a queue's file, held until it is unlocked or released.
///
/// The system releases the lock of a process that was killed.
final class FileLock: Sendable {
  private static let maximumAttempts = 16
  private let path: String
  /// The locked file; nil once it is unlocked.
  private let descriptor: Mutex<CInt?>

  /// Locks the file at a path, and creates it if it doesn't exist.
  init(_ path: String, for queue: String) throws(QueueFileError) {
    self.path = path
    for _ in 0..<Self.maximumAttempts {
      let descriptor = try Self.lock(path, for: queue)
      // Another process may have removed the file between its opening and its locking.
      if FileStatus(ofDescriptor: descriptor)?.identity == FileIdentity(path: path) {
        self.descriptor = Mutex(descriptor)
        return
      }
      close(descriptor)
    }
    throw QueueFileError(.occupied, path: queue)
  }

  private static func lock(_ path: String, for queue: String) throws(QueueFileError) -> CInt {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      if let finding = FileStatus(at: path)?.finding(for: .reading) {
        throw QueueFileError(finding: finding, path: path)
      }
      throw QueueFileError(kind(of: code), path: queue, code: "errno \(code)")
    }
    if let finding = FileStatus(ofDescriptor: descriptor)?.finding(for: .reading) {
      close(descriptor)
      throw QueueFileError(finding: finding, path: path)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      throw QueueFileError(
        code == EWOULDBLOCK ? .occupied : .unusable, path: queue, code: "errno \(code)")
    }
    return descriptor
  }

  deinit { unlock() }

  /// Removes the file and ends the lock.
  func remove() {
    // Under the lock, so that it is not the file of another process.
    if descriptor.withLock({ $0 != nil }) { unlink(path) }
    unlock()
  }

  /// Ends the lock.
  func unlock() {
    let taken = descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
    guard let taken else { return }
    // Closing alone would leave the lock with a child process that was forked but has not yet called exec.
    _ = flock(taken, LOCK_UN)
    close(taken)
  }

  static func kind(of code: CInt) -> QueueFileFault {
    switch code {
    case EACCES, EPERM, EROFS: .notWritable
    case ENOSPC, EDQUOT: .full
    default: .unusable
    }
  }
}

/// Checks that a database is the process's own, before SQLite writes to it and after it was opened.
///
/// SQLite follows symbolic links, creates the file that a dangling one names, and writes in place what has
/// several names. In a folder that others can write, they would choose the file.
package struct DatabaseOwnership: Sendable {
  /// What SQLite creates beside a database.
  static let companions = ["-wal", "-shm", "-journal"]

  /// A file that must not be used, and why.
  package struct Refusal: Error, Sendable, Hashable {
    /// The path of the database or of a file beside it.
    package let path: String
    /// What was found.
    package let finding: FileFinding
  }

  private let path: String
  /// The database before it was opened; nil if it could not be created, which SQLite reports.
  private let identity: FileIdentity?

  /// Creates an empty database that only its owner can read, unless there is one, and checks it with what is
  /// beside it; SQLite's own files get the same permissions.
  package init(of path: String) throws(Refusal) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 { close(descriptor) }
    self.path = path
    identity = try Self.check(path)
  }

  /// Returns the identity of the database that was opened; nil if there is none.
  ///
  /// Call it before the first statement, and after it once more: only then has SQLite opened the files beside
  /// the database. A file that was put there and taken away again between two calls is not noticed; only a
  /// folder that others can't write prevents that, or one with the sticky bit.
  ///
  /// - Throws: If another user may have put another file in its place since it was checked.
  package func ofOpened() throws(Refusal) -> FileIdentity? {
    let present = try Self.check(path)
    guard identity == nil || present == identity else {
      throw Refusal(path: path, finding: .replaced)
    }
    return present
  }

  private static func check(_ path: String) throws(Refusal) -> FileIdentity? {
    for name in [path] + companions.map({ path + $0 }) {
      if let finding = FileStatus(at: name)?.finding(for: .writing) {
        throw Refusal(path: name, finding: finding)
      }
    }
    return FileIdentity(path: path)
  }
}
#endif
