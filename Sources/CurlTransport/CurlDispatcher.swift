public import Interception
import Synchronization

/// The collective dispatcher: every request of the app leaves through one of it, over libcurl.
///
/// ```swift
/// let dispatcher = CurlDispatcher()
/// let pipeline = try Pipeline(over: dispatcher) { … }
/// ```
///
/// Connections, TLS sessions and looked-up names are shared by all requests. HTTP/2 is used where a server of
/// an https URL offers it. Requests beyond the limits wait, by priority and age. One thread, or as many as
/// ``Configuration/loops`` says, carries all transfers and runs no user code but tasks that ask for it;
/// bodies of any size pass through bounded memory.
///
/// Only http and https are spoken, redirects are reported and not followed, proxies of the environment are
/// not used, and a request that is not idempotent is never sent twice by itself. Where a proxy of
/// ``ProxyPolicy`` applies, a `connectTarget` is passed over.
///
/// The dispatcher refuses with `NetworkError.Kind.invalidRequest` what would not reach the server as it
/// stands: a user name in the authority, a fragment or an unencoded byte in the path, a `Host` or
/// `Content-Length` that contradicts the request, and fields that belong to the connection or to a proxy. So
/// it does with a head of more than 64,512 bytes, which is what HTTP/2 can carry: the path, and name and
/// value of each field with 12 bytes besides. A line break or a zero byte in a field's value is a space by
/// then, see `Request.head`. `RequestOptions.acceptedCodings`, where it is not empty, takes the place of
/// an `Accept-Encoding` field.
///
/// The first dispatcher initializes libcurl with memory functions of its own, and OpenSSL so that it stands
/// until the process has ended. A program that initializes one of them before keeps that as it is. The caller
/// of the only request in flight spins for its response for up to 100 µs before its task is suspended, as
/// long as responses come that soon; ``Configuration/spinning`` turns that off.
public final class CurlDispatcher: Dispatcher {
  /// The limits and the trust it was made with.
  public let configuration: Configuration
  private let owners: [LoopOwner]
  private let sites: SiteCache
  /// Why the loaded libcurl cannot be used; nil if it can.
  private let shortcoming: String?
  private let time: TimeSource
  private let lastTransfer = Atomic<UInt64>(0)

  /// Creates a dispatcher; its thread starts with the first request.
  ///
  /// If the process has loaded a libcurl older than 7.88, or one without HTTP/2 or OpenSSL, every request
  /// fails with `NetworkError.Kind.unsupported` and a sentence that says what is loaded and what is needed.
  public convenience init(configuration: Configuration = Configuration()) {
    self.init(configuration: configuration, time: .system)
  }

  init(configuration: Configuration, time: TimeSource, library: LoadedLibrary = .loaded()) {
    self.configuration = configuration
    shortcoming = library.shortcoming
    self.time = time
    var opened = configuration
    opened.tls.clientCertificate = configuration.tls.clientCertificate?.opened
    sites = SiteCache(opened)
    owners = (0..<min(max(configuration.loops, 1), 64)).map { [opened] _ in
      LoopOwner(configuration: opened, library: library, time: time)
    }
  }

  /// The first thread, which is the only one by default.
  var owner: LoopOwner { owners[0] }

  /// It connects where the context says, unless a proxy does, and decodes what it asked for.
  public var capabilities: DispatcherCapabilities { [.connectTarget, .responseDecoding] }

  /// Sends `request` and returns once its answer's head, or its whole buffered answer, has arrived.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    if let shortcoming { throw NetworkError(.unsupported, shortcoming) }
    let handedOver = time.now()
    let plan = try RequestPlan(
      request, sites: sites, decodable: ContentDecoding.codings)
    let owner = owners[plan.origin.lane(of: owners.count)]
    let id = TransferID(number: lastTransfer.add(1, ordering: .relaxed).newValue)
    let submission = Submission(id: id, plan: plan, owner: owner, handedOver: handedOver)
    return try await submission.answered()
  }

  /// Runs tasks on the thread that carries the transfers.
  ///
  /// A task that prefers it spares the hop to Swift's pool and back: of small requests, many at a time,
  /// between an eighth and a fifth of the processor time. One after another they are answered sooner without
  /// it, because the caller spins for its response.
  ///
  /// ```swift
  /// try await withTaskExecutorPreference(dispatcher.taskExecutor) { … }
  /// ```
  ///
  /// Choose it for a task that does little between its requests, such as a crawler, a proxy or a poller.
  /// Whatever it computes, and above all whatever blocks, holds up every transfer of the dispatcher: don't
  /// choose it for decoding large answers, for files, or for tasks that wait for locks. After
  /// ``shutdown(grace:)`` its tasks go on on Swift's pool.
  public var taskExecutor: any TaskExecutor { owner.mailbox }

  /// Accepts nothing more, lets what runs go on for `grace`, and returns once the thread has ended.
  ///
  /// What waits, and what is not over by then, fails with `NetworkError.Kind.cancelled(_:)` of cause
  /// `NetworkError.Cause.shutdown`; an answer that is still being read counts as running.
  public func shutdown(grace: Duration = .zero) async {
    for owner in owners { owner.mailbox.close(grace: grace) }
    for owner in owners { await owner.mailbox.waitUntilEnded() }
  }

  /// Opens fresh connections for every request that has not begun, and lets those that run end on theirs.
  ///
  /// Call it when the machine has moved to another network: kept connections are dead then, and a request
  /// would learn it only by a timeout. Names are looked up again, too. The old connections close once nothing
  /// that began before runs any more.
  public func networkDidChange() { for owner in owners { owner.mailbox.post(.networkChanged) } }
}
