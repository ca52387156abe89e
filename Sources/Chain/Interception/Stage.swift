/// A place in the chain: interceptors are ordered by the rank of their stage, the lowest rank outermost.
///
/// There is room between the ranks: `Stage(rank: 450, name: "tenant")` is between signing and caching.
/// Interceptors of the same stage keep the order in which they were registered.
public struct Stage: Sendable, Hashable {
  /// The position in the chain; lower ranks are further from the network.
  package let rank: Int
  /// The name that messages use.
  package let name: String

  /// Creates a custom stage.
  public init(rank: Int, name: String) {
    self.rank = rank
    self.name = name
  }

  /// Refuses invalid requests before any other work is done.
  public static let validation = Stage(rank: 100, name: "validation")
  /// Joins identical requests before nonces make them differ.
  public static let sharing = Stage(rank: 200, name: "sharing")
  /// Follows redirects, so that each hop is signed, cached and pinned individually.
  public static let redirects = Stage(rank: 250, name: "redirects")
  /// Retries requests; the stages after it run again for each attempt.
  public static let retry = Stage(rank: 300, name: "retry")
  /// Adds and keeps cookies, so that each hop and each attempt has those that the previous one set.
  public static let cookies = Stage(rank: 320, name: "cookies")
  /// Adds credentials before signing, so that the signature covers a refreshed token.
  public static let authorization = Stage(rank: 350, name: "authorization")
  /// Signs the API identity, the parameters and the body before its content coding.
  public static let signing = Stage(rank: 400, name: "signing")
  /// Responds from memory or disk; the cache key ignores what signing added.
  public static let caching = Stage(rank: 500, name: "caching")
  /// Completes what earlier stages deferred until the request leaves the device; the pipeline's own stage.
  ///
  /// See ``Request/Departure``.
  public static let departure = Stage(rank: 520, name: "departure")
  /// Decides where to connect without changing the request's URL or content.
  public static let routing = Stage(rank: 600, name: "routing")
  /// Encodes the request's body and limits the size of the response's.
  public static let compression = Stage(rank: 700, name: "compression")
  /// Logs requests and responses as they are on the wire.
  public static let logging = Stage(rank: 800, name: "logging")
  /// Operates on the final bytes and calls `next` exactly once.
  public static let wire = Stage(rank: 900, name: "wire")
}

extension Stage: Comparable {
  /// Whether one stage is further from the network than another.
  public static func < (outer: Stage, inner: Stage) -> Bool { outer.rank < inner.rank }
}

extension Stage: CustomStringConvertible {
  /// The name and rank, such as "signing, 400".
  public var description: String { "\(name), \(rank)" }
}
