import Foundation
import HTTPTypes
import Interception
import Testing

@testable import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct ForeignRequestTests {
  private func original(
    _ url: String = "https://sdk.example/a", _ change: (inout URLRequest) -> Void = { _ in }
  ) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: url)))
    change(&request)
    return request
  }

  @Test("A request keeps its method, URL, fields and body, without what belongs to the connection")
  func conversion() async throws {
    let request = try await ForeignRequest(
      original("https://sdk.example:8443/a%20b?c=d#part") {
        $0.httpMethod = "PATCH"
        $0.setValue("Bearer a", forHTTPHeaderField: "Authorization")
        $0.setValue("7", forHTTPHeaderField: "Content-Length")
        $0.setValue("other.example", forHTTPHeaderField: "Host")
        $0.httpBody = Data("abc".utf8)
      }
    ).request()
    #expect(request.head.method == .patch && request.head.scheme == "https")
    #expect(request.head.authority == "sdk.example:8443" && request.head.path == "/a%20b?c=d")
    #expect(request.head.headerFields == [.authorization: "Bearer a"])
    #expect(request.body.bytes == Array("abc".utf8))
    #expect(request.options.delivery == .streamed)
  }

  @Test(
    "A cache policy that ignores or requires stored responses passes",
    arguments: [
      (URLRequest.CachePolicy.useProtocolCachePolicy, CacheRule.inherited),
      (.reloadIgnoringLocalCacheData, .inherited.with(.reload)),
      (.returnCacheDataElseLoad, .inherited.with(.preferStored)),
      (.returnCacheDataDontLoad, .inherited.with(.onlyStored)),
    ])
  func cachePolicy(policy: URLRequest.CachePolicy, rule: CacheRule) async throws {
    let request = try await ForeignRequest(original { $0.cachePolicy = policy }).request()
    #expect(request.context.cacheRule == rule)
  }

  @Test(
    "A time limit other than the default one limits the time without progress",
    arguments: [
      (0.5, .milliseconds(500)), (5, .seconds(5)), (59, .seconds(59)), (61, .seconds(61)),
      (120, .seconds(120)), (600, .seconds(600)), (86_400, .seconds(86_400)),
      // The default of every URLRequest, and values that are no time, leave it to the chain.
      (60, RequestOptions().timeouts.idle), (0, RequestOptions().timeouts.idle),
      (-1, RequestOptions().timeouts.idle), (.nan, RequestOptions().timeouts.idle),
      (.infinity, nil), (.greatestFiniteMagnitude, nil),
    ] as [(TimeInterval, Duration?)])
  func timeLimit(interval: TimeInterval, limit: Duration?) async throws {
    let request = try await ForeignRequest(original { $0.timeoutInterval = interval }).request()
    #expect(request.options.timeouts.idle == limit)
  }

  @Test("A request whose time limit is not set gets the chain's")
  func unsetTimeLimit() async throws {
    let request = try await ForeignRequest(original()).request()
    #expect(request.options.timeouts == RequestOptions().timeouts)
  }

  @Test("A request that cannot be sent as it is fails, and no secret is in the error")
  func invalid() async throws {
    for request in [
      try original("https://user:secret@sdk.example/"),
      try original { $0.setValue("secret\u{7}", forHTTPHeaderField: "X-Key") },
      try original { $0.httpMethod = "GET secret" },
    ] {
      let error = await #expect(throws: NetworkError.self) { try await ForeignRequest(request).request() }
      #expect(error?.kind == .invalidRequest)
      #expect(error.map { "\($0)".contains("secret") } == false)
    }
  }

  @Test(
    "A redirect is followed as URLSession does it",
    arguments: [
      (301, "GET", "/b", "GET https://sdk.example/b, key"),
      (302, "POST", "/b", "GET https://sdk.example/b, key"),
      (303, "PUT", "/b", "GET https://sdk.example/b, key"),
      (303, "HEAD", "/b", "HEAD https://sdk.example/b, key"),
      (307, "POST", "b?c", "POST https://sdk.example/b?c, key"),
      (308, "POST", "//other.example/", "POST https://other.example/"),
      (302, "GET", "http://sdk.example/a", "GET http://sdk.example/a"),
      (302, "GET", "file:///etc/hosts", nil), (304, "GET", "/b", nil), (200, "GET", "/b", nil),
    ])
  func redirect(status: Int, method: String, location: String, expected: String?) throws {
    var head = HTTPResponse(status: .init(code: status))
    head.headerFields[.location] = location
    let request = try ForeignRequest(
      original {
        $0.httpMethod = method
        $0.setValue("key", forHTTPHeaderField: "Authorization")
      })
    let redirected = request.redirected(by: head, resending: .empty).map { request in
      "\(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")"
        + (request.value(forHTTPHeaderField: "Authorization").map { ", \($0)" } ?? "")
    }
    #expect(redirected == expected)
  }

  /// How the body of a request is set.
  enum BodyForm: CaseIterable {
    case absent, data, stream, emptyStream
  }

  @Test(
    "A redirected request has a body that can be read, if its method is kept, whatever form the body had",
    arguments: [
      (301, "PUT", true), (301, "POST", false), (302, "PUT", true), (302, "POST", false),
      (303, "PUT", false), (303, "POST", false), (307, "PUT", true), (307, "POST", true),
      (308, "PUT", true), (308, "POST", true),
    ], BodyForm.allCases)
  func redirectedBody(row: (status: Int, method: String, keepsBody: Bool), form: BodyForm) async throws {
    let content = Data(repeating: 0x61, count: 100_000)
    let request = try ForeignRequest(
      original {
        $0.httpMethod = row.method
        switch form {
        case .absent: break
        case .data: $0.httpBody = content
        case .stream: $0.httpBodyStream = InputStream(data: content)
        case .emptyStream: $0.httpBodyStream = InputStream(data: Data())
        }
      })
    let sent = try await request.request().body
    var head = HTTPResponse(status: .init(code: row.status))
    head.headerFields[.location] = "/b"
    let redirected = try #require(request.redirected(by: head, resending: sent))
    #expect(redirected.httpMethod == (row.keepsBody ? row.method : "GET"))
    let hasContent = row.keepsBody && (form == .data || form == .stream)
    #expect(redirected.httpBodyStream == nil)
    #expect(redirected.httpBody ?? Data() == (hasContent ? content : Data()))
    // The next load reads the body as the first one did.
    let again = try await ForeignRequest(redirected).request().body
    #expect(again.bytes ?? [] == (hasContent ? [UInt8](content) : []))
  }

  @Test("Every kind of error has a code, and keeps the chain's error below it")
  func errors() throws {
    let kinds: [(NetworkError.Kind, URLError.Code)] = [
      (.invalidRequest, .badURL), (.offline, .notConnectedToInternet), (.resolve, .cannotFindHost),
      (.connect, .cannotConnectToHost), (.tls(.untrusted), .serverCertificateUntrusted),
      (.tls(.expired), .serverCertificateHasBadDate), (.tls(.handshake), .secureConnectionFailed),
      (.timeout(.idle), .timedOut), (.unsupported, .unsupportedURL),
      (.protocolViolation, .badServerResponse), (.transport, .networkConnectionLost),
      (.bodyTooLarge(limit: 1), .dataLengthExceedsMaximum), (.rejected, .cannotLoadFromNetwork),
      (.needsLogin, .userAuthenticationRequired), (.cancelled(.task), .cancelled),
    ]
    for (kind, code) in kinds {
      let error = URLError(
        NetworkError(kind, "Because."), url: URL(string: "https://a:secret@sdk.example/b?c=secret#d"))
      #expect(error.code == code)
      #expect(error.failingURL?.absoluteString == "https://sdk.example/b")
      #expect(!"\(error) \((error as NSError).userInfo)".contains("secret"))
      #expect(((error as NSError).userInfo[NSUnderlyingErrorKey] as? NetworkError)?.kind == kind)
    }
  }
}

@Suite struct ForeignEventsTests {
  private func next(_ events: inout ForeignEvents<Int>) -> Int? { events.next { $0 == 9 } }

  /// Takes the events until none can be handed over.
  private func take(_ events: inout ForeignEvents<Int>) -> [Int] {
    var taken: [Int] = []
    while let event = next(&events) { taken.append(event) }
    return taken
  }

  @Test("Events are taken in order and once, and nothing after the last one")
  func order() {
    var events = ForeignEvents<Int>()
    for event in [1, 2] { _ = events.add(event) }
    #expect(take(&events) == [1, 2])
    #expect(take(&events).isEmpty && !events.isOver)
    for event in [3, 9] { _ = events.add(event) }
    #expect(take(&events) == [3, 9])
    #expect(events.isOver)
    let isAdded = events.add(4)
    #expect(!isAdded)
    #expect(take(&events).isEmpty)
  }

  @Test("The last event stays until no waking is in progress, and is then woken for again")
  func lastEvent() {
    var events = ForeignEvents<Int>()
    _ = events.add(1)
    _ = events.add(9)
    events.beginWaking()
    #expect(take(&events) == [1])
    #expect(take(&events).isEmpty)
    // The last event was left, so a second waking begins, and then a third one.
    var necessary = [events.endWaking()]
    #expect(take(&events).isEmpty)
    necessary += [events.endWaking(), events.endWaking()]
    #expect(necessary == [true, true, false])
    #expect(take(&events) == [9])
    #expect(events.isOver)
  }

  @Test("A waking during which nothing was left is not repeated, as for a task that is suspended")
  func suspended() {
    var events = ForeignEvents<Int>()
    _ = events.add(9)
    events.beginWaking()
    let isNecessary = events.endWaking()
    #expect(!isNecessary)
    #expect(take(&events) == [9])
  }

  @Test(
    "A load that is stopped hands over nothing more, also of what had arrived", arguments: 0...3,
    [false, true])
  func stopped(after count: Int, whileWaking isWaking: Bool) {
    var events = ForeignEvents<Int>()
    for event in [1, 2, 3, 9] { _ = events.add(event) }
    if isWaking { events.beginWaking() }
    var taken: [Int] = []
    for _ in 0..<count { if let event = next(&events) { taken.append(event) } }
    #expect(taken == Array([1, 2, 3].prefix(count)))
    events.stop()
    let isAdded = events.add(9)
    #expect(take(&events).isEmpty && !isAdded && events.isOver)
    let isNecessary = events.endWaking()
    #expect(!isNecessary)
  }
}
