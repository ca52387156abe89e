import HTTPTypes
import Interception
import Synchronization

/// Caches signature fields that are the same for many requests.
final class SignatureFieldCache: Sendable {
  /// The maximum number of APIs cached; an app has few, and fields of further APIs are not cached.
  static let capacity = 256

  private let apis = Mutex<[APIIdentity: HTTPField]>([:])
  private let latest = Mutex<(seconds: Int64, field: HTTPField)?>(nil)

  /// Returns the field that names an API.
  func api(_ api: APIIdentity) -> HTTPField {
    if let known = apis.withLock({ $0[api] }) { return known }
    let field = Self.field(for: api)
    apis.withLock { if $0.count < Self.capacity { $0[api] = field } }
    return field
  }

  /// Returns the field for a time, in whole seconds.
  func time(_ time: WallTime) -> HTTPField {
    let known: HTTPField? = latest.withLock { latest in
      guard let latest, latest.seconds == time.seconds else { return nil }
      return latest.field
    }
    if let known { return known }
    let field = Self.field(for: time)
    latest.withLock { $0 = (time.seconds, field) }
    return field
  }

  /// Creates the field that names an API.
  static func field(for api: APIIdentity) -> HTTPField {
    HTTPField(name: SignatureFields.api, value: CanonicalAPI.encode(api))
  }

  /// Creates the field for a time.
  static func field(for time: WallTime) -> HTTPField {
    HTTPField(name: SignatureFields.time, value: String(time.seconds)).unindexed
  }
}

extension HTTPField {
  /// The field, excluded from HPACK's dynamic table: its value never recurs and would evict others.
  var unindexed: HTTPField {
    var field = self
    field.indexingStrategy = .disallow
    return field
  }
}
