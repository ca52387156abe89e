/// A type that identifies a value in a request's context.
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
  /// How long a value is kept; for the whole call by default.
  static var lifetime: RequestContext.Lifetime { get }
}

extension ContextKey {
  /// The whole call.
  public static var lifetime: RequestContext.Lifetime { .call }
}
