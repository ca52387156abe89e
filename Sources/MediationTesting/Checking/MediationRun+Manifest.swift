import Foundation
import Mediation

extension MediationRun {
  /// The variable of the process's environment that lets `checkManifest` write the file: set it to `1`.
  public static var recordingVariable: String { "MEDIATION_RECORD" }

  /// Every route in one line, in an order that depends on nothing but the routes.
  public var manifest: String { mediator.routes.map { "\($0)\n" }.joined() }

  /// Checks the routes against a committed file, so that a change of them is seen in review.
  ///
  /// - Parameters:
  ///   - golden: The file's path; a relative one starts at the folder of the test's source file.
  ///   - isRecording: Whether to write the file if it differs; by default what the environment's
  ///     `MEDIATION_RECORD` says. A test that has written it fails once, so that recording is never left on.
  /// - Throws: `ManifestMismatch`, with the lines that differ.
  public func checkManifest(
    golden: String, isRecording: Bool? = nil, file: String = #filePath
  ) throws(ManifestMismatch) {
    let path =
      golden.hasPrefix("/")
      ? golden : URL(filePath: file).deletingLastPathComponent().appending(path: golden).path
    let isRecording =
      isRecording ?? (ProcessInfo.processInfo.environment[Self.recordingVariable] == "1")
    let present = manifest
    let exists = FileManager.default.fileExists(atPath: path)
    if !exists, !isRecording { throw .missing(path: path) }
    let committed: String
    do {
      committed = exists ? try String(contentsOfFile: path, encoding: .utf8) : ""
    } catch {
      throw .file(path: path, reason: "\(error)")
    }
    let lines = GoldenManifest.difference(from: committed, to: present)
    if lines.isEmpty, exists { return }
    guard isRecording else { throw .differs(path: path, lines: lines) }
    do {
      try present.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw .file(path: path, reason: "\(error)")
    }
    throw .recorded(path: path, lines: lines)
  }
}
