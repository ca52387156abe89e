/// What the laws say of an interceptor.
public struct InterceptorLawReport: Sendable, Hashable {
  /// A law that an interceptor breaks, and how.
  public struct Violation: Error, Sendable, Hashable, CustomStringConvertible {
    /// The law.
    public let law: InterceptorLaw
    /// The interceptor's name.
    public let interceptor: String
    /// What it did, and the remedy.
    public let sentence: String

    /// Law, name and sentence.
    public var description: String { "\(law.rawValue): \(interceptor) \(sentence)" }
  }

  /// Violations as one error, for test frameworks that show what was thrown.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The violations.
    public let violations: [Violation]

    /// A line a violation.
    public var description: String { violations.map(\.description).joined(separator: "\n") }
  }

  /// The interceptor's name.
  public let interceptor: String
  /// What it breaks.
  public let violations: [Violation]
  /// The laws that no sample put to the proof, and why.
  public let unproven: [InterceptorLaw: String]

  /// Throws a ``Failure`` where a law is broken.
  ///
  /// ```swift
  /// @Test func `keeps the laws`() async throws {
  ///   try await checkInterceptorLaws(MyInterceptor()).check()
  /// }
  /// ```
  public func check() throws(Failure) {
    guard violations.isEmpty else { throw Failure(violations: violations) }
  }
}

extension InterceptorLawReport: CustomStringConvertible {
  /// A line a violation and a line a law without proof, or one line that says that all is well.
  public var description: String {
    let open = InterceptorLaw.allCases.compactMap { law in
      unproven[law].map { "\(law.rawValue): not proven, \($0)" }
    }
    let lines = violations.map(\.description) + open
    return lines.isEmpty ? "\(interceptor) keeps the laws" : lines.joined(separator: "\n")
  }
}
