import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Synchronization
import Testing

@testable import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requests of foreign code, which a chain over URLSession marks.
private final class MarkedTraffic: PipelineURLProtocol {
  static let chain = Result {
    try Pipeline(over: URLSessionDispatcher()) {
      InlineInterceptor("Mark", traits: InterceptorTraits(stage: .wire)) { request, next in
        var request = request
        if let name = HTTPField.Name("X-Chain") { request.head.headerFields[name] = "marked" }
        return try await next.dispatch(request)
      }
    }
  }

  override class var dispatcher: (any Dispatcher)? { get throws { try chain.get() } }
}

/// The requests of foreign code, which end as their path says.
private final class FailingTraffic: PipelineURLProtocol {
  static let sent = WaitableValue<[String]>([])
  static let cancelled = WaitableValue<[String]>([])
  static let chain = ScriptedDispatcher { request, _ throws(NetworkError) in
    let path = request.head.path ?? ""
    sent.update { $0.append(path) }
    switch path {
    case "/shutdown": throw NetworkError(.cancelled(.shutdown), "The dispatcher was shut down.")
    case "/rejected": throw NetworkError(.rejected, "An interceptor refuses it.")
    case "/held":
      do { try await WaitableValue(false).wait { $0 } } catch {
        cancelled.update { $0.append(path) }
        throw NetworkError(.cancelled(.task), "The request was cancelled.")
      }
    default: break
    }
    return Response(status: .ok, bytes: Array(path.utf8))
  }

  override class var dispatcher: (any Dispatcher)? { chain }
}

/// The requests of foreign code, the responses to which are counted when the load receives them.
private final class CountedTraffic: PipelineURLProtocol {
  static let received = WaitableValue(0)
  static let chain = Result {
    try Pipeline(over: URLSessionDispatcher()) {
      InlineInterceptor("Count", traits: InterceptorTraits(stage: .wire)) { request, next in
        let response = try await next.dispatch(request).buffered(upTo: 1 << 10)
        received.update { $0 += 1 }
        return response
      }
    }
  }

  override class var dispatcher: (any Dispatcher)? { get throws { try chain.get() } }
}

/// A class that overrides nothing.
private final class ChainlessTraffic: PipelineURLProtocol {}

/// A class whose chain is refused, because an interceptor of the last stage may call the rest repeatedly.
private final class RefusedTraffic: PipelineURLProtocol {
  static let chain = Result {
    try Pipeline(over: ScriptedDispatcher()) {
      InlineInterceptor("Free", stage: .wire) { try await $1.dispatch($0) }
    }
  }

  override class var dispatcher: (any Dispatcher)? { get throws { try chain.get() } }
}

/// A class whose chain fails with an error of the app's own, the text of which may be secret.
private final class SecretiveTraffic: PipelineURLProtocol {
  struct MissingKey: Error, CustomStringConvertible { let description = "no key beside s3cret" }

  override class var dispatcher: (any Dispatcher)? { get throws { throw MissingKey() } }
}

/// A class whose chain can't be created for a reason that is an error of the chain itself.
private final class LockedTraffic: PipelineURLProtocol {
  override class var dispatcher: (any Dispatcher)? {
    get throws { throw NetworkError(.needsLogin, "The login is missing.") }
  }
}

@Suite(.timeLimit(.minutes(5)))
struct PipelineURLProtocolTests {
  /// A task of foreign code, and its result.
  private struct Call {
    let task: URLSessionTask
    let result: WaitableValue<Outcome?>

    struct Outcome: Sendable {
      var text: String?
      var response: HTTPURLResponse?
      var error: (any Error)?

      var code: URLError.Code? { (error as? URLError)?.code }
      var underlying: NetworkError? { (error as NSError?)?.userInfo[NSUnderlyingErrorKey] as? NetworkError }
    }

    func outcome() async throws -> Outcome {
      let outcome = try await result.wait { $0 != nil }
      return try #require(outcome)
    }
  }

  private func session(_ protocolClass: PipelineURLProtocol.Type) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [protocolClass]
    return URLSession(configuration: configuration)
  }

  private func start(_ request: URLRequest, in session: URLSession) -> Call {
    let result = WaitableValue<Call.Outcome?>(nil)
    let task = session.dataTask(with: request) { data, response, error in
      let outcome = Call.Outcome(
        text: data.map { String(decoding: $0, as: UTF8.self) }, response: response as? HTTPURLResponse,
        error: error)
      result.update { $0 = outcome }
    }
    task.resume()
    return Call(task: task, result: result)
  }

  private func request(_ server: ScriptedServer, _ path: String = "/") throws -> URLRequest {
    URLRequest(url: try #require(URL(string: "http://\(server.authority)\(path)")))
  }

  private func request(_ path: String) throws -> URLRequest {
    URLRequest(url: try #require(URL(string: "https://sdk.example\(path)")))
  }

  @Test("J7: Foreign code that uses URLSession gets the chain through one line of its configuration")
  func wholeRow() async throws {
    let server = try ScriptedServer { request in
      switch request.target {
      case "/moved": return ScriptedReply(status: 302, fields: [("Location", "/elsewhere")])
      case "/login":
        return ScriptedReply(
          status: 401, fields: [("WWW-Authenticate", "Basic realm=\"a\"")], body: Array("who?".utf8))
      default:
        let chain = request.value(of: "X-Chain") ?? "unmarked"
        return ScriptedReply(
          fields: [("X-Answer", "a"), ("X-Answer", "b")],
          body: Array("\(request.method) \(request.target) \(chain) \(request.text)".utf8))
      }
    }
    let session = session(MarkedTraffic.self)
    let first = try await start(request(server, "/a?b=c"), in: session).outcome()
    #expect(first.error == nil)
    #expect(first.text == "GET /a?b=c marked ")
    #expect(first.response?.statusCode == 200)
    #expect(first.response?.value(forHTTPHeaderField: "X-Answer") == "a, b")

    var post = try request(server, "/b")
    post.httpMethod = "POST"
    post.httpBody = Data("content".utf8)
    post.setValue("text/plain", forHTTPHeaderField: "Content-Type")
    post.setValue("mine", forHTTPHeaderField: "X-Mine")
    #expect(try await start(post, in: session).outcome().text == "POST /b marked content")
    // The chain ends in URLSession, which sent each request once.
    #expect(server.counts.requests == 2)
    let sent = try #require(server.requests.last)
    #expect(sent.value(of: "X-Mine") == "mine" && sent.value(of: "Content-Type") == "text/plain")
    // Nothing on the wire says by which chain it came.
    let names = Set(sent.fields.map { $0.name.lowercased() })
    #expect(
      names.isSubset(of: [
        "host", "x-chain", "x-mine", "content-type", "content-length", "user-agent", "accept",
        "accept-encoding",
        "accept-language", "connection",
      ]), "\(names)")

    // Without the line there is no chain.
    let plain = URLSession(configuration: .ephemeral)
    #expect(try await start(request(server, "/c"), in: plain).outcome().text == "GET /c unmarked ")

    // A status is no error, whatever it asks for.
    let refused = try await start(request(server, "/login"), in: session).outcome()
    #expect(refused.response?.statusCode == 401 && refused.text == "who?")
    #if !canImport(Darwin)
    let moved = try await start(request(server, "/moved"), in: session).outcome()
    #expect(moved.response?.statusCode == 302)
    #expect(moved.response?.value(forHTTPHeaderField: "Location") == "/elsewhere")
    #endif

    // An error is one of URLSession, with the chain's below it.
    let closed = try ClosedPort()
    let failed = try await start(
      URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(closed.port)/?token=a"))), in: session
    ).outcome()
    #expect(failed.code == .cannotConnectToHost)
    #expect(failed.underlying?.kind == .connect)
    #expect(!"\(String(describing: failed.error)) \(String(describing: failed.underlying))".contains("token"))
  }

  @Test("A body of several megabytes arrives whole")
  func largeBody() async throws {
    let size = 3 << 20
    let server = try ScriptedServer { _ in
      ScriptedReply(body: [UInt8](repeating: 0x61, count: size), framing: .chunks(of: 10_000))
    }
    let outcome = try await start(request(server), in: session(MarkedTraffic.self)).outcome()
    #expect(outcome.error == nil)
    #expect(outcome.text?.utf8.count == size)
  }

  @Test("A body that is read from a stream is sent complete")
  func bodyStream() async throws {
    let server = try ScriptedServer { .text($0.text) }
    var request = try request(server)
    request.httpMethod = "PUT"
    request.httpBodyStream = InputStream(data: Data(repeating: 0x62, count: 200_000))
    let outcome = try await start(request, in: session(MarkedTraffic.self)).outcome()
    #expect(outcome.error == nil)
    let isComplete = outcome.text == String(repeating: "b", count: 200_000)
    #expect(isComplete, "\(outcome.text?.utf8.count ?? 0) bytes came back")
  }

  @Test("Cancelling the task cancels the request in the chain")
  func cancelledTask() async throws {
    let session = session(FailingTraffic.self)
    let before = FailingTraffic.cancelled.value.count
    let call = try start(request("/held"), in: session)
    try await FailingTraffic.sent.wait { $0.contains("/held") }
    call.task.cancel()
    #expect(try await call.outcome().code == .cancelled)
    try await FailingTraffic.cancelled.wait { $0.count > before }
  }

  @Test(
    "An error of the chain ends the task with the error that URLSession has for it",
    arguments: [("/shutdown", URLError.Code.cancelled), ("/rejected", .cannotLoadFromNetwork)])
  func failedRequest(path: String, code: URLError.Code) async throws {
    let outcome = try await start(request(path), in: session(FailingTraffic.self)).outcome()
    #expect(outcome.code == code)
    #expect(outcome.underlying?.reason.isEmpty == false)
    #expect((outcome.error as? URLError)?.failingURL?.path == path)
  }

  @Test(
    "A class without a chain fails every request, and says why there is none",
    arguments: [
      (ChainlessTraffic.self, .badURL, "ChainlessTraffic has no chain"),
      (RefusedTraffic.self, .badURL, "RefusedTraffic has no chain: Free has the stage wire, 900"),
      (SecretiveTraffic.self, .badURL, "SecretiveTraffic has no chain: MissingKey"),
      (LockedTraffic.self, .userAuthenticationRequired, "The login is missing."),
    ] as [(PipelineURLProtocol.Type, URLError.Code, String)])
  func noChain(protocolClass: PipelineURLProtocol.Type, code: URLError.Code, reason: String) async throws {
    let outcome = try await start(request("/"), in: session(protocolClass)).outcome()
    #expect(outcome.code == code)
    #expect(outcome.underlying?.reason.contains(reason) == true, "\(String(describing: outcome.underlying))")
    #expect(outcome.error?.localizedDescription.contains("s3cret") == false)
  }

  @Test("A task that is suspended gets its response when it is resumed, and its request is sent once")
  func suspension() async throws {
    let gate = Gate()
    let server = try ScriptedServer { _ in
      gate.wait()
      return .text("done")
    }
    let call = try start(request(server), in: session(CountedTraffic.self))
    try await server.wait { $0.requests == 1 }
    call.task.suspend()
    gate.open()
    try await CountedTraffic.received.wait { $0 == 1 }
    #expect(call.result.value == nil)
    call.task.resume()
    #expect(try await call.outcome().text == "done")
    #expect(server.counts.requests == 1)
  }

  @Test("300 tasks of one session at once, of which every third is cancelled, each end once")
  func storm() async throws {
    let session = session(FailingTraffic.self)
    var calls: [Call] = []
    for number in 0..<300 {
      let call = try start(request("/\(number)"), in: session)
      if number % 3 == 0 { call.task.cancel() }
      calls.append(call)
    }
    for (number, call) in calls.enumerated() {
      let outcome = try await call.outcome()
      if number % 3 != 0 { #expect(outcome.text == "/\(number)" && outcome.error == nil) }
      #expect(outcome.text == "/\(number)" || outcome.code == .cancelled, "\(number): \(outcome)")
    }
  }

  @Test("WebSockets and other schemes are left to Foundation")
  func schemes() throws {
    for (url, isTaken) in [
      ("http://a.example/", true), ("HTTPS://a.example/", true), ("ws://a.example/", false),
      ("wss://a.example/", false), ("file:///etc/hosts", false), ("data:,a", false),
    ] {
      let request = URLRequest(url: try #require(URL(string: url)))
      #expect(MarkedTraffic.canInit(with: request) == isTaken, "\(url)")
    }
  }

  #if !canImport(Darwin)
  @Test("A download and an upload, whose files Foundation gives to no protocol, fail before anything is sent")
  func files() async throws {
    let session = session(FailingTraffic.self)
    let before = FailingTraffic.sent.value.filter { $0 == "/file" }.count
    for isUpload in [false, true] {
      let result = WaitableValue<URLError?>(nil)
      let request = try request("/file")
      let task: URLSessionTask =
        isUpload
        ? session.uploadTask(with: request, from: Data([1])) { _, _, error in
          result.update { $0 = error as? URLError }
        }
        : session.downloadTask(with: request) { _, _, error in result.update { $0 = error as? URLError } }
      task.resume()
      let error = try await result.wait { $0 != nil }
      #expect(error?.code == .unsupportedURL)
    }
    #expect(FailingTraffic.sent.value.filter { $0 == "/file" }.count == before)
  }
  #endif
}

/// How the protocol behaves toward the client of another platform.
@Suite(.timeLimit(.minutes(5)))
struct ForeignClientTests {
  /// A client that records its calls.
  private final class RecordingClient: NSObject, URLProtocolClient, Sendable {
    let told = WaitableValue<[String]>([])

    private func note(_ text: String) { told.update { $0.append(text) } }

    func urlProtocol(
      _ loader: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
    ) {
      note("redirected to \(request.url?.absoluteString ?? "")")
    }
    func urlProtocol(_ loader: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}
    func urlProtocol(
      _ loader: URLProtocol, didReceive response: URLResponse,
      cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
      note("response \((response as? HTTPURLResponse)?.statusCode ?? 0), \(policy == .notAllowed)")
    }
    func urlProtocol(_ loader: URLProtocol, didLoad data: Data) { note("\(data.count) bytes") }
    func urlProtocolDidFinishLoading(_ loader: URLProtocol) { note("finished") }
    func urlProtocol(_ loader: URLProtocol, didFailWithError error: any Error) {
      note("failed \((error as NSError).code)")
    }
    func urlProtocol(_ loader: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}
    func urlProtocol(_ loader: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
  }

  private final class PartedTraffic: PipelineURLProtocol {
    static let chain = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.head.path == "/parts" else {
        var head = HTTPResponse(status: .found)
        head.headerFields[.location] = "/parts"
        return Response(head, body: .bytes([]))
      }
      return Response(
        HTTPResponse(status: .ok),
        body: .stream(BodyStream(length: nil, ScriptedByteSource([[1, 2], [3], [4, 5, 6]]))))
    }

    override class var dispatcher: (any Dispatcher)? { chain }
  }

  private func told(_ path: String, until last: String) async throws -> [String] {
    let client = RecordingClient()
    let url = try #require(URL(string: "https://sdk.example\(path)"))
    let loader = PartedTraffic(request: URLRequest(url: url), cachedResponse: nil, client: client)
    loader.load.behavior = ForeignBehavior(
      tellsRedirects: true, keepsAllParts: true, answersChallenges: false, stopsWhenSuspended: false,
      passesFiles: true)
    loader.startLoading()
    let told = try await client.told.wait { $0.last?.hasPrefix(last) == true }
    loader.stopLoading()
    return told
  }

  @Test("A body is passed on in the parts in which it arrives")
  func parts() async throws {
    #expect(
      try await told("/parts", until: "finished")
        == ["response 200, true", "2 bytes", "1 bytes", "3 bytes", "finished"])
  }

  @Test("A client receives a redirect that the chain did not follow, and the load ends")
  func redirect() async throws {
    #expect(
      try await told("/moved", until: "failed") == [
        "redirected to https://sdk.example/parts", "failed \(CocoaError.Code.userCancelled.rawValue)",
      ])
  }
}
