public import Deployment
import Interception

/// What has changed between two deployment documents, signed or not.
public struct DeploymentDifference: Sendable, Hashable {
  /// A changed line: of the head, or of a part.
  enum Line: Sendable, Hashable {
    case heading(String)
    case added(String)
    case removed(String)
    case changed(String)
  }

  /// The maximum number of lines of a part that are compared one by one; the time is up to its square.
  static let maximumLines = 2_000

  private let found: [Line]

  /// Whether the documents have the same content.
  public var isEmpty: Bool { found.isEmpty }

  /// Compares two documents.
  public init(from old: DeploymentDraft, to new: DeploymentDraft) {
    let heads = zip(Self.head(of: old), Self.head(of: new)).filter { $0.0.value != $0.1.value }
    var lines = heads.map { Line.changed("\($0.0.name): \($0.0.value) → \($0.1.value)") }
    for name in Set(old.parts.keys).union(new.parts.keys).sorted() {
      lines += Self.lines(of: name, old.parts[name], new.parts[name])
    }
    found = lines
  }

  /// Returns the changes as lines.
  public func lines(_ ink: Ink) -> [String] {
    found.map { line in
      switch line {
      case .heading(let text): Printable.text(text)
      case .changed(let text): ink(.yellow, "~ \(Printable.text(text))")
      case .added(let text): ink(.green, "+ \(Printable.text(text))")
      case .removed(let text): ink(.red, "- \(Printable.text(text))")
      }
    }
  }

  private static func head(of draft: DeploymentDraft) -> [(name: String, value: String)] {
    [
      ("version", "\(draft.version)"), ("valid from", "\(draft.validFrom.seconds)"),
      ("valid until", "\(draft.validUntil.seconds)"), ("minimum app", draft.minimumAppVersion ?? "any"),
      ("share", draft.permille == 1_000 ? "all" : "\(draft.permille) of 1000 by \(draft.shareSeed)"),
      (
        "revoked keys",
        draft.revokedKeys.isEmpty ? "none" : draft.revokedKeys.sorted().joined(separator: ", ")
      ),
    ]
  }

  private static func lines(of part: String, _ old: [UInt8]?, _ new: [UInt8]?) -> [Line] {
    guard old != new else { return [] }
    guard let old else { return [.added("part \(part), \(new?.count ?? 0) bytes")] }
    guard let new else { return [.removed("part \(part), \(old.count) bytes")] }
    guard let oldLines = textLines(old), let newLines = textLines(new) else {
      return [.changed("part \(part): \(old.count) → \(new.count) bytes")]
    }
    let difference = newLines.difference(from: oldLines)
    return [.heading("part \(part)")]
      + difference.map { change in
        switch change {
        case .insert(let offset, let line, _): .added("\(offset + 1): \(line)")
        case .remove(let offset, let line, _): .removed("\(offset + 1): \(line)")
        }
      }
  }

  /// Returns the lines of a text; nil for other content, and for a text that is too long to compare.
  private static func textLines(_ bytes: [UInt8]) -> [String]? {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.count <= maximumLines ? lines : nil
  }
}
