import CommandRunning
import CookieKeeping
import DNSBypass
import Foundation
import HTTPTypes
import Interception
import MediationFixtures
import RedirectFollowing
import RequestSigning
import ResponseCaching
import SwitchyardTesting
import Synchronization
import Testing

@testable import WebPages

@Suite(.timeLimit(.minutes(5))) struct PageHandlerTests {
  private let fixture: PageStoreFixture

  init() throws { fixture = try PageStoreFixture() }

  /// A server that can be out of reach.
  private final class Server: Sendable {
    let isOffline = Mutex(false)

    func dispatcher(
      _ answer: @escaping @Sendable (Request) throws(NetworkError) -> Response
    ) -> ScriptedDispatcher {
      ScriptedDispatcher { [self] request, _ throws(NetworkError) in
        if isOffline.withLock({ $0 }) { throw .noNetwork }
        return try answer(request)
      }
    }
  }

  private static func handler(
    _ dispatcher: some Dispatcher, packages: [PagePackageStore] = [], fields: HTTPFields = [:],
    time: TimeSource = TimeSource(TestClock()),
    prepare: @escaping @Sendable (inout Request) -> Void = { _ in }
  ) throws -> PageHandler {
    try PageHandler(
      scheme: "estate-page", sites: [PageStoreFixture.site], over: dispatcher, packages: packages,
      fields: fields, time: time, prepare: prepare)
  }

  private func installed() async throws -> PagePackageStore {
    let store = try fixture.store()
    try await store.install(PageStoreFixture.package(1))
    return store
  }

  // MARK: The whole

  @Test(
    "J5: A page's requests pass the pipeline with cookies both ways, a signed package serves it without a network, and a torn or foreign one never does"
  )
  func whole() async throws {
    let server = Server()
    let network = server.dispatcher { request throws(NetworkError) in
      var fields: HTTPFields = [.cacheControl: "no-store", .contentType: "text/html"]
      switch request.head.path {
      case "/login": fields[.setCookie] = "session=native; Path=/; Secure; HttpOnly"
      case "/loan/": fields[.setCookie] = "page=web; Path=/; Secure"
      case "/style.css": fields[.cacheControl] = "public, max-age=600"
      default: break
      }
      return Response(status: .ok, headerFields: fields, bytes: Array("online".utf8))
    }
    let key = try SigningKey(id: "app", secret: [UInt8](repeating: 7, count: 32))
    let table = try AddressTable([PageStoreFixture.site: ["203.0.114.1"]])
    let pipeline = try Pipeline(over: network) {
      RedirectInterceptor()
      CookieInterceptor()
      SigningInterceptor(key: key, identity: .app)
      CachingInterceptor(defaultRule: .stated())
      DNSBypassInterceptor(table, prober: nil)
    }
    let pages = try await Self.handler(pipeline, packages: [installed()])

    // The app has logged in; the page is signed, goes to the bypass's address and has the app's cookie.
    _ = try await pipeline.send(Request(authority: PageStoreFixture.site, path: "/login"))
    let page = try await pages.response(to: pageRequest(navigates: true))
    #expect(try await page.text() == "online")
    #expect(page.head.headerFields[.setCookie] == nil)
    let sent = try #require(network.requests.last)
    #expect(sent.head.scheme == "https" && sent.head.authority == PageStoreFixture.site)
    #expect(sent.head.headerFields[.cookie] == "session=native")
    #expect(sent.head.headerFields[SignatureFields.signature] != nil)
    #expect(sent.context.connectTarget?.description.hasPrefix("203.0.114.1") == true)
    // What the page's response set goes with the app's requests.
    _ = try await pipeline.send(Request(authority: PageStoreFixture.site, path: "/native"))
    #expect(network.requests.last?.head.headerFields[.cookie] == "session=native; page=web")
    // The page's resources are cached as the app's are.
    for _ in 1...2 {
      #expect(try await pages.response(to: pageRequest("/style.css")).text() == "online")
    }
    #expect(network.requests.count { $0.head.path == "/style.css" } == 1)

    server.isOffline.withLock { $0 = true }
    let offline = try await pages.response(to: pageRequest(navigates: true))
    #expect(try await offline.text() == "version 1")

    let package = try PageStoreFixture.package(2)
    for bytes in [
      Array(package.dropLast()), Array(package.prefix(600)),
      try PageStoreFixture.package(2, key: PageKeys.otherPrivateKey),
    ] {
      let other = try PageStoreFixture()
      try other.write(bytes)
      let store = try other.store()
      #expect(store.fault != nil)
      let error = await #expect(throws: NetworkError.self) {
        try await Self.handler(pipeline, packages: [store]).response(to: pageRequest(navigates: true))
      }
      #expect(error?.kind == .offline)
    }
  }

  // MARK: With a network

  @Test("The method, the body and the fields of a page's request are sent")
  func bodies() async throws {
    let network = ScriptedDispatcher()
    let pages = try Self.handler(network) { $0.context.partition = "account-7" }
    for method in [.post, .put, .patch, .delete] as [HTTPRequest.Method] {
      _ = try await pages.response(
        to: pageRequest("/api", method: method, [.contentType: "text/plain"], body: .text("body")))
      let sent = try #require(network.requests.last)
      #expect(sent.head.method == method && sent.body.bytes == Array("body".utf8))
      #expect(sent.head.headerFields[.contentType] == "text/plain")
      #expect(sent.context.partition == "account-7")
      #expect(sent.options.delivery == .streamed)
    }
  }

  @Test("A document's redirect is returned with the page's URL; a resource's is followed within its site")
  func redirects() async throws {
    let network = ScriptedDispatcher { request, _ throws(NetworkError) in
      switch request.head.path {
      case "/old": Response(status: .found, headerFields: [.location: "https://www.estate.example/new"])
      case "/away": Response(status: .found, headerFields: [.location: "https://other.example/secret"])
      default: Response(status: .ok, bytes: Array("new".utf8))
      }
    }
    let pages = try Self.handler(Pipeline(over: network) { RedirectInterceptor() })
    let document = try await pages.response(to: pageRequest("/old", navigates: true))
    #expect(document.status == .found)
    #expect(document.head.headerFields[.location] == "estate-page://www.estate.example/new")
    let away = try await pages.response(to: pageRequest("/away", navigates: true))
    #expect(away.head.headerFields[.location] == "https://other.example/secret")
    let form = try await pages.response(
      to: pageRequest("/old", method: .post, body: .text("a=b"), navigates: true))
    #expect(form.head.headerFields[.location] == "estate-page://www.estate.example/new")
    #expect(try await pages.response(to: pageRequest("/old")).text() == "new")
  }

  @Test(
    "A resource's redirect to another origin is refused before anything is sent there",
    arguments: [.get, .head, .post, .put, .delete] as [HTTPRequest.Method], [301, 302, 303, 307, 308])
  func foreignRedirects(method: HTTPRequest.Method, status: Int) async throws {
    for target in [
      "https://other.example/act", "//other.example/act", "https://www.estate.example:444/act",
      "https://www.estate.example.other.example/", "http://www.estate.example/act",
      // Another listed site is another origin, too.
      "https://dev.example:8443/act",
    ] {
      let network = ScriptedDispatcher { request, _ throws(NetworkError) in
        switch (request.head.authority, request.head.path) {
        case (PageStoreFixture.site, "/start"):
          Response(status: .init(code: status), headerFields: [.location: "/go"])
        case (PageStoreFixture.site, "/go"):
          Response(status: .init(code: status), headerFields: [.location: target])
        // From the other origin back again, so that the last URL is the site's.
        default:
          Response(
            status: .init(code: status),
            headerFields: [.location: "https://www.estate.example/back", .setCookie: "a=1"])
        }
      }
      let pages = try PageHandler(
        scheme: "estate-page", sites: [PageStoreFixture.site, "dev.example:8443"],
        over: Pipeline(over: network) {
          RedirectInterceptor(allowsDowngrades: true)
          CookieInterceptor()
        })
      let body: RequestBody = [.get, .head].contains(method) ? .empty : .text("secret")
      let error = await #expect(throws: NetworkError.self) {
        try await pages.response(to: pageRequest("/start", method: method, body: body))
      }
      #expect(error?.kind == .rejected)
      #expect(error?.underlying(as: RedirectError.self)?.rule == .otherOrigin)
      #expect(network.requests.map(\.head.authority) == [PageStoreFixture.site, PageStoreFixture.site])
      #expect(network.requests.map(\.head.path) == ["/start", "/go"])
    }
  }

  @Test(
    "A resource's response that was redirected through another origin is refused, also one that is shared",
    arguments: [
      ["https://other.example/"], ["https://other.example/", "https://www.estate.example/"],
      ["https://www.estate.example/", "https://www.estate.example:444/"],
    ])
  func foreignResponses(urls: [String]) async throws {
    var response = Response(status: .ok, bytes: [1])
    response.exchange.redirects = urls.map { .init(status: .found, method: .get, url: $0) }
    let pages = try Self.handler(ScriptedDispatcher(answering: response))
    let error = await #expect(throws: NetworkError.self) { try await pages.response(to: pageRequest()) }
    #expect(error?.kind == .rejected)
  }

  @Test(
    "Without an interceptor that follows it, a resource's redirect is an error that names the remedy",
    arguments: [(301, true), (302, true), (303, true), (307, true), (308, true), (300, false), (304, false)])
  func rawRedirects(status: Int, isError: Bool) async throws {
    let network = ScriptedDispatcher(
      answering: Response(status: .init(code: status), headerFields: [.location: "/b"]))
    let pages = try Self.handler(network)
    if isError {
      let error = await #expect(throws: NetworkError.self) { try await pages.response(to: pageRequest()) }
      #expect(error?.kind == .unsupported && error?.reason.contains("RedirectInterceptor") == true)
    } else {
      #expect(try await pages.response(to: pageRequest()).status.code == status)
    }
    #expect(try await pages.response(to: pageRequest(navigates: true)).status.code == status)
  }

  @Test("HEAD has a head and no content")
  func head() async throws {
    let pages = try Self.handler(
      ScriptedDispatcher(
        answering: Response(
          status: .ok, headerFields: [.contentLength: "6", .contentEncoding: "br"],
          bytes: Array("online".utf8)))
    )
    let response = try await pages.response(to: pageRequest(method: .head))
    #expect(response.head.headerFields[.contentLength] == "6")
    #expect(try await response.text() == "")
  }

  @Test("Coded content, which a web view would show as it is, is an error that names the remedy")
  func coded() async throws {
    let pages = try Self.handler(
      ScriptedDispatcher(
        answering: Response(status: .ok, headerFields: [.contentEncoding: "gzip"], bytes: [31, 139])))
    let error = await #expect(throws: NetworkError.self) { try await pages.response(to: pageRequest()) }
    #expect(error?.kind == .unsupported && error?.reason.contains("CompressionInterceptor") == true)
  }

  @Test("Responses are secured unless they, or the app, say otherwise, from the network and from a package")
  func security() async throws {
    let server = Server()
    let network = server.dispatcher { request throws(NetworkError) in
      Response(
        status: .ok,
        headerFields: request.head.path == "/own" ? [.contentSecurityPolicy: "default-src *"] : [:])
    }
    let store = try await installed()
    let pages = try Self.handler(network, packages: [store], fields: PageHandler.securityFields)
    for isOffline in [false, true] {
      server.isOffline.withLock { $0 = isOffline }
      let fields = try await pages.response(to: pageRequest(navigates: true)).head.headerFields
      #expect(fields[.contentSecurityPolicy]?.hasPrefix("default-src 'self'") == true)
      #expect(fields[.contentSecurityPolicy]?.contains("unsafe") == false)
      #expect(fields[.xContentTypeOptions] == "nosniff")
      for name in ["Referrer-Policy", "Cross-Origin-Resource-Policy", "Permissions-Policy"] {
        #expect(fields[try #require(HTTPField.Name(name))] != nil)
      }
    }
    server.isOffline.withLock { $0 = false }
    let own = try await pages.response(to: pageRequest("/own")).head.headerFields
    #expect(own[.contentSecurityPolicy] == "default-src *" && own[.xContentTypeOptions] == "nosniff")
    let plain = try Self.handler(network, fields: [.contentSecurityPolicy: "default-src 'none'"])
    let fields = try await plain.response(to: pageRequest()).head.headerFields
    #expect(fields == [.contentSecurityPolicy: "default-src 'none'"])
  }

  // MARK: Without a network

  @Test(
    "A page comes from its package if there is no network, or one that only seems to be one",
    arguments: [
      .offline, .resolve, .connect, .timeout(.connect), .timeout(.firstByte), .transport, .tls(.untrusted),
      .proxyAuthentication, .notStored, .queueFull,
    ] as [NetworkError.Kind])
  func fallback(kind: NetworkError.Kind) async throws {
    let store = try await installed()
    let pages = try Self.handler(ScriptedDispatcher(failing: NetworkError(kind, "")), packages: [store])
    let response = try await pages.response(to: pageRequest(navigates: true))
    #expect(response.status == .ok && response.head.headerFields[.contentType] == "text/html; charset=utf-8")
    #expect(try await response.text() == "version 1")
    #expect(try await pages.response(to: pageRequest("/loan/style.css")).text() == "body {}")
    #expect(try await pages.response(to: pageRequest("/empty.txt")).text() == "")
    let head = try await pages.response(to: pageRequest(method: .head))
    #expect(head.head.headerFields[.contentLength] == "9")
    #expect(try await head.text() == "")
  }

  @Test(
    "A refused or cancelled request is not answered by the package",
    arguments: [
      .invalidRequest, .rejected, .needsLogin, .cancelled(.task), .bodyTooLarge(limit: 1), .protocolViolation,
    ] as [NetworkError.Kind])
  func refused(kind: NetworkError.Kind) async throws {
    let store = try await installed()
    let pages = try Self.handler(ScriptedDispatcher(failing: NetworkError(kind, "")), packages: [store])
    let error = await #expect(throws: NetworkError.self) {
      try await pages.response(to: pageRequest(navigates: true))
    }
    #expect(error?.kind == kind)
  }

  @Test(
    "What only a network can answer fails with its error", arguments: ["/missing", "/..", "/%2e%2e/loan/"])
  func missing(path: String) async throws {
    let store = try await installed()
    let pages = try Self.handler(ScriptedDispatcher(failing: .noNetwork), packages: [store])
    for request in [pageRequest(path), pageRequest(method: .post, body: .text("x"))] {
      let error = await #expect(throws: NetworkError.self) { try await pages.response(to: request) }
      #expect(error?.kind == .offline)
    }
  }

  @Test("A network that doesn't respond is waited for once, and a page's resources come with their document")
  func patience() async throws {
    let (clock, gate) = (TestClock(), Gate())
    defer { gate.open() }
    let network = ScriptedDispatcher { _, _ async throws(NetworkError) in
      // It doesn't even notice that it is cancelled.
      await gate.wait()
      return Response(status: .ok)
    }
    let store = try await installed()
    let pages = try Self.handler(network, packages: [store], time: TimeSource(clock))
    async let response = pages.response(to: pageRequest(navigates: true))
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(3))
    #expect(try await response.text() == "version 1")
    #expect(try await pages.response(to: pageRequest("/loan/style.css")).text() == "body {}")
    #expect(network.requests.count == 1)
  }

  @Test("With a network again, a document and its resources come from there")
  func back() async throws {
    let server = Server()
    let network = server.dispatcher { _ throws(NetworkError) in
      Response(status: .ok, bytes: Array("online".utf8))
    }
    let pages = try await Self.handler(network, packages: [installed()])
    server.isOffline.withLock { $0 = true }
    #expect(try await pages.response(to: pageRequest(navigates: true)).text() == "version 1")
    server.isOffline.withLock { $0 = false }
    #expect(try await pages.response(to: pageRequest("/loan/style.css")).text() == "body {}")
    #expect(try await pages.response(to: pageRequest(navigates: true)).text() == "online")
    #expect(try await pages.response(to: pageRequest("/loan/style.css")).text() == "online")
  }

  @Test("A version that is installed meanwhile is served from the next document on, without another handler")
  func update() async throws {
    let store = try await installed()
    let pages = try Self.handler(ScriptedDispatcher(failing: .noNetwork), packages: [store])
    #expect(try await pages.response(to: pageRequest(navigates: true)).text() == "version 1")
    try await store.install(PageStoreFixture.package(2))
    #expect(try await pages.response(to: pageRequest(navigates: true)).text() == "version 2")
  }

  @Test(
    "The resources and frames of a document come from one version of the package, whatever is installed meanwhile",
    arguments: [
      // Whether the document, and whether its first resource, comes from the network.
      (false, false), (true, false), (true, true),
    ])
  func oneVersion(documentIsOnline: Bool, resourceIsOnline: Bool) async throws {
    let server = Server()
    let network = server.dispatcher { _ throws(NetworkError) in
      Response(status: .ok, bytes: Array("online".utf8))
    }
    let store = try await installed()
    let pages = try Self.handler(network, packages: [store])
    // A file that names the version; the web view asks for it as a document, a resource and a frame.
    let frame = pageRequest(
      "/loan/", [.accept: "text/html", try #require(HTTPField.Name("Sec-Fetch-Dest")): "iframe"])
    server.isOffline.withLock { $0 = !documentIsOnline }
    _ = try await pages.response(to: pageRequest(navigates: true))
    server.isOffline.withLock { $0 = !resourceIsOnline }
    _ = try await pages.response(to: pageRequest())
    try await store.install(PageStoreFixture.package(2))
    server.isOffline.withLock { $0 = true }
    #expect(try await pages.response(to: pageRequest()).text() == "version 1")
    #expect(try await pages.response(to: frame).text() == "version 1")
    // A frame is no document of its own.
    #expect(try await pages.response(to: pageRequest()).text() == "version 1")
    #expect(try await pages.response(to: pageRequest(navigates: true)).text() == "version 2")
    #expect(try await pages.response(to: pageRequest()).text() == "version 2")
  }

  @Test(
    "The resources of a document that only the network has come from there, too",
    arguments: [("/online-only", .get), ("/loan/", .post)] as [(String, HTTPRequest.Method)])
  func onlineDocument(path: String, method: HTTPRequest.Method) async throws {
    let server = Server()
    let network = server.dispatcher { _ throws(NetworkError) in
      Response(status: .ok, bytes: Array("online".utf8))
    }
    let pages = try await Self.handler(network, packages: [installed()])
    server.isOffline.withLock { $0 = true }
    #expect(try await pages.response(to: pageRequest(navigates: true)).text() == "version 1")
    server.isOffline.withLock { $0 = false }
    let body: RequestBody = method == .post ? .text("a=b") : .empty
    _ = try await pages.response(to: pageRequest(path, method: method, body: body, navigates: true))
    #expect(try await pages.response(to: pageRequest("/loan/style.css")).text() == "online")
  }

  // MARK: Ranges

  @Test(
    "A packaged video is delivered in parts, also across verified blocks",
    arguments: [
      0..<1, 0..<PageManifest.blockSize, (PageManifest.blockSize - 1)..<(PageManifest.blockSize + 1),
      10..<(2 * PageManifest.blockSize + 500), 0..<PageStoreFixture.video.count,
      (PageStoreFixture.video.count - 1)..<PageStoreFixture.video.count,
    ])
  func ranges(range: Range<Int>) async throws {
    let store = try await installed()
    let pages = try Self.handler(ScriptedDispatcher(failing: .noNetwork), packages: [store])
    let request = pageRequest("/video.mp4", [.range: "bytes=\(range.lowerBound)-\(range.upperBound - 1)"])
    let response = try await pages.response(to: request)
    #expect(response.status == .partialContent)
    let fields = response.head.headerFields
    #expect(
      fields[.contentRange]
        == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(PageStoreFixture.video.count)")
    #expect(fields[.contentLength] == "\(range.count)" && fields[.acceptRanges] == "bytes")
    #expect(try await response.body.collect(upTo: 1 << 24) == Array(PageStoreFixture.video[range]))
  }

  @Test("A range behind the end gets 416 with the length, and an old entity tag gets the whole file")
  func conditions() async throws {
    let store = try await installed()
    let pages = try Self.handler(ScriptedDispatcher(failing: .noNetwork), packages: [store])
    let count = PageStoreFixture.video.count
    let behind = try await pages.response(to: pageRequest("/video.mp4", [.range: "bytes=\(count)-"]))
    #expect(behind.status == .rangeNotSatisfiable)
    #expect(behind.head.headerFields[.contentRange] == "bytes */\(count)")
    let whole = try await pages.response(to: pageRequest("/video.mp4"))
    let tag = try #require(whole.head.headerFields[.eTag])
    #expect(whole.status == .ok && whole.body.length == Int64(count))
    for (condition, status) in [(tag, .partialContent), ("\"old\"", .ok)] as [(String, HTTPResponse.Status)] {
      let fields: HTTPFields = [.range: "bytes=0-9", .ifRange: condition]
      #expect(try await pages.response(to: pageRequest("/video.mp4", fields)).status == status)
    }
    let known = try await pages.response(to: pageRequest("/video.mp4", [.ifNoneMatch: tag]))
    #expect(known.status == .notModified && known.body.length == 0)
  }

  @Test("A packaged file that is no longer as signed fails before a byte of what differs is delivered")
  func damaged() async throws {
    let store = try await installed()
    let pages = try Self.handler(ScriptedDispatcher(failing: .noNetwork), packages: [store])
    var bytes = try fixture.bytesOnDisk()
    bytes[bytes.count - 1] ^= 1
    let file = try FileHandle(forWritingTo: URL(filePath: fixture.path))
    try file.write(contentsOf: Data(bytes))
    try file.close()
    let last = PageStoreFixture.video.count - 1
    let error = await #expect(throws: NetworkError.self) {
      try await pages.response(to: pageRequest("/video.mp4", [.range: "bytes=\(last)-"]))
    }
    #expect(error?.underlying(as: PagePackageError.self) == .damaged(path: "video.mp4"))
    let whole = try await pages.response(to: pageRequest("/video.mp4"))
    await #expect(throws: NetworkError.self) { try await whole.body.collect(upTo: 1 << 24) }
    #expect(
      try await pages.response(to: pageRequest("/video.mp4", [.range: "bytes=0-9"])).status == .partialContent
    )
  }

  // MARK: Configuration

  @Test("A package of an unlisted site, or a second one of a site, is refused")
  func packages() async throws {
    let store = try await installed()
    for (sites, packages) in [(["other.example"], [store]), ([PageStoreFixture.site], [store, store])] {
      #expect(throws: PageHandlerError.package(site: PageStoreFixture.site)) {
        try PageHandler(scheme: "estate-page", sites: sites, over: ScriptedDispatcher(), packages: packages)
      }
    }
  }
}
