/// The properties of an interceptor that the pipeline checks and acts on.
public struct InterceptorTraits: Sendable, Hashable {
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

  /// Something that the interceptor depends on.
  package enum Requirement: Sendable, Hashable {
    /// An interceptor of this stage.
    case stage(Stage)
    /// Capabilities of the dispatcher at the end of the chain.
    case dispatcher(DispatcherCapabilities)
  }

  /// The interceptor's place in the chain.
  public var stage: Stage
  /// Whether a pipeline may have several interceptors of the type; otherwise ``PipelineIssue`` reports them.
  package var allowsSeveral: Bool
  /// How often the interceptor calls `next`.
  package var callsNext: NextCalls
  /// How the interceptor uses the request's body.
  package var requestBody: RequestBodyNeed
  /// The maximum number of bytes of the response's body, if the interceptor reads it as bytes; nil if not.
  ///
  /// The pipeline first collects a streamed body. Leave it nil if the interceptor wraps the stream.
  package var responseBodyLimit: Int?
  /// The stages and dispatcher capabilities that the interceptor depends on.
  package var requires: [Requirement]
  /// A remedy besides a replayable body, for the error about a body that can be read only once.
  package var replayAlternative: String?

  /// Creates traits; the defaults are the least demanding ones.
  public init(
    stage: Stage, allowsSeveral: Bool = false, callsNext: NextCalls = .exactlyOnce,
    requestBody: RequestBodyNeed = .untouched, responseBodyLimit: Int? = nil
  ) {
    self.init(
      stage: stage, allowsSeveral: allowsSeveral, callsNext: callsNext, requestBody: requestBody,
      responseBodyLimit: responseBodyLimit, requires: [])
  }

  /// Creates traits of an interceptor that depends on others.
  package init(
    stage: Stage, allowsSeveral: Bool = false, callsNext: NextCalls = .exactlyOnce,
    requestBody: RequestBodyNeed = .untouched, responseBodyLimit: Int? = nil,
    requires: [Requirement]
  ) {
    self.stage = stage
    self.allowsSeveral = allowsSeveral
    self.callsNext = callsNext
    self.requestBody = requestBody
    self.responseBodyLimit = responseBodyLimit
    self.requires = requires
  }
}
