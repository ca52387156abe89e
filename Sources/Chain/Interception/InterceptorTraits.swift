/// The properties of an interceptor that the pipeline checks and acts on.
public struct InterceptorTraits: Sendable, Hashable {
  /// The number of interceptors of one type that a pipeline may hold.
  public enum Multiplicity: Sendable, Hashable {
    /// At most one; ``PipelineIssue`` reports any further ones.
    case one
    /// Any number.
    case many
  }

  /// How often an interceptor calls `next` per request.
  ///
  /// A pipeline checks it: an interceptor that calls `next` more often, or responds without calling it, fails
  /// with ``NetworkError/Kind/rejected``.
  public enum NextCalls: Sendable, Hashable {
    /// Exactly once, unless it throws.
    case exactlyOnce
    /// Once, or not at all if it responds by itself, as a cache does.
    case atMostOnce
    /// Repeatedly, as a retry does.
    case anyNumber
  }

  /// How an interceptor uses the request's body.
  public enum RequestBodyNeed: Sendable, Hashable {
    /// Does not read the body.
    case untouched
    /// Reads the body and passes it on, so the body must be replayable.
    case replayable
    /// Reads the body as bytes; the pipeline first collects a streamed body of at most this many bytes.
    case bytes(upTo: Int)
  }

  /// How an interceptor uses the response's body.
  public enum ResponseBodyNeed: Sendable, Hashable {
    /// Does not read the body, or wraps its stream.
    case untouched
    /// Reads the body as bytes; the pipeline first collects a streamed body of at most this many bytes.
    case bytes(upTo: Int)

    /// The maximum number of bytes that are read, or nil if the body is not read.
    var limit: Int? { if case .bytes(let limit) = self { limit } else { nil } }
  }

  /// Something that the interceptor depends on.
  public enum Requirement: Sendable, Hashable {
    /// An interceptor of this stage.
    case stage(Stage)
    /// Capabilities of the dispatcher at the end of the chain.
    case dispatcher(DispatcherCapabilities)
  }

  /// The interceptor's place in the chain.
  public var stage: Stage
  /// How many interceptors of the same type are allowed.
  public var multiplicity: Multiplicity
  /// How often the interceptor calls `next`.
  public var callsNext: NextCalls
  /// How the interceptor uses the request's body.
  public var requestBody: RequestBodyNeed
  /// How the interceptor uses the response's body.
  public var responseBody: ResponseBodyNeed
  /// The stages and dispatcher capabilities that the interceptor depends on.
  public var requires: [Requirement]
  /// A remedy besides a replayable body, for the error about a body that can be read only once.
  package var replayAlternative: String?

  /// Creates traits; the defaults are the least demanding ones.
  public init(
    stage: Stage, multiplicity: Multiplicity = .one, callsNext: NextCalls = .exactlyOnce,
    requestBody: RequestBodyNeed = .untouched, responseBody: ResponseBodyNeed = .untouched,
    requires: [Requirement] = []
  ) {
    self.stage = stage
    self.multiplicity = multiplicity
    self.callsNext = callsNext
    self.requestBody = requestBody
    self.responseBody = responseBody
    self.requires = requires
  }
}
