/// A place in the chain: interceptors stand in the order of their stages' ranks, the lowest rank outermost.
///
/// The ranks leave room: `Stage(rank: 450, name: "tenant")` stands between signing and caching. Two
/// interceptors of one stage keep the order in which they were registered.
public struct Stage: Sendable, Hashable {
  /// The place; lower ranks stand further from the wire.
  public let rank: Int
  /// The name that messages use.
  public let name: String

  /// Makes a stage of your own.
  public init(rank: Int, name: String) {
    self.rank = rank
    self.name = name
  }

  /// Refuses a request before anything is spent on it.
  public static let validation = Stage(rank: 100, name: "validation")
  /// Joins identical requests before nonces make them differ.
  public static let sharing = Stage(rank: 200, name: "sharing")
  /// Follows redirects, so that each hop is signed, cached and pinned as what it is.
  public static let redirects = Stage(rank: 250, name: "redirects")
  /// Tries again; everything below runs afresh at each attempt.
  public static let retry = Stage(rank: 300, name: "retry")
  /// Adds credentials, so that a refreshed token is under the signature.
  public static let authorization = Stage(rank: 350, name: "authorization")
  /// Signs API identity, parameters and the body before it is coded.
  public static let signing = Stage(rank: 400, name: "signing")
  /// Answers from memory or disk; its key ignores what signing added.
  public static let caching = Stage(rank: 500, name: "caching")
  /// Decides where to connect, never what to say.
  public static let routing = Stage(rank: 600, name: "routing")
  /// Codes the body that goes out and limits what comes in.
  public static let compression = Stage(rank: 700, name: "compression")
  /// Sees what the wire sees.
  public static let logging = Stage(rank: 800, name: "logging")
  /// Works on the final bytes, and calls `next` exactly once.
  public static let wire = Stage(rank: 900, name: "wire")
}

extension Stage: Comparable {
  /// Whether one stage stands further from the wire than another one.
  public static func < (outer: Stage, inner: Stage) -> Bool { outer.rank < inner.rank }
}

extension Stage: CustomStringConvertible {
  /// Name and rank, as in «signing, 400».
  public var description: String { "\(name), \(rank)" }
}
