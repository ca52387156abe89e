/// What a run of the conformance suite found, case by case.
public struct ConformanceReport: Sendable {
  /// How a case ended.
  public enum Verdict: Sendable, Hashable {
    /// The promise is kept.
    case kept
    /// The promise is broken; the sentence says how.
    case broken(String)
    /// It was excluded, for this reason.
    case excluded(String)
    /// The dispatcher lacks what the case needs.
    case lacking(ConformanceNeeds)
  }

  /// A case and how it ended.
  public struct Entry: Sendable {
    /// The case.
    public let conformanceCase: ConformanceCase
    /// How it ended.
    public let verdict: Verdict
  }

  /// The cases, in the order of the suite.
  public let entries: [Entry]

  /// The cases whose promise is broken, as sentences.
  public var violations: [String] {
    entries.compactMap { entry in
      guard case .broken(let how) = entry.verdict else { return nil }
      return "\(entry.conformanceCase): \(how)"
    }
  }

  /// The cases that were excluded, with their reasons.
  public var exclusions: [String] {
    entries.compactMap { entry in
      guard case .excluded(let reason) = entry.verdict else { return nil }
      return "\(entry.conformanceCase) (excluded: \(reason))"
    }
  }

  /// The number of promises that were kept.
  public var keptCount: Int { entries.count { $0.verdict == .kept } }

  /// Throws where a promise is broken, for test frameworks that show a thrown error.
  public func check() throws {
    let violations = violations
    guard violations.isEmpty else { throw ConformanceFailure(violations.joined(separator: "\n")) }
  }
}

extension ConformanceReport: CustomStringConvertible {
  /// A line a case, and a line of sums.
  public var description: String {
    let lines = entries.map { entry in
      switch entry.verdict {
      case .kept: "kept      \(entry.conformanceCase)"
      case .broken(let how): "BROKEN    \(entry.conformanceCase): \(how)"
      case .excluded(let reason): "excluded  \(entry.conformanceCase) (\(reason))"
      case .lacking(let needs): "lacking   \(entry.conformanceCase) (needs \(needs))"
      }
    }
    let sums =
      "\(entries.count) cases: \(keptCount) kept, \(violations.count) broken, \(exclusions.count) excluded, "
      + "\(entries.count - keptCount - violations.count - exclusions.count) lacking"
    return (lines + [sums]).joined(separator: "\n")
  }
}
