public import Interception
public import RedirectFollowing
public import RequestRetry
public import RequestSharing
public import RequestValidation
public import ResponseCaching

#if !canImport(Darwin)
import BodyCompression
#endif

extension Pipeline {
  /// Creates the recommended chain.
  ///
  /// ```swift
  /// let pipeline = try Pipeline.standard(
  ///   over: CurlDispatcher(),
  ///   signing: SigningInterceptor(key: key, identity: .app),
  ///   logging: LoggingInterceptor(logger: Logger(label: "network")))
  /// ```
  ///
  /// By default, requests are validated and shared, redirects are followed, idempotent requests are retried
  /// after transient failures, and bodies are compressed. Responses are cached for the lifetime they declare,
  /// or by a request's `cacheRule`. The other parts need credentials, a key, a table or a logger; cookies
  /// need a decision of the app. Pass an interceptor to replace a part, nil to leave it out, and further
  /// interceptors as `others`.
  ///
  /// Each interceptor is placed by its stage, so the order of the arguments is irrelevant. Interceptors of
  /// the same stage remain in the order of the parameters, with `others` last.
  ///
  /// - Parameters:
  ///   - dispatcher: The dispatcher at the end of the chain.
  ///   - validation: Refuses invalid requests.
  ///   - sharing: Joins identical requests in flight that have the same identity.
  ///   - redirects: Follows redirects, each hop through the parts below.
  ///   - retry: Sends requests again, each attempt through the parts below.
  ///   - cookies: Keeps cookies; none by default.
  ///   - authorization: Adds credentials; none by default.
  ///   - signing: Signs requests; none by default.
  ///   - caching: Responds with stored responses; by default in memory, for the lifetime they declare.
  ///   - routing: Chooses the address to connect to; none by default.
  ///   - compression: Compresses bodies and limits responses; on Apple's platforms none by default, because
  ///     `URLSession` decodes by itself. It requires a dispatcher that decodes responses.
  ///   - logging: Logs what is sent; none by default.
  ///   - others: Further interceptors, such as a rate limit, or the app's own. Pass an interceptor of a type
  ///     that the chain already has as that part instead.
  ///   - observers: Receive an event for every step.
  ///   - time: The clock that measures the steps; read only for observed calls.
  ///   - credentialFields: The header fields that are credentials, in addition to the usual ones.
  /// - Throws: `PipelineIssue`, which lists all faults of multiplicity and requirements.
  public static func standard(
    over dispatcher: some Dispatcher,
    validation: (any Interceptor)? = ValidationInterceptor(),
    sharing: (any Interceptor)? = SharingInterceptor(),
    redirects: (any Interceptor)? = RedirectInterceptor(),
    retry: (any Interceptor)? = RetryInterceptor(),
    cookies: (any Interceptor)? = nil,
    authorization: (any Interceptor)? = nil,
    signing: (any Interceptor)? = nil,
    caching: (any Interceptor)? = CachingInterceptor(defaultRule: .stated()),
    routing: (any Interceptor)? = nil,
    compression: (any Interceptor)? = platformCompression,
    logging: (any Interceptor)? = nil,
    adding others: [any Interceptor] = [],
    observers: [any PipelineObserver] = [],
    time: TimeSource = .system,
    credentialFields: CredentialFields = []
  ) throws(PipelineIssue) -> Pipeline {
    let parts = [
      ("validation", validation), ("sharing", sharing), ("redirects", redirects), ("retry", retry),
      ("cookies", cookies), ("authorization", authorization), ("signing", signing), ("caching", caching),
      ("routing", routing), ("compression", compression), ("logging", logging),
    ].compactMap { label, part in part.map { (label, $0) } }
    // Sorting is stable.
    let interceptors = (parts.map(\.1) + others).sorted { $0.traits.stage < $1.traits.stage }
    do throws(PipelineIssue) {
      return try Pipeline(
        over: dispatcher, observers: observers, time: time, credentialFields: credentialFields
      ) { interceptors }
    } catch {
      let added = Set(others.map(\.name))
      let remedies = parts.filter { added.contains($1.name) }.map { label, part in
        (part.name, "the standard chain has it as \(label): pass yours as that argument, and not in adding")
      }
      throw error.remedyingRepetitions(Dictionary(remedies) { first, _ in first })
    }
  }

  /// The compression that a platform's chain has by default.
  @usableFromInline static var platformCompression: (any Interceptor)? {
    #if !canImport(Darwin)
    CompressionInterceptor()
    #else
    nil
    #endif
  }
}
