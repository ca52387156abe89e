import CLibssl
import Foundation
import ToolCommands

/// Reads what the command line names.
enum InputFile {
  /// Returns the content of a file, or of standard input for "-".
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/unreadable``, also if there are more bytes than the limit.
  static func bytes(of path: String, upTo limit: Int = .max) throws(ToolFailure) -> [UInt8] {
    let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { if descriptor > 0 { close(descriptor) } }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(path) }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else {
        throw ToolFailure(
          .unreadable,
          "\(shown(path)) is longer than the \(limit >> 20) MiB that are read; name a shorter one.")
      }
      bytes += part[..<count]
    }
  }

  /// Returns the text of a file in UTF-8.
  static func text(of path: String) throws(ToolFailure) -> String {
    guard let text = String(validating: try bytes(of: path), as: UTF8.self) else {
      throw ToolFailure(.unreadable, "\(shown(path)) is not text in UTF-8; convert it.")
    }
    return text
  }

  /// Throws unless a regular file can be read.
  static func check(_ path: String) throws(ToolFailure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ToolFailure(
        .unreadable, "\(shown(path)) is not a regular file; name one, or - for standard input.")
    }
  }

  /// Returns the SHA-256 of a file, read in pieces; nil if it can't be read or computed.
  static func digest(of path: String) -> [UInt8]? {
    guard let handle = try? FileHandle(forReadingFrom: URL(filePath: path)), let context = EVP_MD_CTX_new()
    else {
      return nil
    }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { return nil }
    do {
      while let part = try handle.read(upToCount: 1 << 18), !part.isEmpty {
        let isTaken = part.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1 }
        guard isTaken else { return nil }
      }
    } catch {
      return nil
    }
    var count: UInt32 = 0
    let digest = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, filled in
      filled = EVP_DigestFinal_ex(context, buffer.baseAddress, &count) == 1 ? Int(count) : 0
    }
    return digest.count == 32 ? digest : nil
  }

  private static func failure(_ path: String) -> ToolFailure {
    ToolFailure(.unreadable, "Cannot read \(shown(path)): \(String(cString: strerror(errno))).")
  }

  private static func shown(_ path: String) -> String {
    path == "-" ? "standard input" : Printable.text(path)
  }
}
