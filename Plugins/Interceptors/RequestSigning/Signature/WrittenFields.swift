import HTTPTypes
import Interception
import Synchronization

/// Fields of a signature that are the same from one request to the next for a while, written once.
final class WrittenFields: Sendable {
  /// The most APIs remembered; an app has few, and beyond them each field is written anew.
  static let capacity = 256

  private let apis = Mutex<[APIIdentity: HTTPField]>([:])
  private let latest = Mutex<(seconds: Int64, field: HTTPField)?>(nil)

  /// The field that names an API.
  func api(_ api: APIIdentity) -> HTTPField {
    if let known = apis.withLock({ $0[api] }) { return known }
    let field = Self.written(api)
    apis.withLock { if $0.count < Self.capacity { $0[api] = field } }
    return field
  }

  /// The field of a moment, whose whole seconds count.
  func time(_ time: WallTime) -> HTTPField {
    let known: HTTPField? = latest.withLock { latest in
      guard let latest, latest.seconds == time.seconds else { return nil }
      return latest.field
    }
    if let known { return known }
    let field = Self.written(time)
    latest.withLock { $0 = (time.seconds, field) }
    return field
  }

  /// Writes the field that names an API.
  static func written(_ api: APIIdentity) -> HTTPField {
    HTTPField(name: SignatureFields.api, value: CanonicalAPI.encode(api))
  }

  /// Writes the field of a moment.
  static func written(_ time: WallTime) -> HTTPField {
    HTTPField(name: SignatureFields.time, value: String(time.seconds)).unindexed
  }
}

extension HTTPField {
  /// The field as one that HPACK must not put into its table: it never comes again, and would push out those
  /// that do.
  var unindexed: HTTPField {
    var field = self
    field.indexingStrategy = .disallow
    return field
  }
}
