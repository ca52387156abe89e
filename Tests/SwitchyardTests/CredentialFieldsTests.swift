import CommandRunning
import Foundation
import InMemoryLogging
import Switchyard
import SwitchyardTesting
import Testing
import Uploads
import VendorSignatures

/// Where the name of a credential field comes from.
private enum CredentialSource: String, CaseIterable, Sendable, CustomTestStringConvertible {
  /// The list that every chain has.
  case usual = "X-Vault-Token"
  /// The app, which has given it to its pipeline.
  case app = "X-Shop-Key"
  /// An interceptor or a caller, which has set the field and added its name.
  case request = "X-Tenant-Pass"

  static let secret = "s3cret-of-ann"

  var testDescription: String { "\(self): \(rawValue)" }
  var name: HTTPField.Name { get throws { try #require(HTTPField.Name(rawValue)) } }
  /// What the app gives to its pipeline; the case of a name is ignored.
  var ofPipeline: CredentialFields { self == .app ? ["x-shop-KEY"] : [] }

  func request(_ method: HTTPRequest.Method = .get, path: String = "/a") throws -> Request {
    var request = Request(
      method: method, authority: "a.example", path: path, headerFields: [.accept: "text/plain"])
    request.head.headerFields[try name] = Self.secret
    if self == .request { request.context.credentialFields.insert(try name) }
    request.context.partition = "ann"
    return request
  }

  /// A server that repeats the field in its response, and fails a DELETE with an error that quotes it.
  func echo() throws -> ScriptedDispatcher {
    let name = try name
    return ScriptedDispatcher { request, _ throws(NetworkError) in
      let value = request.head.headerFields[name] ?? ""
      guard request.head.method != .delete else {
        throw NetworkError(.transport, "The server didn't understand \(value).")
      }
      return Response(status: .ok, headerFields: [.server: "echo", name: value])
    }
  }
}

@Suite("Every user of the list of credential fields", .timeLimit(.minutes(5)))
struct CredentialFieldsTests {
  /// How an app builds a chain that follows redirects.
  fileprivate enum Build: CaseIterable {
    case own, standard, outerOfTwo, inserted

    func chain(over server: ScriptedDispatcher, _ fields: CredentialFields) throws -> Pipeline {
      switch self {
      case .own: try Pipeline(over: server, credentialFields: fields) { RedirectInterceptor() }
      case .standard: try Pipeline.standard(over: server, credentialFields: fields)
      case .outerOfTwo:
        try Pipeline(over: CredentialFieldsTests.chain(server, fields)) { RedirectInterceptor() }
      case .inserted: try CredentialFieldsTests.chain(server, fields).inserting { RedirectInterceptor() }
      }
    }
  }

  private static func chain(_ server: some Dispatcher, _ fields: CredentialFields) throws -> Pipeline {
    try Pipeline(over: server, credentialFields: fields) { [any Interceptor]() }
  }

  @Test(
    "H2: A redirect loses the field at another origin, and not before", arguments: CredentialSource.allCases,
    Build.allCases)
  fileprivate func redirect(source: CredentialSource, build: Build) async throws {
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      switch number {
      case 1: return Response(status: .temporaryRedirect, headerFields: [.location: "/b"])
      case 2: return Response(status: .temporaryRedirect, headerFields: [.location: "https://b.example/c"])
      case 3: return Response(status: .temporaryRedirect, headerFields: [.location: "https://a.example/d"])
      default: return Response(status: .ok)
      }
    }
    _ = try await build.chain(over: server, source.ofPipeline).send(source.request())
    let name = try source.name
    #expect(server.requests.map { $0.head.headerFields.contains(name) } == [true, true, false, false])
    #expect(server.requests.allSatisfy { $0.head.headerFields[.accept] == "text/plain" })
  }

  @Test(
    "An upload at another origin lacks the field, also when a later run continues it",
    arguments: CredentialSource.allCases)
  fileprivate func upload(source: CredentialSource) async throws {
    let folder = try TemporaryFolder(prefix: "credentials")
    let path = folder.url.appending(path: "a.bin").path
    try Data([1, 2, 3]).write(to: folder.url.appending(path: "a.bin"))
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      switch request.head.method {
      case .post: return Response(status: .created, headerFields: [.location: "https://b.example/u/1"])
      case .head:
        return Response(
          status: .noContent, headerFields: Self.fields(["Upload-Offset": "0", "Upload-Complete": "?0"]))
      case .patch: throw NetworkError(.transport, "The connection broke.", requestMayHaveBeenProcessed: true)
      default: return Response(status: .noContent)
      }
    }
    let chain = try Self.chain(server, source.ofPipeline)
    let policy = UploadPolicy(failureLimit: 1)
    let upload = FileUpload(try source.request(.post), from: path, by: .httpDraft, policy: policy)
    for _ in 1...2 {
      await #expect(throws: NetworkError.self) { _ = try await upload.run(over: chain) }
    }
    // The request has an account, of which the record's name has a digest.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let name = try #require(names.first { $0.hasPrefix("a.bin.upload.") })
    let record = try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
    #expect(record.contains("https://b.example/u/1") && !record.contains(CredentialSource.secret))
    try await upload.discardUnfinished(over: chain)
    let field = try source.name
    let (own, other) = (
      server.requests.filter { $0.head.authority == "a.example" },
      server.requests.filter { $0.head.authority == "b.example" }
    )
    #expect(own.count == 1 && own.allSatisfy { $0.head.headerFields.contains(field) })
    #expect(other.map(\.head.method).contains(.head) && other.map(\.head.method).contains(.delete))
    #expect(other.allSatisfy { !$0.head.headerFields.contains(field) && $0.context.hasLeftOrigin })
  }

  private static func fields(_ values: [String: String]) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in values { if let name = HTTPField.Name(name) { fields[name] = value } }
    return fields
  }

  @Test(
    "Logs, command lines and archives hide the value, even if told to show the field",
    arguments: CredentialSource.allCases)
  fileprivate func records(source: CredentialSource) async throws {
    let redaction = Redaction(showingHeaders: [try source.name, .accept, .server])
    let log = InMemoryLogHandler()
    var logger = Logger(label: "test") { _ in log }
    logger.logLevel = .trace
    let archive = HARRecorder(redaction: redaction)
    let sent = WaitableValue<[Request]>([])
    let chain = try Pipeline(over: source.echo(), credentialFields: source.ofPipeline) {
      InlineInterceptor("Sent", stage: .validation) { request, next in
        sent.update { $0.append(request) }
        return try await next.dispatch(request)
      }
      LoggingInterceptor(logger: logger, redaction: redaction, details: [.headers, .curlCommand])
      archive
    }
    _ = try await chain.send(source.request())
    await #expect(throws: NetworkError.self) { _ = try await chain.send(source.request(.delete)) }
    let texts = [
      "log": log.entries.map { "\($0.message) \($0.metadata)" }.joined(separator: "\n"),
      "curl": sent.value.map { CurlCommand($0, redaction: redaction).line }.joined(separator: "\n"),
      "archive": String(decoding: archive.archive(), as: UTF8.self),
    ]
    for (name, text) in texts {
      #expect(text.contains("plain"), "\(name)")
      #expect(text.lowercased().contains(source.rawValue.lowercased()), "\(name)")
      #expect(!text.contains(CredentialSource.secret), "\(name)")
    }
    #expect(texts["log"]?.contains("echo") == true)
    #expect(texts["log"]?.contains("The server didn't understand ██.") == true)
  }

  @Test(
    "A cassette has no value of the field, nor an error that quotes it", arguments: CredentialSource.allCases)
  fileprivate func cassette(source: CredentialSource) async throws {
    let folder = try TemporaryFolder(prefix: "credentials")
    let file = folder.url.appending(path: "cassette.json")
    let recorder = RecordingDispatcher(over: try source.echo(), to: file.path)
    let chain = try Self.chain(recorder, source.ofPipeline)
    _ = try await chain.send(source.request())
    await #expect(throws: NetworkError.self) { _ = try await chain.send(source.request(.delete)) }
    try recorder.save()
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains("plain") && text.contains(CassetteRedaction.replacement))
    #expect(text.contains("understand") && !text.contains(CredentialSource.secret))
  }

  @Test("A simulation finds the field at an origin that isn't trusted", arguments: CredentialSource.allCases)
  fileprivate func simulation(source: CredentialSource) async throws {
    let rules = SimulationRules(trustedOrigins: ["b.example"])
    let report = await checkSimulation(seeds: 1...10, rules: rules, steps: { _ in [1] }) { run, _ in
      run.network.serve("a.example") { _ in Response(status: .ok) }
      let chain = try Pipeline(
        over: run.network, time: run.network.time, credentialFields: source.ofPipeline
      ) { [any Interceptor]() }
      let request = try source.request()
      run.start("A read", within: .seconds(60)) { _ = try await chain.send(request) }
      await run.pause(for: .seconds(1))
    }
    let violation = try #require(report.failure?.violations.first)
    #expect(violation.lowercased().contains("has the field \(source.rawValue.lowercased())"))
  }

  @Test(
    "The error of an outer interceptor that quotes the field is logged without the value",
    arguments: [true, false])
  func quoted(isAfterAttempt: Bool) async throws {
    let log = InMemoryLogHandler()
    var logger = Logger(label: "test") { _ in log }
    logger.logLevel = .trace
    let chain = try Pipeline(over: ScriptedDispatcher(), credentialFields: CredentialSource.app.ofPipeline) {
      InlineInterceptor("Talkative", stage: .validation) { request, next in
        if isAfterAttempt { _ = try await next.dispatch(request) }
        throw NetworkError(.rejected, "Refused: \(request.head.headerFields.map(\.description))")
      }
      LoggingInterceptor(logger: logger)
    }
    await #expect(throws: NetworkError.self) { _ = try await chain.send(CredentialSource.app.request()) }
    let text = log.entries.map { "\($0.message) \($0.metadata)" }.joined(separator: "\n")
    #expect(text.contains("Refused") && text.contains("██") && !text.contains(CredentialSource.secret))
  }

  private struct KeyAuthorization: AuthorizationScheme {
    let key: Credentials
    func credentials(for request: Request) async throws -> Credentials? { key }
  }

  @Test("The field of a scheme, and those of a digest, are hidden in logs, archives and cassettes")
  func interceptors() async throws {
    let names = try ["X-Tenant-Pass", "key", "sig"].map { try #require(HTTPField.Name($0)) }
    let redaction = Redaction(showingHeaders: Set(names + [.accept]))
    let log = InMemoryLogHandler()
    var logger = Logger(label: "test") { _ in log }
    logger.logLevel = .trace
    let archive = HARRecorder(redaction: redaction)
    let folder = try TemporaryFolder(prefix: "credentials")
    let server = ScriptedDispatcher()
    let recorder = RecordingDispatcher(over: server, to: folder.url.appending(path: "cassette.json").path)
    let authorization = try AuthorizationInterceptor(
      KeyAuthorization(key: Credentials("s3cret-pass", in: names[0])), for: ["a.example"])
    let digesting = VendorSignatureInterceptor(
      try InsecureParameterDigest(.restfulGet, apiKey: "s3cret-key", secret: "s3cret-of-digest"))
    let chain = try Pipeline(over: recorder) {
      authorization
      LoggingInterceptor(logger: logger, redaction: redaction, details: [.headers, .curlCommand])
      archive
      digesting
    }
    _ = try await chain.send(
      Request(authority: "a.example", path: "/v1/houses", headerFields: [.accept: "text/plain"]))
    let sent = try #require(server.requests.first)
    for name in names {
      #expect(sent.head.headerFields.contains(name), "\(name)")
      #expect(sent.context.credentialFields.contains(name), "\(name)")
    }
    let digest = try #require(sent.head.headerFields[names[2]])
    try recorder.save()
    for text in [
      log.entries.map { "\($0.message) \($0.metadata)" }.joined(separator: "\n"),
      String(decoding: archive.archive(), as: UTF8.self), CurlCommand(sent, redaction: redaction).line,
      try String(contentsOf: URL(filePath: recorder.path), encoding: .utf8),
    ] {
      #expect(text.contains("plain") && !text.contains("s3cret") && !text.contains(digest))
    }
  }

  @Test(
    "What the vendors' signatures add is in the list",
    arguments: [
      "Authorization", "X-Amz-Security-Token", "x-acs-security-token", "Signature", "Signature-Input",
      "Switchyard-Key", "Switchyard-Nonce", "Switchyard-Signature", "Switchyard-Sealed-Key",
    ])
  func signatures(name: String) throws {
    #expect(CredentialFields().contains(try #require(HTTPField.Name(name))))
  }

  @Test(
    "A token endpoint's redirect is not followed, and named without its query",
    arguments: [301, 302, 303, 307, 308],
    [
      ("https://evil.example/token?code=s3cret", "https://evil.example"),
      ("//ann:s3cret@evil.example:8443/", "https://evil.example:8443"),
      ("/new?s3cret", "https://login.example"),
    ])
  func tokenEndpoint(status: Int, redirect: (location: String, origin: String)) async throws {
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      number == 1
        ? Response(
          status: HTTPResponse.Status(code: status), headerFields: [.location: redirect.location],
          bytes: Array(#"{"access_token":"other","token_type":"bearer"}"#.utf8))
        : Response(status: .ok, bytes: Array(#"{"access_token":"other","token_type":"bearer"}"#.utf8))
    }
    let source = try OAuthTokenSource(
      "https://login.example/token", client: OAuthClient(id: "app", secret: "s3cret"), grant: .refreshToken,
      over: Pipeline.standard(over: server))
    let error = await #expect(throws: AuthorizationError.self) {
      _ = try await source.token(replacing: AccessToken("old", refreshToken: "s3cret-refresh"))
    }
    #expect(error == AuthorizationError(.tokenEndpointRedirected(to: redirect.origin)))
    #expect(error?.description.contains("\"\(redirect.origin)\"") == true)
    #expect(error?.description.contains("s3cret") == false)
    #expect(server.requests.count == 1)
  }

  @Test("A token from where a dispatcher was redirected is not accepted")
  func tokenFromElsewhere() async throws {
    let server = ScriptedDispatcher { _, _ throws(NetworkError) in
      var response = Response(
        status: .ok, bytes: Array(#"{"access_token":"other","token_type":"bearer"}"#.utf8))
      response.exchange.redirects = [
        Exchange.Redirect(status: .found, method: .get, url: "https://evil.example/?s3cret")
      ]
      return response
    }
    let source = try OAuthTokenSource(
      "https://login.example/token", client: OAuthClient(id: "app"), grant: .clientCredentials, over: server)
    await #expect(throws: AuthorizationError(.tokenEndpointRedirected(to: "https://evil.example"))) {
      _ = try await source.token(replacing: nil)
    }
  }

  @Test(
    "The body of a login reaches no other origin, nor is the response of one accepted",
    arguments: [301, 302, 303, 307, 308])
  func login(status: Int) async throws {
    let status = HTTPResponse.Status(code: status)
    for path in ["/direct", "/within"] {
      let server = ScriptedDispatcher { request, number throws(NetworkError) in
        let isFirst = request.head.path == "/within" && number == 1
        return Response(
          status: status, headerFields: [.location: isFirst ? "/direct" : "https://evil.example/?s3cret"])
      }
      let chain = try Pipeline(over: server) { RedirectInterceptor() }
      var request = Request(
        method: .post, authority: "a.example", path: path, body: .text("password=s3cret"))
      request.context.sendsCredentials = false
      let error = await #expect(throws: NetworkError.self) { _ = try await chain.send(request) }
      #expect(error?.underlying(as: RedirectError.self)?.rule == .secretBody)
      #expect(error?.kind == .rejected && error?.reason.contains("s3cret") == false)
      #expect(server.requests.allSatisfy { $0.head.authority == "a.example" })
      #expect(server.requests.count == (path == "/direct" ? 1 : 2))
    }
  }

  @Test("Without a body, a request that sends no credentials is redirected to another origin")
  func withoutBody() async throws {
    let server = ScriptedDispatcher(answering: [
      Response(status: .found, headerFields: [.location: "https://b.example/"]), Response(status: .ok),
    ])
    let chain = try Pipeline(over: server) { RedirectInterceptor() }
    var request = Request(authority: "a.example", path: "/")
    request.context.sendsCredentials = false
    #expect(try await chain.send(request).status == .ok)
  }
}
