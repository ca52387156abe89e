import Foundation
import Mediation

/// An error of the comparison of the routes with the committed manifest.
package enum ManifestMismatch: Error, Sendable, Hashable {
  /// There is no committed manifest.
  case missing(path: String)
  /// The routes differ; removed lines begin with `-`, added lines with `+`.
  case differs(path: String, lines: [String])
  /// The manifest was written because the test was recording; the lines are as in `differs`.
  case recorded(path: String, lines: [String])
  /// The file cannot be read or written for this reason.
  case file(path: String, reason: String)
}

extension ManifestMismatch: CustomStringConvertible {
  /// What differs and what to do.
  package var description: String {
    switch self {
    case .missing(let path):
      "There is no manifest at \(path); run the test with \(Self.remedy), review the file and commit it."
    case .differs(let path, let lines):
      "The routes differ from the manifest \(path):\n" + lines.joined(separator: "\n")
        + "\nIf the change is intended, run the test with \(Self.remedy), and commit the file."
    case .recorded(let path, let lines):
      "The manifest \(path) was recorded; review and commit it, and run the test without recording:\n"
        + lines.joined(separator: "\n")
    case .file(let path, let reason):
      "The manifest \(path) cannot be read or written: \(reason)"
    }
  }

  private static var remedy: String { "\(MediationRun.recordingVariable)=1 in the environment" }
}
