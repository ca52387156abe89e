/// A type that identifies a value in a request's context, which is kept for the whole call.
///
/// ```swift
/// enum TenantKey: ContextKey { static let defaultValue: String? = nil }
/// var request = try Request("https://api.example.com/homes")
/// request.context[TenantKey.self] = "north"
/// ```
public protocol ContextKey {
  /// The type of the value.
  associatedtype Value: Sendable
  /// The value in a context where none was set.
  static var defaultValue: Value { get }
}

/// A key whose value is kept until the next attempt starts, and not for the whole call; see
/// ``Request/asAttempt(_:)``.
package protocol AttemptContextKey: ContextKey {}
