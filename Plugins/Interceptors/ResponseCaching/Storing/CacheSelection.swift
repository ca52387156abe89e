public import Interception

/// A selection of stored responses to remove.
public struct CacheSelection: Sendable, Hashable, CustomStringConvertible {
  /// What is selected, for stores that look it up in an index.
  package enum Kind: Sendable, Hashable {
    /// All responses.
    case all
    /// Those of an account.
    case partition(String)
    /// Those of a service's APIs.
    case service(String)
    /// Those of an API.
    case api(APIIdentity)
    /// Those with at least one of some tags.
    case tags(Set<CacheRule.Tag>)
    /// Those of a target.
    case target(ArraySlice<UInt8>)
    /// Those of one account, API, method and target.
    case subject(CacheSubject)
    /// The variants of a key.
    case key(CacheKey)
  }

  /// What is selected.
  package let kind: Kind

  /// All responses.
  package static let all = CacheSelection(kind: .all)
  /// The responses of an account, alone and together with other accounts; see `RequestContext.partition`.
  package static func partition(_ partition: String) -> CacheSelection {
    CacheSelection(kind: .partition(partition))
  }
  /// The responses of a service's APIs.
  package static func service(_ service: String) -> CacheSelection { CacheSelection(kind: .service(service)) }
  /// The responses of an API.
  package static func api(_ api: APIIdentity) -> CacheSelection { CacheSelection(kind: .api(api)) }
  /// The responses that have at least one of some tags.
  package static func tags(_ tags: Set<CacheRule.Tag>) -> CacheSelection { CacheSelection(kind: .tags(tags)) }
  /// The responses of a target, for every account, API and method.
  static func target(_ target: ArraySlice<UInt8>) -> CacheSelection { CacheSelection(kind: .target(target)) }
  /// The responses of one account, API, method and target, with any credentials, content and variant.
  static func subject(_ subject: CacheSubject) -> CacheSelection { CacheSelection(kind: .subject(subject)) }
  /// All variants of a key.
  static func key(_ key: CacheKey) -> CacheSelection { CacheSelection(kind: .key(key)) }

  /// Whether a response with a key and tags is selected.
  public func contains(_ key: CacheKey, tags: Set<CacheRule.Tag>) -> Bool {
    switch kind {
    case .all: true
    case .partition(let partition):
      key.subject.partition == partition
        || key.subject.partition.split(separator: RequestContext.partitionSeparator).contains(partition[...])
    case .service(let service): key.subject.api?.service == service
    case .api(let api): key.subject.api == api
    case .tags(let wanted): !wanted.isDisjoint(with: tags)
    case .target(let target): key.subject.target == target
    case .subject(let subject): key.subject == subject
    case .key(let wanted): key == wanted
    }
  }

  /// The target that all selected responses share, if any.
  var target: ArraySlice<UInt8>? {
    switch kind {
    case .target(let target): target
    case .subject(let subject): subject.target
    case .key(let key): key.subject.target
    case .all, .partition, .service, .api, .tags: nil
    }
  }

  /// The kind of selection, and the names of the API or the tags; never a partition or a target.
  public var description: String {
    switch kind {
    case .all: "all"
    case .partition: "a partition"
    case .service(let service): "service \(service)"
    case .api(let api): "API \(api)"
    case .tags(let tags): "tags " + tags.map(\.name).sorted().joined(separator: ", ")
    case .target: "a target"
    case .subject(let subject): subject.api.map { "one request of API \($0)" } ?? "one request"
    case .key: "one key"
    }
  }
}
