/// The result of checking the laws for an aspect of screens.
public struct ScreenAspectLawReport: Sendable, Hashable {
  /// A violation of a law by an aspect.
  package struct Violation: Sendable, Hashable, CustomStringConvertible {
    /// The law.
    package let law: ScreenAspectLaw
    /// The name of the aspect.
    package let aspect: String
    /// The violation and its remedy.
    package let sentence: String

    /// The law, the aspect's name and the sentence.
    package var description: String { "\(law.rawValue): \(aspect) \(sentence)." }
  }

  /// The name of the aspect.
  package let aspect: String
  /// The violations.
  package let breaches: [Violation]
  /// The laws that no sample could verify, with the reasons.
  package let unproven: [ScreenAspectLaw: String]

  /// The violations as sentences, each with its law and the aspect's name.
  public var violations: [String] { breaches.map(\.description) }

  /// Throws an error with all violations, if there is one.
  public func check() throws(MediationCheckFailure) {
    if breaches.isEmpty { return }
    throw MediationCheckFailure(law: "An aspect of screens obeys its laws.", problems: violations)
  }
}
