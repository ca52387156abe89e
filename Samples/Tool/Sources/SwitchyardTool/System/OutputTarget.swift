import Foundation
import ToolCommands

/// Where a response is written: standard output, or a file that has its name only when it is complete.
final class OutputTarget {
  private let descriptor: Int32
  private let name: String
  /// The file with another name until it is complete; nil for standard output, a pipe or a device.
  private var unfinished: (path: String, target: String)?
  /// Whether a person reads it.
  let isTerminal: Bool

  /// Creates the target of an option `-o`; nil and "-" are standard output.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/unwritable``.
  init(_ path: String?) throws(ToolFailure) {
    guard let path, path != "-" else {
      (descriptor, name, isTerminal) = (1, "standard output", Terminal.output.isTerminal)
      return
    }
    (name, isTerminal) = (path, false)
    guard path.utf8.last != UInt8(ascii: "/") else {
      throw ToolFailure(.unwritable, "\(Printable.text(path)) is no file name; name a file.")
    }
    var status = stat()
    let exists = stat(path, &status) == 0
    guard !exists || status.st_mode & S_IFMT == S_IFREG else {
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.failure("open", path) }
      return
    }
    // Renaming would replace a file that its owner has protected.
    guard !exists || access(path, W_OK) == 0 else { throw Self.failure("write", path) }
    // A file at the end of a symbolic link is replaced, and the link stays.
    let target = exists ? URL(filePath: path).resolvingSymlinksInPath().path : path
    let url = URL(filePath: target)
    let hidden = ".\(url.lastPathComponent).\(UInt32.random(in: 0 ... .max)).unfinished"
    let temporary = url.deletingLastPathComponent().appending(path: hidden).path
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.failure("create", path) }
    if exists { _ = fchmod(descriptor, status.st_mode & 0o777) }
    unfinished = (temporary, target)
  }

  deinit {
    // Whatever was not finished leaves nothing.
    if let unfinished { unlink(unfinished.path) }
    if descriptor > 2 { close(descriptor) }
  }

  /// Writes text, such as the head of a response.
  func write(text: String) throws(ToolFailure) { try write(Array(text.utf8)) }

  /// Writes a part of the content.
  func write(_ bytes: [UInt8]) throws(ToolFailure) {
    try FileWriting.write(bytes, to: descriptor, named: name)
  }

  /// Gives a complete file its name.
  func finish() throws(ToolFailure) {
    guard let (path, target) = unfinished else { return }
    guard rename(path, target) == 0 else { throw Self.failure("write", target) }
    unfinished = nil
  }

  /// Writes a whole file.
  static func write(_ bytes: [UInt8], to path: String) throws(ToolFailure) {
    let target = try OutputTarget(path)
    try FileWriting.write(bytes, to: target.descriptor, named: path)
    try target.finish()
  }

  private static func failure(_ verb: String, _ path: String) -> ToolFailure {
    ToolFailure(.unwritable, "Cannot \(verb) \(Printable.text(path)): \(String(cString: strerror(errno))).")
  }
}
