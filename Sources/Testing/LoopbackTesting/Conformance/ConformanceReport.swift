#if LoopbackTesting

/// The result of a run of the conformance suite, case by case.
public struct ConformanceReport: Sendable {
  /// The result of a case.
  enum Verdict: Equatable {
    /// The requirement is met.
    case kept
    /// The requirement is violated in the described way.
    case broken(String)
    /// The case was excluded for a reason.
    case excluded(String)
    /// The dispatcher lacks abilities that the case needs.
    case lacking(ConformanceNeeds)
  }

  /// A case and its result.
  struct Entry {
    /// The case.
    let conformanceCase: ConformanceCase
    /// The result.
    let verdict: Verdict
  }

  /// The results, in the order of the suite.
  let entries: [Entry]

  /// The violated requirements, as sentences.
  public var violations: [String] {
    entries.compactMap { entry in
      guard case .broken(let how) = entry.verdict else { return nil }
      return "\(entry.conformanceCase): \(how)"
    }
  }

  /// The excluded cases with their reasons.
  var exclusions: [String] {
    entries.compactMap { entry in
      guard case .excluded(let reason) = entry.verdict else { return nil }
      return "\(entry.conformanceCase) (excluded: \(reason))"
    }
  }

  /// The number of requirements that are met.
  var keptCount: Int { entries.count { $0.verdict == .kept } }

  /// Throws if a requirement is violated, for test frameworks that print thrown errors.
  public func check() throws {
    let violations = violations
    guard violations.isEmpty else { throw ConformanceError(violations.joined(separator: "\n")) }
  }
}

extension ConformanceReport: CustomStringConvertible {
  /// One line for each case, and one line of totals.
  public var description: String {
    let lines = entries.map { entry in
      switch entry.verdict {
      case .kept: "kept      \(entry.conformanceCase)"
      case .broken(let how): "BROKEN    \(entry.conformanceCase): \(how)"
      case .excluded(let reason): "excluded  \(entry.conformanceCase) (\(reason))"
      case .lacking(let needs): "lacking   \(entry.conformanceCase) (needs \(needs.text))"
      }
    }
    let sums =
      "\(entries.count) cases: \(keptCount) kept, \(violations.count) broken, \(exclusions.count) excluded, "
      + "\(entries.count - keptCount - violations.count - exclusions.count) lacking"
    return (lines + [sums]).joined(separator: "\n")
  }
}
#endif
