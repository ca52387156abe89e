/// What an interceptor tells the pipeline about itself.
public struct InterceptorTraits: Sendable, Hashable {
  /// How many interceptors of one type a pipeline may hold.
  public enum Multiplicity: Sendable, Hashable {
    /// At most one; a second one is reported by ``PipelineIssue``.
    case one
    /// Any number.
    case many
  }

  /// How often an interceptor calls `next` for one request.
  public enum NextCalls: Sendable, Hashable {
    /// Always once, unless it throws.
    case exactlyOnce
    /// Once, or not at all when it answers by itself, as a cache does.
    case atMostOnce
    /// Again and again, as a retry does.
    case anyNumber
  }

  /// What an interceptor does with the request's body.
  public enum RequestBodyNeed: Sendable, Hashable {
    /// It doesn't read it.
    case untouched
    /// It reads it and hands it on, so it must be possible to read it twice.
    case replayable
    /// It reads it as bytes; the pipeline collects a streamed body up to this many bytes beforehand.
    case bytes(upTo: Int)
  }

  /// What an interceptor does with the response's body.
  public enum ResponseBodyNeed: Sendable, Hashable {
    /// It doesn't read it, or wraps the stream.
    case untouched
    /// It reads it as bytes; the pipeline collects a streamed body up to this many bytes beforehand.
    case bytes(upTo: Int)

    /// The most bytes that are read; nil where none are.
    var limit: Int? { if case .bytes(let limit) = self { limit } else { nil } }
  }

  /// Something that must be there for the interceptor to work.
  public enum Requirement: Sendable, Hashable {
    /// An interceptor of this stage.
    case stage(Stage)
    /// Abilities of the dispatcher at the end of the chain.
    case dispatcher(DispatcherCapabilities)
  }

  /// The place in the chain.
  public var stage: Stage
  /// How many of the same type are allowed.
  public var multiplicity: Multiplicity
  /// How often it calls `next`.
  public var callsNext: NextCalls
  /// What it does with the request's body.
  public var requestBody: RequestBodyNeed
  /// What it does with the response's body.
  public var responseBody: ResponseBodyNeed
  /// What must be there besides.
  public var requires: [Requirement]

  /// Makes traits; every default is the modest one.
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
