import Foundation
import ToolCommands

/// Files that appear in a folder together, or not at all.
final class FileSet {
  private let folder: String
  private let isReplacing: Bool
  private var unfinished: [(temporary: String, target: String)] = []
  private var isFinished = false
  /// The folders that did not exist before, outermost first.
  private var newFolders: [String] = []

  /// Creates a set for a folder, which is created if it does not exist.
  ///
  /// - Parameter isReplacing: Whether files that exist are replaced.
  init(in folder: String, replacing isReplacing: Bool) {
    self.folder = folder
    self.isReplacing = isReplacing
  }

  deinit {
    // What was not finished leaves nothing.
    guard !isFinished else { return }
    for file in unfinished { unlink(file.temporary) }
    // A folder with other files stays.
    for folder in newFolders.reversed() { rmdir(folder) }
  }

  /// Adds a file by its path from the folder, and returns the path at which its content is to be written.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/unwritable`` if it exists, or its folder can't be created.
  func add(_ path: String) throws(ToolFailure) -> String {
    let target = URL(filePath: folder).appending(path: path)
    guard isReplacing || !FileManager.default.fileExists(atPath: target.path) else {
      throw ToolFailure(
        .unwritable,
        "\(Printable.text(target.relativePath)) exists; replace it with --force, or pass another --name or --out."
      )
    }
    try create(target.deletingLastPathComponent())
    let hidden = ".\(target.lastPathComponent).\(UInt32.random(in: 0 ... .max)).unfinished"
    let temporary = target.deletingLastPathComponent().appending(path: hidden).path
    unfinished.append((temporary, target.path))
    return temporary
  }

  /// Adds a file with its content.
  func add(_ path: String, _ bytes: [UInt8]) throws(ToolFailure) {
    try OutputTarget.write(bytes, to: try add(path))
  }

  private func create(_ folder: URL) throws(ToolFailure) {
    var missing: [String] = []
    var place = folder.absoluteURL
    while !FileManager.default.fileExists(atPath: place.path), place.path != "/" {
      missing.append(place.path)
      place = place.deletingLastPathComponent()
    }
    newFolders += missing.reversed()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw ToolFailure(
        .unwritable,
        "Cannot create the folder \(Printable.text(folder.relativePath)); check that its parent exists and is "
          + "writable.")
    }
  }

  /// Gives the files their names, the last one last; if one can't have its own, new ones are removed again.
  func finish() throws(ToolFailure) {
    var created: [String] = []
    for (temporary, target) in unfinished {
      let isNew = !FileManager.default.fileExists(atPath: target)
      guard rename(temporary, target) == 0 else {
        let reason = String(cString: strerror(errno))
        for path in created { unlink(path) }
        throw ToolFailure(.unwritable, "Cannot write \(Printable.text(target)): \(reason).")
      }
      if isNew { created.append(target) }
    }
    isFinished = true
  }
}
