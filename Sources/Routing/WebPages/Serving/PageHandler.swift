public import HTTPTypes
public import Interception
import Synchronization

/// Answers a web view's requests for pages of the app's sites, through the app's pipeline.
///
/// Web views give the app no requests for http and https. Load the pages by a scheme of the app's own
/// instead: the handler maps `estate-page://www.example.com/loan/` to `https://www.example.com/loan/`, and
/// back.
///
/// ```swift
/// let pages = try PageHandler(
///   scheme: "estate-page", sites: ["www.example.com"], over: pipeline, packages: [store])
/// ```
///
/// Requests pass the chain as all others do: they are signed and cached, and reach the addresses of the DNS
/// bypass. They carry the app's cookies for the https site, and the cookies of their responses are kept in
/// the app's store; the web view has none. Without a network, and at the latest after `patience`, a page
/// comes from its site's package. A packaged file that differs from its signature is never delivered. A
/// request that only a network can answer fails with the network's error.
///
/// The resources of a document that come from a package come from one version of it, until the next document
/// of the site. A handler doesn't know which web view sends a request: create one for each web view.
///
/// Service workers don't reach a handler, and can't be registered for its scheme.
public final class PageHandler: Sendable {
  /// The fields that responses get if they don't have them.
  ///
  /// A page loads from and posts to its own site only, runs no inline script, and is shown in no frame. Its
  /// content is read as the type that it states.
  public static let securityFields: HTTPFields = {
    var fields: HTTPFields = [
      .contentSecurityPolicy:
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        + "frame-ancestors 'none'",
      .xContentTypeOptions: "nosniff",
    ]
    for (name, value) in [
      ("Referrer-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ] {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    return fields
  }()

  private let origins: PageOrigins
  private let dispatcher: any Dispatcher
  private let packages: [String: PagePackageStore]
  private let calls: PageCalling?
  private let patience: Duration
  private let fields: HTTPFields
  private let time: TimeSource
  private let prepare: @Sendable (inout Request) -> Void
  /// The packages of the sites' present documents.
  private let documents = Mutex<[String: DocumentPackage]>([:])

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - scheme: The app's own scheme, which is registered with the web view.
  ///   - sites: The hosts whose pages may be loaded, each with a port unless it is 443.
  ///   - dispatcher: The app's pipeline. If it has no interceptor that decodes responses, coded ones fail; if
  ///     it has no `RedirectInterceptor`, redirects of resources fail.
  ///   - packages: The installed packages, at most one of each site.
  ///   - calls: The routes that pages may call, if any.
  ///   - patience: How long a file that a package has waits for the network's response.
  ///   - fields: The fields that responses get if they don't have them.
  ///   - time: The clock of the patience.
  ///   - prepare: Changes each request before it is sent; set the account in `context.partition`, whose
  ///     cookies and stored responses it uses.
  /// - Throws: ``PageHandlerError``.
  public init(
    scheme: String, sites: [String], over dispatcher: some Dispatcher, packages: [PagePackageStore] = [],
    calls: PageCalling? = nil, patience: Duration = .seconds(3),
    fields: HTTPFields = PageHandler.securityFields, time: TimeSource = .system,
    prepare: @escaping @Sendable (inout Request) -> Void = { _ in }
  ) throws(PageHandlerError) {
    origins = try PageOrigins(scheme: scheme, sites: sites)
    var stores: [String: PagePackageStore] = [:]
    for store in packages {
      guard origins.sites.contains(store.site), stores.updateValue(store, forKey: store.site) == nil else {
        throw .package(site: store.site)
      }
    }
    if let calls { for site in origins.sites { try calls.check(site: site) } }
    self.dispatcher = dispatcher
    self.packages = stores
    self.calls = calls
    self.patience = patience
    self.fields = fields
    self.time = time
    self.prepare = prepare
  }

  /// Starts to answer a web view's request.
  ///
  /// - Parameters:
  ///   - request: The request with the URL in the app's scheme, and the fields and the body as the web view
  ///     states them.
  ///   - receive: Receives the events on the main actor, until the last one or ``PageLoad/cancel()``.
  @MainActor public func start(
    _ request: Request, _ receive: @escaping @MainActor (PageLoad.Event) -> Void
  ) -> PageLoad {
    let load = PageLoad(receive)
    load.begin(Task { await answer(request, for: load) })
    return load
  }

  /// Returns the response to a web view's request.
  ///
  /// A redirect of a document is returned, with its target in the app's scheme if the site is listed; those
  /// of other resources are followed by the pipeline within their origin, because a web view's handler can't
  /// redirect them. Nothing is sent to another origin.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` for another scheme or an unlisted site,
  ///   `NetworkError.Kind.rejected` for a request of another origin's page, a resource's redirect to
  ///   another origin or a damaged file, `NetworkError.Kind.unsupported` if the pipeline doesn't follow
  ///   redirects or decode content, or the error of the pipeline.
  @concurrent public func response(to request: Request) async throws(NetworkError) -> Response {
    var request = try origins.request(request)
    let (head, site) = (request.head, request.head.authority ?? "")
    let path = head.path ?? "/"
    if let calls, path.utf8.prefix(while: { $0 != UInt8(ascii: "?") }).elementsEqual(calls.path.utf8) {
      return securing(try await calls.response(to: request, site: site))
    }
    request.options.delivery = .streamed
    prepare(&request)
    request.context.redirects = PageOrigins.isNavigation(head) ? .manual : .follow
    request.context.staysInOrigin = true
    let isDocument = PageOrigins.isDocument(head)
    let document = isDocument ? nil : documentPackage(of: site)
    let package = isDocument ? packages[site]?.package : document?.package
    guard let package, let file = PackagedFile(for: head, in: package) else {
      let response = try await networkResponse(to: request, site: site)
      if isDocument { noteNetworkDocument(response, of: site, package) }
      return response
    }
    if document?.isServed == true { return securing(try await file.response(to: head)) }
    do throws(NetworkError) {
      if let response = try await networkResponse(to: request, site: site, within: patience) {
        if isDocument { noteNetworkDocument(response, of: site, package) }
        return response
      }
    } catch {
      guard error.meansNoNetwork else { throw error }
    }
    let response = securing(try await file.response(to: head))
    documents.withLock { documents in
      // A late answer for a former document does not concern the present one.
      guard isDocument || documents[site]?.package === package else { return }
      documents[site] = DocumentPackage(package: package, isServed: true)
    }
    return response
  }

  /// Returns the package of a site's present document; of one without a package, the present package.
  private func documentPackage(of site: String) -> DocumentPackage? {
    if let document = documents.withLock({ $0[site] }) { return document }
    guard let package = packages[site]?.package else { return nil }
    return documents.withLock { documents in
      let document = documents[site] ?? DocumentPackage(package: package, isServed: false)
      documents[site] = document
      return document
    }
  }

  /// Remembers that a site's present document is the network's, and the package for its resources.
  private func noteNetworkDocument(_ response: Response, of site: String, _ package: OpenPackage?) {
    guard response.status.kind != .redirection else { return }
    documents.withLock { $0[site] = package.map { DocumentPackage(package: $0, isServed: false) } }
  }

  @concurrent private func answer(_ request: Request, for load: PageLoad) async {
    guard !Task.isCancelled else { return }
    do throws(NetworkError) {
      let response = try await response(to: request)
      guard await load.deliver(.head(response.head)) else { return }
      switch response.body {
      case .bytes(let bytes):
        if !bytes.isEmpty { guard await load.deliver(.bytes(bytes)) else { return } }
      case .stream(let stream):
        let source = try stream.claim()
        defer { source.cancel() }
        while let bytes = try await source.read() {
          guard await load.deliver(.bytes(bytes)) else { return }
        }
      }
      _ = await load.deliver(.finished)
    } catch {
      _ = await load.deliver(.failed(error))
    }
  }

  /// Returns the network's response; nil if there is none within a time.
  private func networkResponse(
    to request: Request, site: String, within limit: Duration
  ) async throws(NetworkError) -> Response? {
    let race = AnswerRace()
    // Not child tasks, for which a transport that is slow to cancel would be waited for.
    let sending = Task {
      do throws(NetworkError) {
        race.finish(.success(try await networkResponse(to: request, site: site)))
      } catch {
        race.finish(.failure(error))
      }
    }
    let timer = Task {
      // A cancelled timer has no meaning any more.
      guard (try? await time.sleep(for: limit)) != nil else { return }
      race.finish(.success(nil))
    }
    defer {
      sending.cancel()
      timer.cancel()
    }
    return try await race.result()
  }

  private func networkResponse(to request: Request, site: String) async throws(NetworkError) -> Response {
    var response = try await dispatcher.dispatch(request)
    // The response may be shared with a request of the app, which may be redirected to other origins.
    for redirect in response.exchange.redirects {
      let target = URIReference(redirect.url)
      guard target.scheme?.lowercased() == "https", PageSite.canonical(target.authority ?? "") == site else {
        throw NetworkError(
          .rejected,
          "A resource of a page was redirected to another origin, which would be taken for the page's own; "
            + "use the URL to which it leads.")
      }
    }
    guard request.context.redirects == .manual || !response.head.isRedirect else {
      throw NetworkError(
        .unsupported,
        "A resource of a page was redirected, and web views don't follow redirects of a handler; add "
          + "RedirectInterceptor to the handler's pipeline.")
    }
    let isHead = request.head.method == .head
    guard isHead || response.head.headerFields.contentCodings.isEmpty || response.body.length == 0 else {
      throw NetworkError(
        .unsupported,
        "The page's response is coded, and web views don't decode what a handler delivers; add "
          + "CompressionInterceptor to the handler's pipeline.")
    }
    if isHead { response.body = .empty }
    response.head = origins.response(response.head)
    return securing(response)
  }

  /// Returns a response with the fields that secure it, unless it has its own.
  private func securing(_ response: Response) -> Response {
    var response = response
    for field in fields where !response.head.headerFields.contains(where: { $0.name == field.name }) {
      response.head.headerFields.append(field)
    }
    return response
  }
}

/// The package from which the resources of a site's document come.
///
/// It stays the same when another version is installed, because the resources of one version don't fit the
/// document of another.
private struct DocumentPackage: Sendable {
  let package: OpenPackage
  /// Whether the document or one of its resources came from the package, so that the others do as well.
  let isServed: Bool
}

extension HTTPResponse {
  /// Whether a browser would follow a redirect (Fetch Standard, redirect status).
  fileprivate var isRedirect: Bool {
    [301, 302, 303, 307, 308].contains(status.code)
      && headerFields.contains { field in field.name == .location && !field.value.isEmpty }
  }
}

/// A file of a package that answers a request.
private struct PackagedFile: Sendable {
  let package: OpenPackage
  let file: PageArchive.File

  /// Returns nil if the package doesn't have the file, or the request is not one to read it.
  init?(for head: HTTPRequest, in package: OpenPackage) {
    guard head.method == .get || head.method == .head, let path = PagePath.file(for: head.path ?? "/"),
      let file = package.archive.file(at: path)
    else { return nil }
    self.package = package
    self.file = file
  }

  func response(to head: HTTPRequest) async throws(NetworkError) -> Response {
    let tag: String
    do { tag = try file.tag } catch { throw NetworkError(.rejected, "\(error)", underlying: error) }
    let size = file.entry.size
    var fields: HTTPFields = [.eTag: tag, .acceptRanges: "bytes", .cacheControl: "no-cache"]
    if PageRange.isUnchanged(head.headerFields, tag: tag) {
      return Response(status: .notModified, headerFields: fields)
    }
    let range: Range<Int>
    let status: HTTPResponse.Status
    switch PageRange(for: head, size: size, tag: tag) {
    case .whole: (range, status) = (0..<size, .ok)
    case .part(let part):
      (range, status) = (part, .partialContent)
      fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
    case .unsatisfiable:
      fields[.contentRange] = "bytes */\(size)"
      return Response(status: .rangeNotSatisfiable, headerFields: fields)
    }
    fields[.contentType] = file.entry.type
    fields[.contentLength] = "\(range.count)"
    let answer = HTTPResponse(status: status, headerFields: fields)
    guard head.method == .get, !range.isEmpty else { return Response(answer) }
    let source = PageFileSource(package, file, range: range)
    // What fits into a block is verified before its head is delivered.
    guard range.count > PageManifest.blockSize else {
      return Response(answer, body: .bytes(try await source.collect(upTo: range.count)))
    }
    return Response(answer, body: .stream(BodyStream(length: Int64(range.count), source)))
  }
}

/// The network's response or the end of the patience, whichever is first.
private final class AnswerRace: Sendable {
  private struct State {
    var result: Result<Response?, NetworkError>?
    var waiter: ResultContinuation<Response?>?
  }

  private let state = Mutex(State())

  /// Ends the race; only the first call has an effect.
  func finish(_ result: Result<Response?, NetworkError>) {
    let waiter = state.withLock { state -> ResultContinuation<Response?>? in
      guard state.result == nil else { return nil }
      state.result = result
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: result)
  }

  func result() async throws(NetworkError) -> Response? {
    try await waitForResult(
      of: { continuation in
        let result = state.withLock { state in
          if state.result == nil { state.waiter = continuation }
          return state.result
        }
        if let result { continuation.resume(returning: result) }
      },
      onCancel: {
        finish(.failure(NetworkError(.cancelled(.task), "The page's request was cancelled.")))
      })
  }
}

extension NetworkError {
  /// Whether the request has no response because there is no network, or one that only seems to be one, such
  /// as that of a hotel before its login.
  fileprivate var meansNoNetwork: Bool {
    switch kind {
    case .tls, .proxyAuthentication, .notStored: true
    default: isOfNetwork
    }
  }
}
