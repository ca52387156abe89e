public import Interception

/// A part of what is stored, for clearing.
public struct CacheSelection: Sendable, Hashable, CustomStringConvertible {
  enum Kind: Sendable, Hashable {
    case all
    case partition(String)
    case service(String)
    case api(APIIdentity)
    case target(ArraySlice<UInt8>)
    case subject(CacheSubject)
    case key(CacheKey)
  }

  let kind: Kind

  /// Everything.
  public static let all = CacheSelection(kind: .all)
  /// What was stored for an account, see `RequestContext.partition`.
  public static func partition(_ partition: String) -> CacheSelection {
    CacheSelection(kind: .partition(partition))
  }
  /// What the APIs of a service answered.
  public static func service(_ service: String) -> CacheSelection { CacheSelection(kind: .service(service)) }
  /// What an API answered.
  public static func api(_ api: APIIdentity) -> CacheSelection { CacheSelection(kind: .api(api)) }
  /// Whatever is stored for a target, for every account, API and method.
  static func target(_ target: ArraySlice<UInt8>) -> CacheSelection { CacheSelection(kind: .target(target)) }
  /// What is stored for one account, API, method and target, whatever its credentials, content and variant.
  static func subject(_ subject: CacheSubject) -> CacheSelection { CacheSelection(kind: .subject(subject)) }
  /// All variants of a key.
  static func key(_ key: CacheKey) -> CacheSelection { CacheSelection(kind: .key(key)) }

  /// Whether what is stored under a key belongs to the part.
  public func contains(_ key: CacheKey) -> Bool {
    switch kind {
    case .all: true
    case .partition(let partition): key.subject.partition == partition
    case .service(let service): key.subject.api?.service == service
    case .api(let api): key.subject.api == api
    case .target(let target): key.subject.target == target
    case .subject(let subject): key.subject == subject
    case .key(let wanted): key == wanted
    }
  }

  /// The target that everything in the part has, where there is one.
  var target: ArraySlice<UInt8>? {
    switch kind {
    case .target(let target): target
    case .subject(let subject): subject.target
    case .key(let key): key.subject.target
    case .all, .partition, .service, .api: nil
    }
  }

  /// The kind of part, and the API's name; never a partition's name or a target.
  public var description: String {
    switch kind {
    case .all: "all"
    case .partition: "a partition"
    case .service(let service): "service \(service)"
    case .api(let api): "API \(api)"
    case .target: "a target"
    case .subject(let subject): subject.api.map { "one request of API \($0)" } ?? "one request"
    case .key: "one key"
    }
  }
}
