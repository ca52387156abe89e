public import Interception
import Synchronization

/// A dispatcher that sends all requests of an app over libcurl.
///
/// ```swift
/// let dispatcher = CurlDispatcher()
/// let pipeline = try Pipeline(over: dispatcher) { ValidationInterceptor() }
/// ```
///
/// Requests share connections, TLS sessions and resolved names, and use HTTP/2 if an https server offers it,
/// or HTTP/3 as ``HTTP3Use`` says.
/// Requests beyond the limits wait, ordered by priority and age. The threads that carry transfers run no user
/// code but tasks that prefer them. Bodies of any size need bounded memory.
///
/// Only http and https are supported. Redirects are not followed, proxies of the environment are ignored
/// unless ``ProxyPolicy/environment(_:)`` reads them. If a proxy applies, `connectTarget` is ignored.
///
/// A request that is not idempotent, by its method or `RequestContext.isIdempotent`, is not sent again
/// automatically, unless a server of HTTP/2 refuses it before it processes it (RFC 9113, sections 6.8 and
/// 8.7): then it is sent once more, if it may be sent more than once. A second refusal is an error whose
/// `requestMayHaveBeenProcessed` is false, so that `RetryInterceptor` retries after a pause. libcurl before
/// 8.1 shows fewer refusals: there the first one by GOAWAY is such an error, and one by RST_STREAM over a
/// reused connection counts as possibly processed.
///
/// The dispatcher refuses with `NetworkError.Kind.invalidRequest` what would not reach the server
/// unchanged: a user name in the authority, a fragment or an unencoded byte in the path, a `Host` or
/// `Content-Length` that contradicts the request, and fields that belong to the connection or to a proxy. It
/// also refuses a head of more than 64,512 bytes, the maximum of HTTP/2: the path, and the name and value of
/// each field plus 12 bytes. A line break or a zero byte in a field's value is a space by then, see
/// `Request.head`.
///
/// A request without `Accept-Encoding` is sent with the value `identity`. Content is delivered as it was
/// sent, with its `Content-Encoding`; `CompressionInterceptor` asks for codings and decodes them.
///
/// Unless the program has initialized them before, the first dispatcher initializes libcurl with its own
/// memory functions, and OpenSSL without clean-up at exit.
public final class CurlDispatcher: Dispatcher {
  /// The configuration of this dispatcher.
  package let configuration: Configuration
  let owners: [LoopOwner]
  private let sites: SiteCache
  /// Why the loaded libcurl cannot be used; nil if it can.
  private let shortcoming: String?
  /// Why it cannot be used for HTTP/2 without TLS; nil if it can.
  private let priorKnowledgeShortcoming: String?
  /// Why it cannot be used as `http3` demands; nil if it can.
  private let http3Shortcoming: String?
  /// Whether an HTTPS record of an origin decides that HTTP/3 is tried.
  private let obeysHTTP3Records: Bool
  private let checksZones: Bool
  /// What keeps advertisements of HTTP/3 in a file; nil without a file.
  private let store: AlternativeServiceStore?
  private let time: TimeSource
  private let lastTransfer = Atomic<UInt64>(0)

  /// Creates a dispatcher; its thread starts with the first request.
  ///
  /// If the process has loaded a libcurl older than 7.88, or one without HTTP/2 or OpenSSL, every request
  /// fails with `NetworkError.Kind.unsupported` and a message that says what is loaded and what is needed.
  public convenience init(configuration: Configuration = Configuration()) {
    self.init(configuration: configuration, time: .system)
  }

  init(configuration: Configuration, time: TimeSource, library: LoadedLibrary = .loaded()) {
    self.configuration = configuration
    shortcoming = library.shortcoming
    priorKnowledgeShortcoming = library.priorKnowledgeShortcoming
    http3Shortcoming = configuration.http3 == .first ? library.http3Shortcoming : nil
    // Where HTTP/3 is tried first, a record tells nothing new.
    obeysHTTP3Records = configuration.http3 == .whenAdvertised && library.hasHTTP3
    checksZones = UnknownZone.isReplaced(by: library)
    self.time = time
    var opened = configuration
    opened.tls.clientCertificate = configuration.tls.clientCertificate?.opened
    sites = SiteCache(opened)
    let usesHTTP3 = configuration.http3 != .off && library.hasHTTP3 && library.shortcoming == nil
    let store =
      usesHTTP3 ? configuration.alternativeServices.map { AlternativeServiceStore($0, time: time) } : nil
    self.store = store
    owners = (0..<min(max(configuration.loops, 1), 64)).map { [opened] _ in
      LoopOwner(configuration: opened, library: library, store: store, time: time)
    }
  }

  /// The owner of the first thread, which is the only one by default.
  var owner: LoopOwner { owners[0] }

  /// Connection to the context's target, unless a proxy applies.
  public var capabilities: DispatcherCapabilities {
    let always: DispatcherCapabilities = [.connectTarget, .connectRacing, .protocolUpgrade]
    return obeysHTTP3Records ? always.union(.http3Records) : always
  }

  /// Sends a request, and returns when the response's head, or the complete buffered response, has arrived.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    try await dispatch(request, onlyConnects: false)
  }

  func dispatch(_ request: Request, onlyConnects: Bool) async throws(NetworkError) -> Response {
    if let shortcoming { throw NetworkError(.unsupported, shortcoming) }
    let handedOver = time.now()
    let plan = try RequestPlan(request, sites: sites, onlyConnects: onlyConnects)
    if plan.origin.hasPriorKnowledge, let priorKnowledgeShortcoming {
      throw NetworkError(.unsupported, priorKnowledgeShortcoming)
    }
    if let http3Shortcoming, plan.origin.scheme == .https {
      throw NetworkError(.unsupported, http3Shortcoming)
    }
    if checksZones { try UnknownZone.check(plan, target: request.context.connectTarget) }
    let owner = owners[plan.origin.lane(of: owners.count)]
    let id = TransferID(number: lastTransfer.add(1, ordering: .relaxed).newValue)
    let submission = Submission(id: id, plan: plan, owner: owner, handedOver: handedOver)
    return try await submission.answered()
  }

  /// An executor that runs tasks on the thread that carries the transfers.
  ///
  /// It saves switches to Swift's pool and back: of many small requests at once, up to a quarter of the
  /// processor time. Requests one after another are faster without it, see `spinning`.
  ///
  /// ```swift
  /// try await withTaskExecutorPreference(dispatcher.taskExecutor) { try await crawl(pipeline) }
  /// ```
  ///
  /// Use it for tasks that do little between requests, such as a crawler, a proxy or a poller. Computation
  /// and blocking calls delay every transfer of the dispatcher, so do not use it for decoding large
  /// responses, file access, or tasks that wait for locks. After ``shutdown(grace:)`` the tasks continue on
  /// Swift's pool.
  public var taskExecutor: any TaskExecutor { owner.mailbox }

  /// Accepts no more requests, gives running ones `grace` to finish, and waits for the threads to end.
  ///
  /// Waiting requests, and those that run at the end of the grace, fail with
  /// `NetworkError.Kind.cancelled(_:)` of cause `NetworkError.Cause.shutdown`. A response that is still
  /// being read counts as running. At the end an ``AlternativeServiceFile`` is written, if it has changed.
  public func shutdown(grace: Duration = .zero) async {
    for owner in owners { owner.mailbox.close(grace: grace) }
    for owner in owners { await owner.mailbox.waitUntilEnded() }
    store?.write()
  }

  /// Waits until the task is cancelled, and then shuts down as ``shutdown(grace:)`` does.
  ///
  /// Use it in a server's main program, which runs its services as tasks and cancels them when the process is
  /// asked to end. With swift-service-lifecycle it is the `run` of a `Service`, within
  /// `cancelWhenGracefulShutdown`.
  ///
  /// ```swift
  /// await withTaskGroup(of: Void.self) { services in
  ///   services.addTask { await dispatcher.run(grace: .seconds(30)) }
  /// }
  /// ```
  ///
  /// - Parameter grace: The time that running requests have to finish after the cancellation.
  public func run(grace: Duration = .seconds(10)) async {
    // A cancellation ends the wait at once.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
    await shutdown(grace: grace)
  }

  /// Opens new connections for all requests that have not started; running ones finish on theirs.
  ///
  /// Call it when the machine has moved to another network: idle connections are dead then, which a request
  /// would only notice by a timeout. Names are resolved again, and what was learned of HTTP/3 is forgotten,
  /// also in an ``AlternativeServiceFile``.
  /// The old connections are closed when the last request that started before has ended.
  public func networkDidChange() {
    let number = store?.removeAll() ?? 0
    for owner in owners { owner.mailbox.post(.networkChanged(number)) }
  }
}
