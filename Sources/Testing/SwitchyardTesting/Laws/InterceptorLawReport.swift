import HTTPTypes
import Interception

/// The result of checking the laws for an interceptor.
public struct InterceptorLawReport: Sendable, Hashable {
  /// A violation of a law by an interceptor.
  package struct Violation: Sendable, Hashable, CustomStringConvertible {
    /// The law.
    package let law: InterceptorLaw
    /// The name of the interceptor.
    package let interceptor: String
    /// The violation and its remedy.
    package let sentence: String

    /// The law, the interceptor's name and the sentence.
    package var description: String { "\(law.rawValue): \(interceptor) \(sentence)" }
  }

  /// The violations as one error, for test frameworks that print thrown errors.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The violations.
    package let violations: [Violation]

    /// One line for each violation.
    package var description: String { violations.map(\.description).joined(separator: "\n") }
  }

  /// The name of the interceptor.
  package let interceptor: String
  /// The violations.
  package let breaches: [Violation]
  /// The laws that no sample could verify, with the reasons.
  package let unproven: [InterceptorLaw: String]

  /// The violations as sentences, each with its law and the interceptor's name.
  public var violations: [String] { breaches.map(\.description) }

  /// Throws an error that describes the violations if a law is violated.
  ///
  /// ```swift
  /// try await checkInterceptorLaws(MyInterceptor(clock: clock)).check()
  /// ```
  public func check() throws {
    guard breaches.isEmpty else { throw Failure(violations: breaches) }
  }
}

extension InterceptorLawReport: CustomStringConvertible {
  /// One line for each violation and each unproven law, or one line if there are none.
  public var description: String {
    let open = InterceptorLaw.allCases.compactMap { law in
      unproven[law].map { "\(law.rawValue): unproven, \($0)" }
    }
    let lines = violations + open
    return lines.isEmpty ? "\(interceptor) satisfies the laws" : lines.joined(separator: "\n")
  }
}
