import HTTPTypes
import Interception

/// A constraint on the text of a query parameter or a header field.
public struct ParameterConstraint: Sendable {
  /// Whether the parameter must be present, and not empty.
  let isRequired: Bool
  /// What the text must be, as the rest of a sentence that begins with the parameter.
  let clause: String
  private let admits: @Sendable (String) -> Bool

  private init(isRequired: Bool = false, _ clause: String, _ admits: @escaping @Sendable (String) -> Bool) {
    self.isRequired = isRequired
    self.clause = clause
    self.admits = admits
  }

  /// The parameter must be present, and not empty.
  ///
  /// Without this constraint an absent or empty parameter meets every other one.
  public static let required = ParameterConstraint(isRequired: true, "is required") { !$0.isEmpty }

  /// Requires a decimal integer without a plus sign or leading zeros, in a range if one is given.
  public static func integer(in range: ClosedRange<Int>? = nil) -> ParameterConstraint {
    let bounds = range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
    return ParameterConstraint("must be an integer\(bounds)") { text in
      guard let value = Int(text), String(value) == text else { return false }
      return range?.contains(value) ?? true
    }
  }

  /// Requires a finite decimal number, in a range if one is given.
  public static func number(in range: ClosedRange<Double>? = nil) -> ParameterConstraint {
    let bounds = range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
    return ParameterConstraint("must be a number\(bounds)") { text in
      // The initializer also accepts hexadecimal numbers and names such as "nan".
      guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let value = Double(text),
        value.isFinite
      else { return false }
      return range?.contains(value) ?? true
    }
  }

  /// Requires a number of characters.
  public static func length(_ range: ClosedRange<Int>) -> ParameterConstraint {
    ParameterConstraint("must have \(range.lowerBound) to \(range.upperBound) characters") {
      // Counting bytes first bounds the time for a text that is far too long.
      $0.utf8.count / 64 <= range.upperBound && range.contains($0.count)
    }
  }

  /// Requires one of some texts.
  package static func oneOf(_ texts: [String]) -> ParameterConstraint {
    let known = Set(texts)
    return ParameterConstraint("must be one of \(texts.joined(separator: ", "))") { known.contains($0) }
  }

  /// Requires that the whole text matches a regular expression.
  ///
  /// - Parameters:
  ///   - description: What the text must be, as in "a district code of four letters".
  ///   - makeRegex: Creates the expression for each check, because a `Regex` cannot be shared by threads.
  public static func matching<Output>(
    _ description: String, _ makeRegex: @escaping @Sendable () -> Regex<Output>
  ) -> ParameterConstraint {
    ParameterConstraint("must be \(description)") { (try? makeRegex().wholeMatch(in: $0)) != nil }
  }

  /// Requires what a closure decides.
  ///
  /// - Parameter description: What the text must be, as in "a date that is not in the past".
  package static func satisfying(
    _ description: String, _ admits: @escaping @Sendable (String) -> Bool
  ) -> ParameterConstraint {
    ParameterConstraint("must be \(description)", admits)
  }

  /// Whether the values of a parameter meet the constraint; empty ones count as absent, and nil stands
  /// for one that isn't text.
  func isMet(by values: [String?]) -> Bool {
    let values = values.filter { $0?.isEmpty != true }
    if values.isEmpty || isRequired { return values.isEmpty != isRequired }
    return values.allSatisfy { $0.map(admits) ?? false }
  }
}
