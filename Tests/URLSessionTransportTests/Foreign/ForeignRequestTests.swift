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

  @Test("A time limit below the default limits the silence", arguments: [(60, nil), (5, 5), (600, nil)])
  func timeLimit(seconds: Int, limit: Int?) async throws {
    let standard = RequestOptions().timeouts.idle
    let request = try await ForeignRequest(original { $0.timeoutInterval = Double(seconds) }).request()
    #expect(request.options.timeouts.idle == limit.map { .seconds($0) } ?? standard)
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
    let redirected = request.redirected(by: head).map { request in
      "\(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")"
        + (request.value(forHTTPHeaderField: "Authorization").map { ", \($0)" } ?? "")
    }
    #expect(redirected == expected)
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
  private func take(_ events: inout ForeignEvents<Int>) -> [Int] { events.take { $0 == 9 } }

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

  @Test("A load that is stopped hands over nothing")
  func stopped() {
    var events = ForeignEvents<Int>()
    _ = events.add(1)
    events.stop()
    let isAdded = events.add(9)
    #expect(take(&events).isEmpty && !isAdded)
  }
}
