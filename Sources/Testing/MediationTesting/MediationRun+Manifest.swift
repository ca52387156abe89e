import Foundation
import Mediation

extension MediationRun {
  /// The environment variable that makes `checkManifest` write the file if it is `1`.
  static var recordingVariable: String { "MEDIATION_RECORD" }

  /// All routes, one line each, in an order that depends only on the routes.
  public var manifest: String { mediator.routes.map { "\($0)\n" }.joined() }

  /// Compares the routes with a committed file, so that changes are visible in review.
  ///
  /// - Parameters:
  ///   - golden: The file's path; a relative path starts at the folder of the test's source file.
  ///   - isRecording: Whether to write the file if it differs; by default determined by the environment
  ///     variable `MEDIATION_RECORD`. A test that has written the file fails, so that recording is not left
  ///     on by mistake.
  /// - Throws: An error that describes the lines that differ.
  public func checkManifest(
    golden: String, isRecording: Bool? = nil, file: String = #filePath
  ) throws {
    // Foundation would read or write the file with the name before it.
    guard !golden.utf8.contains(0) else {
      throw ManifestMismatch.file(path: golden, reason: "the path contains a null byte; remove it")
    }
    let path =
      golden.hasPrefix("/")
      ? golden : URL(filePath: file).deletingLastPathComponent().appending(path: golden).path
    let isRecording =
      isRecording ?? (ProcessInfo.processInfo.environment[Self.recordingVariable] == "1")
    let present = manifest
    let exists = FileManager.default.fileExists(atPath: path)
    if !exists, !isRecording { throw ManifestMismatch.missing(path: path) }
    let committed: String
    do {
      committed = exists ? try String(contentsOfFile: path, encoding: .utf8) : ""
    } catch {
      throw ManifestMismatch.file(path: path, reason: "\(error)")
    }
    let lines = GoldenManifest.difference(from: committed, to: present)
    if lines.isEmpty, exists { return }
    guard isRecording else { throw ManifestMismatch.differs(path: path, lines: lines) }
    do {
      try present.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw ManifestMismatch.file(path: path, reason: "\(error)")
    }
    throw ManifestMismatch.recorded(path: path, lines: lines)
  }
}

/// Computes the difference between a committed manifest and the current one.
enum GoldenManifest {
  /// Returns the removed and the added lines, prefixed with `-` and `+`, without unchanged lines.
  static func difference(from old: String, to new: String) -> [String] {
    let before = lines(old)
    let after = lines(new)
    let difference = after.difference(from: before)
    var removed: [Int: String] = [:]
    var inserted: [Int: String] = [:]
    for change in difference {
      switch change {
      case .remove(let offset, let line, _): removed[offset] = line
      case .insert(let offset, let line, _): inserted[offset] = line
      }
    }
    var result: [String] = []
    var (old, new) = (0, 0)
    while old < before.count || new < after.count {
      if let line = removed[old] {
        result.append("- \(line)")
        old += 1
      } else if let line = inserted[new] {
        result.append("+ \(line)")
        new += 1
      } else {
        old += 1
        new += 1
      }
    }
    return result
  }

  private static func lines(_ text: String) -> [String] {
    // A checkout may have converted the line endings.
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
