import HTTPTypes
import Interception

/// A violation of one rule by a request or a response.
package struct RuleViolation: Sendable, Hashable, CustomStringConvertible {
  /// The violated rule, such as `authority`, `fields` or the name of a custom rule.
  package let rule: String
  /// A sentence that names the culprit and says what to do; it contains no value of a field or a parameter.
  package let sentence: String

  /// The sentence.
  package var description: String { sentence }
}
