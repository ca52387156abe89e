import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The record of an upload on disk, locked by one run at a time.
///
/// The lock is a file of its own beside the record, because replacing the record atomically replaces the file
/// that would be locked. Releasing this object removes it.
final class UploadRecordFile: Sendable {
  /// A record has a URL of at most 8 KiB, and less than 1 KiB beside it; a longer file is not one.
  private static let longestRecord = 128 << 10

  private let file: WholeFile
  private let lockPath: String
  private let descriptor: CInt

  /// Locks the record against other runs of this and other processes.
  ///
  /// - Throws: ``UploadFault/occupied`` if another run has locked it.
  init(_ path: String) throws(NetworkError) {
    guard !path.isEmpty, path.utf8.last != UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw NetworkError(
        .invalidRequest, "The path of the upload's record is not a file name; pass the path of a file.")
    }
    file = WholeFile(path: path)
    lockPath = path + ".lock"
    while true {
      let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
      guard descriptor >= 0 else {
        let code = errno
        guard let finding = FileStatus(at: path + ".lock")?.finding(for: .writing) else {
          throw Self.failure("lock", path, code)
        }
        throw Self.refusal(of: path + ".lock", finding)
      }
      do throws(NetworkError) {
        guard try Self.claim(descriptor, at: lockPath) else {
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
    unlink(lockPath)
    // Closing alone would leave the lock with a child process that was forked but has not yet called exec.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Locks an open file; returns false if another run has meanwhile removed it.
  private static func claim(_ descriptor: CInt, at path: String) throws(NetworkError) -> Bool {
    guard let status = FileStatus(ofDescriptor: descriptor), status.links > 0 else { return false }
    if let finding = status.finding(for: .writing) { throw refusal(of: path, finding) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      guard code == EWOULDBLOCK else { throw failure("lock", path, code) }
      throw .upload(
        .occupied, "Another run is uploading with the lock \(path); wait for it, or choose another record.")
    }
    return FileIdentity(path: path) == status.identity
  }

  /// Returns the record, or nil if there is none.
  ///
  /// A record that is damaged, or of a later version, gets another name, so that it is not overwritten.
  ///
  /// - Throws: ``UploadFault/record`` if the file is something else, which must not be replaced.
  func read() throws(NetworkError) -> UploadRecord? {
    let bytes: [UInt8]?
    do throws(WholeFileFault) {
      bytes = try file.bytes(upTo: Self.longestRecord)
    } catch {
      throw Self.failure("read", file.path, error.reason)
    }
    guard let bytes else { return nil }
    guard bytes.starts(with: UploadRecord.prefix.utf8) else {
      throw .upload(
        .record,
        "\(file.path) is not the record of an upload; remove it, or choose another path for the record.")
    }
    if let record = UploadRecord(bytes) { return record }
    guard file.setAside() != nil else {
      throw Self.failure("read", file.path, "it is damaged, and can't be renamed")
    }
    return nil
  }

  /// Replaces the record atomically, and returns when it is on disk.
  func write(_ record: UploadRecord) throws(NetworkError) {
    do throws(WholeFileFault) {
      try file.replace(with: record.bytes, isSynchronized: true)
    } catch {
      throw Self.failure("write", file.path, error.reason)
    }
  }

  /// Removes the record, if it exists.
  func remove() throws(NetworkError) {
    guard unlink(file.path) == 0 || errno == ENOENT else { throw Self.failure("remove", file.path, errno) }
    file.synchronizeFolder()
  }

  private static func refusal(of path: String, _ finding: FileFinding) -> NetworkError {
    .upload(
      .record,
      "The lock \(path) of the upload's record is not used: \(finding); remove it, or choose a record in a folder "
        + "that only you can write.")
  }

  private static func failure(_ verb: String, _ path: String, _ code: CInt) -> NetworkError {
    failure(verb, path, String(cString: strerror(code)))
  }

  private static func failure(_ verb: String, _ path: String, _ reason: String) -> NetworkError {
    .upload(
      .record,
      "Cannot \(verb) the upload's record \(path): \(reason); choose a path in a writable folder with free space."
    )
  }
}
