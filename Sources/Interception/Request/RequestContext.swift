/// A key of a value in a request's context.
///
/// ```swift
/// enum TenantKey: ContextKey { static let defaultValue: String? = nil }
/// request.context[TenantKey.self] = "north"
/// ```
public protocol ContextKey {
  /// What the key stands for.
  associatedtype Value: Sendable
  /// The value of a context that was never given one.
  static var defaultValue: Value { get }
  /// How long a value lives; the whole call by default.
  static var lifetime: ContextLifetime { get }
}

extension ContextKey {
  /// The whole call.
  public static var lifetime: ContextLifetime { .call }
}

/// How long a value of a request's context lives.
public enum ContextLifetime: Sendable, Hashable {
  /// Over all attempts of a call.
  case call
  /// Until the next attempt begins, see ``Request/asAttempt(_:)``.
  case attempt
}

/// Typed values that travel with a request; an interceptor's changes are seen further in, never further out.
///
/// Access by key is a linear search: a context holds a handful of values. The library's own ones are plain
/// properties.
public struct RequestContext: Sendable {
  private struct Entry: Sendable {
    let key: ObjectIdentifier
    let lifetime: ContextLifetime
    var value: any Sendable
  }

  private var entries: [Entry] = []

  /// The API that the request calls; signing, caching and logging name it.
  public var api: APIIdentity?
  /// How the answer may be cached; off unless an API turns it on.
  public var cacheRule: CacheRule = .off
  /// The API's own say in what may be stored; nil when it has none.
  public var storageCheck: StorageCheck?
  /// The account on whose behalf the request is sent; answers of one partition are never given to another
  /// one.
  public var partition = ""
  /// The address to connect to in place of the URL's host, for this attempt.
  public var connectTarget: ConnectTarget?

  /// Makes an empty context.
  public init() {}

  /// The value of a key, or the key's default.
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

  mutating func removeAttemptValues() {
    connectTarget = nil
    guard entries.contains(where: { $0.lifetime == .attempt }) else { return }
    entries.removeAll { $0.lifetime == .attempt }
  }
}
