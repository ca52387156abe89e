/// A type that identifies a value in a request's context.
///
/// ```swift
/// enum TenantKey: ContextKey { static let defaultValue: String? = nil }
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

/// Typed values that accompany a request; an interceptor's changes are visible only to the steps after it.
///
/// Lookup by key is a linear search, because a context has only a few values. Those of the library itself are
/// stored properties.
public struct RequestContext: Sendable {
  /// How long a value is kept.
  public enum Lifetime: Sendable, Hashable {
    /// Across all attempts of a call.
    case call
    /// Until the next attempt starts; see ``Request/asAttempt(_:)``.
    case attempt
  }

  private struct Entry: Sendable {
    let key: ObjectIdentifier
    let lifetime: Lifetime
    var value: any Sendable
  }

  private var entries: [Entry] = []

  /// The API that the request calls, for signing, caching and logging.
  public var api: APIIdentity?
  /// How the response may be cached; `.off` by default.
  public var cacheRule: CacheRule = .off
  /// The API's check of whether a response may be stored, if any.
  public var storageCheck: CacheRule.StorageCheck?
  /// The account on whose behalf the request is sent; cached responses are never shared between partitions.
  public var partition = ""
  /// The address to connect to instead of the URL's host, for this attempt.
  public var connectTarget: ConnectTarget?
  /// The end of the call, if ``RequestOptions/Timeouts/call`` limits it; set by the pipeline.
  package var deadline: CallDeadline?

  /// Whether a redirect has led the request to another origin than that of its first URL.
  ///
  /// An interceptor that adds credentials by the caller's choice alone, rather than by the authority, doesn't
  /// add them then. It stays true if a later redirect leads back.
  public var hasLeftOrigin = false

  /// Creates an empty context.
  public init() {}

  /// The value of a key, or the key's default value.
  public subscript<Key: ContextKey>(_ key: Key.Type) -> Key.Value {
    get {
      let wanted = ObjectIdentifier(key)
      for entry in entries where entry.key == wanted {
        if let value = entry.value as? Key.Value { return value }
      }
      return key.defaultValue
    }
    set {
      let wanted = ObjectIdentifier(key)
      if let index = entries.firstIndex(where: { $0.key == wanted }) {
        entries[index].value = newValue
      } else {
        entries.append(Entry(key: wanted, lifetime: key.lifetime, value: newValue))
      }
    }
  }

  /// Returns whether both contexts have the same values of custom keys.
  ///
  /// A value that isn't `Equatable` is never the same as another one, because they can't be compared.
  package func hasSameCustomValues(as other: RequestContext) -> Bool {
    entries.count == other.entries.count
      && entries.allSatisfy { entry in
        other.entries.contains { $0.key == entry.key && Self.areEqual(entry.value, $0.value) }
      }
  }

  private static func areEqual(_ left: any Sendable, _ right: any Sendable) -> Bool {
    func isRight<Value: Equatable>(_ left: Value) -> Bool { right as? Value == left }
    guard let left = left as? any Equatable else { return false }
    return isRight(left)
  }

  mutating func removeAttemptValues() {
    connectTarget = nil
    guard entries.contains(where: { $0.lifetime == .attempt }) else { return }
    entries.removeAll { $0.lifetime == .attempt }
  }
}
