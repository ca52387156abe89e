import HTTPTypes

/// What the chain may do with a request, apart from sending it once as it is.
///
/// Interceptors ask ``Request/permits(_:)`` before they do it, and know no property that forbids it. A new
/// property of requests is one case of ``RequestTrait`` and one line of ``Request/obstacle(to:)``.
package struct RequestUses: OptionSet, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Its response is given to equal requests that wait for it.
  package static let sharing = RequestUses(rawValue: 1 << 0)
  /// Its response is stored, or is a stored one.
  package static let caching = RequestUses(rawValue: 1 << 1)
  /// A later load of the same manager joins it, instead of sending an equal request.
  package static let joining = RequestUses(rawValue: 1 << 2)
  /// It is sent as an item of a request for several ones.
  package static let merging = RequestUses(rawValue: 1 << 3)
  /// Several requests with its head are sent in its place, for parts of a file.
  package static let dividing = RequestUses(rawValue: 1 << 4)
  /// A redirect of it is followed.
  package static let redirecting = RequestUses(rawValue: 1 << 5)
  /// The contents of the request and of its response are coded and decoded.
  package static let coding = RequestUses(rawValue: 1 << 6)
  /// It is written to a disk, and sent later.
  package static let queueing = RequestUses(rawValue: 1 << 7)
  /// It is sent again after it has failed or was refused, if that is right for its method.
  package static let repeating = RequestUses(rawValue: 1 << 8)
  /// It is sent a second time while its first attempt is in flight.
  package static let hedging = RequestUses(rawValue: 1 << 9)
  /// A dispatcher sends it again by itself, because a reused connection turned out to be closed.
  package static let resending = RequestUses(rawValue: 1 << 10)
}

/// A property of a request that forbids some of its uses.
package enum RequestTrait: Sendable, Hashable, CaseIterable {
  /// The server is asked to switch to another protocol: the response is a connection of this request alone.
  case upgrade
  /// The request opens a tunnel (RFC 9220).
  case tunnel
  /// Fields follow the content, which can be neither compared nor stored.
  case trailers
  /// The response is streamed, and has a single reader.
  case streamedResponse
  /// The body isn't in memory, so that it can't be compared.
  case unreadBody
  /// The body can be read only once.
  case singleUseBody
  /// The request gets credentials of an account that is not known.
  case unknownIdentity
  /// The method may change something: two attempts in flight may arrive in any order.
  case unsafeMethod
  /// Processing the request twice has another effect than processing it once.
  case nonIdempotent
  /// The request must be sent at most once, although it may be idempotent.
  case sentOnce

  /// The rest of a sentence that begins with the request.
  package var clause: String {
    switch self {
    case .upgrade: "asks the server to switch to another protocol"
    case .tunnel: "opens a tunnel"
    case .trailers: "has trailer fields"
    case .streamedResponse: "has a streamed response"
    case .unreadBody: "has a body that is not in memory"
    case .singleUseBody: "has a body that can be read only once"
    case .unknownIdentity: "gets credentials of an account that is not known"
    case .unsafeMethod: "has a method that is not safe"
    case .nonIdempotent: "is not idempotent"
    case .sentOnce: "must be sent at most once"
    }
  }
}

extension Request {
  /// Whether no property of the request forbids a use.
  package func permits(_ use: RequestUses) -> Bool { obstacle(to: use) == nil }

  /// Returns a property of the request that forbids a use; nil if there is none.
  ///
  /// - Parameter use: A single one.
  package func obstacle(to use: RequestUses) -> RequestTrait? {
    if asksForUpgrade, !use.isOne(of: .attempts) { return .upgrade }
    if hasTrailers, use.isOne(of: .copies) { return .trailers }
    // The rest is examined only for the uses that it forbids, because it costs more.
    if use.isOne(of: .rewrites), head.extendedConnectProtocol != nil { return .tunnel }
    if use.isOne(of: .joins), !body.isInMemory { return .unreadBody }
    if use.isOne(of: .flights) {
      if delivery == .streamed { return .streamedResponse }
      if hasUnknownIdentity { return .unknownIdentity }
    }
    if use.isOne(of: .repeats), body.replay == .once { return .singleUseBody }
    if use == .hedging, !head.method.isSafe { return .unsafeMethod }
    // The context's value decides about a safe method, which is idempotent by itself.
    if use.isOne(of: .overtakings), context.isIdempotent == false { return .nonIdempotent }
    if use == .resending {
      if context.isSentOnce { return .sentOnce }
      if !isIdempotent { return .nonIdempotent }
    }
    return nil
  }
}

// Each set is formed once: an array literal in the function would be a heap object in a debug build.
extension RequestUses {
  /// One request alone is sent, perhaps several times.
  fileprivate static let attempts: RequestUses = [.repeating, .hedging, .resending]
  /// Its head or its response is used for another request, or later.
  fileprivate static let copies: RequestUses = [.sharing, .caching, .joining, .merging, .dividing, .queueing]
  /// Requests of a new kind are made of its head.
  fileprivate static let rewrites: RequestUses = [.dividing, .queueing]
  /// It is compared with others, to be sent with them.
  fileprivate static let joins: RequestUses = [.sharing, .joining, .merging]
  /// Callers that don't know of each other get parts of one response.
  fileprivate static let flights: RequestUses = [.sharing, .merging]
  /// Its body is sent again.
  fileprivate static let repeats: RequestUses = [.repeating, .hedging]
  /// Another request of its kind may arrive before it.
  fileprivate static let overtakings: RequestUses = [.sharing, .hedging]

  fileprivate func isOne(of uses: RequestUses) -> Bool { !isDisjoint(with: uses) }
}
