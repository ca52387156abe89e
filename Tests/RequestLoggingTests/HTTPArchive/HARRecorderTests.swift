import Foundation
import HTTPTypes
import Interception
import RequestLogging
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct HARRecorderTests {
  private let clock = TestClock()

  private func recorder(
    capacity: Int = 256, byteLimit: Int = 4 << 20, redaction: Redaction = Redaction(),
    bodies: BodySampling = .none
  ) -> HARRecorder {
    HARRecorder(
      capacity: capacity, byteLimit: byteLimit, redaction: redaction, bodies: bodies,
      application: ("Estate", "3.2"),
      time: TimeSource(clock) { WallTime(secondsSince1970: 784_111_777, nanoseconds: 250_000_000) })
  }

  private func entries(_ recorder: HARRecorder) throws -> [[String: Any]] {
    try entries(recorder.archive())
  }

  private func entries(_ archive: [UInt8]) throws -> [[String: Any]] {
    let document = try JSONSerialization.jsonObject(with: Data(archive)) as? [String: Any]
    return try #require(document?.member("log.entries") as? [[String: Any]])
  }

  @Test("H8: An exchange is an entry of HAR 1.2 with its redacted fields and the transport's timings")
  func entry() async throws {
    let recorder = recorder(redaction: Redaction(showingQueryValuesOf: ["page"]))
    let report = TransportReport(
      phases: .init(
        queue: .milliseconds(1), name: .milliseconds(2), connect: .milliseconds(3), tls: .milliseconds(4),
        firstByte: .milliseconds(5), lastByte: .microseconds(6_500)),
      bytes: .init(sent: 4, received: 10, decoded: 12), remoteAddress: "[::1]:8443", version: .http2,
      http3: .lostRace)
    let response = Response(
      HTTPResponse(
        status: .found, headerFields: [.location: "https://b.test/x?code=s3cret", .contentType: "text/html"]),
      body: .bytes(Array("hello".utf8)), exchange: Exchange(transport: report))
    var request = Request(
      method: .post, authority: "user:s3cret@a.test", path: "/houses?page=2&token=s3cret&x#s3cret",
      headerFields: [.authorization: "Bearer s3cret", .accept: "*/*"], body: .text("s3cret"))
    request.context.api = APIIdentity(service: "estate", name: "houses.add")
    _ = try await Pipeline(over: ScriptedDispatcher(answering: response)) { recorder }.send(request)

    #expect(try await HARCheck.faults(in: recorder.archive()) == [])
    #expect(!String(decoding: recorder.archive(), as: UTF8.self).contains("s3cret"))
    let expected =
      #"{"startedDateTime":"1994-11-06T08:49:37.250Z","time":21.500,"request":{"method":"POST","#
      + #""url":"https://a.test/houses?page=2&token=REDACTED&REDACTED","httpVersion":"HTTP/2","#
      + #""cookies":[],"headers":[{"name":"Authorization","value":"REDACTED"},"#
      + #"{"name":"Accept","value":"*/*"}],"queryString":[{"name":"page","value":"2"},"#
      + #"{"name":"token","value":"REDACTED"},{"name":"REDACTED","value":""}],"headersSize":-1,"#
      + #""bodySize":6},"response":{"status":302,"statusText":"Found","httpVersion":"HTTP/2","#
      + #""cookies":[],"headers":[{"name":"Location","value":"https://b.test/x?code=REDACTED"},"#
      + #"{"name":"Content-Type","value":"text/html"}],"content":{"size":5,"mimeType":"text/html"},"#
      + #""redirectURL":"https://b.test/x?code=REDACTED","headersSize":-1,"bodySize":10},"cache":{},"#
      + #""timings":{"blocked":1.000,"dns":2.000,"connect":7.000,"ssl":4.000,"send":0,"wait":5.000,"#
      + #""receive":6.500,"comment":"HTTP/3 lost the race against TCP"},"serverIPAddress":"::1","#
      + #""comment":"request \#(request.id), attempt 1, estate/houses.add"}"#
    let document = #"{"log":{"version":"1.2","creator":{"name":"Estate","version":"3.2"},"entries":["#
    #expect(String(decoding: recorder.archive(), as: UTF8.self) == document + expected + "]}}")
  }

  @Test("The text of a coded response is its content, if the chain decodes it", arguments: [true, false])
  func codedContent(isDecoded: Bool) async throws {
    let recorder = recorder(bodies: BodySampling(responseBytes: 100))
    let response = Response(
      status: .ok, headerFields: [.contentType: "text/plain", .contentEncoding: "gzip"], bytes: [1, 2, 3])
    var request = Request(authority: "a.test", path: "/")
    if isDecoded {
      request.context.sampleDecoder = SampleDecoder { _, _, limit in Array("decoded".utf8.prefix(limit)) }
    }
    _ = try await Pipeline(over: ScriptedDispatcher(answering: response)) { recorder }.send(request)
    #expect(try await HARCheck.faults(in: recorder.archive()) == [])
    let entry = try #require(try entries(recorder).first)
    #expect(entry.member("response.content.text") as? String == (isDecoded ? "decoded" : nil))
    #expect(entry.member("response.content.size") as? Int == (isDecoded ? 7 : 3))
  }

  @Test("A cached response is an entry that says so, and a failed call is one without a status")
  func withoutNetwork() async throws {
    let recorder = recorder()
    let cache = InlineInterceptor("Cache", stage: .caching) { request, next in
      guard request.head.path == "/cached" else { return try await next.dispatch(request) }
      return Response(HTTPResponse(status: .ok), exchange: Exchange(cache: .hit(ttl: 54)))
    }
    let refusal = InlineInterceptor("Validation", stage: .validation) { request, next in
      guard request.head.path != "/refused" else { throw NetworkError(.rejected, "s3cret") }
      return try await next.dispatch(request)
    }
    let failing = ScriptedDispatcher(failing: NetworkError(.connect, "s3cret"))
    let pipeline = try Pipeline(over: failing) {
      refusal
      cache
      recorder
    }
    for path in ["/cached?q=s3cret", "/refused", "/failing"] {
      _ = try? await pipeline.send(Request(authority: "a.test", path: path))
    }
    _ = try? await pipeline.send(Request(authority: "a.test", path: "/cached"))

    #expect(try await HARCheck.faults(in: recorder.archive()) == [])
    #expect(!String(decoding: recorder.archive(), as: UTF8.self).contains("s3cret"))
    let entries = try entries(recorder)
    #expect(entries.map { $0.member("response.status") as? Int } == [0, 0, 0, 200])
    let comments = entries.map { $0.member("response.comment") as? String }
    #expect(
      comments == [
        "connect (ScriptedDispatcher)", "rejected (Validation)", "connect (ScriptedDispatcher)", nil,
      ])
    #expect(entries.last?.member("cache.comment") as? String == "hit; ttl=54")
  }

  @Test("The archive of an account has none of the calls of another one, from the cache or over the network")
  func accounts() async throws {
    let recorder = recorder()
    let cache = InlineInterceptor("Cache", stage: .caching) { request, next in
      guard request.head.path?.hasPrefix("/cached") == true else { return try await next.dispatch(request) }
      return Response(HTTPResponse(status: .ok), exchange: Exchange(cache: .hit(ttl: 54)))
    }
    let pipeline = try Pipeline(over: ScriptedDispatcher(answering: Response(status: .ok))) {
      cache
      recorder
    }
    for account in ["ann", "bob", ""] {
      for path in ["/cached", "/sent"] {
        var request = Request(authority: "a.test", path: "\(path)/\(account)")
        request.context.partition = account
        _ = try await pipeline.send(request)
      }
    }
    for account in ["ann", "bob", ""] {
      let archive = recorder.archive(of: account)
      #expect(try await HARCheck.faults(in: archive) == [])
      let urls = try entries(archive).map { $0.member("request.url") as? String }
      #expect(urls == ["https://a.test/cached/\(account)", "https://a.test/sent/\(account)"])
    }
    #expect(try entries(recorder.archive()).count == 6)
    #expect(try entries(recorder.archive(of: "eve")).isEmpty)
  }

  @Test("Bodies are recorded only if asked for, up to the limit")
  func bodies() async throws {
    for (sampling, request, response) in [
      (BodySampling.none, nil, nil),
      (BodySampling(requestBytes: 7, responseBytes: 4), "a=REDACTED", "x\ny\""),
    ] {
      let recorder = recorder(bodies: sampling)
      let answer = Response(
        status: .ok, headerFields: [.contentType: "text/plain"], bytes: Array("x\ny\"zzz".utf8))
      let sent = Request(
        method: .post, authority: "a.test", path: "/",
        headerFields: [.contentType: "application/x-www-form-urlencoded"], body: .text("a=s3cret&b=2"))
      _ = try await Pipeline(over: ScriptedDispatcher(answering: answer)) { recorder }.send(sent)
      #expect(try await HARCheck.faults(in: recorder.archive()) == [])
      let entry = try #require(try entries(recorder).first)
      #expect(entry.member("request.postData.text") as? String == request)
      #expect(entry.member("response.content.text") as? String == response)
      #expect(entry.member("response.content.size") as? Int == 7)
    }
  }

  @Test("A streamed response is an entry once it has ended, also if it failed or was dropped")
  func streams() async throws {
    let recorder = recorder()
    let failure = NetworkError(.transport, "The connection broke.")
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      let source = ScriptedByteSource([[1], [2]], endingWith: number == 2 ? failure : nil)
      return Response(HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, source)))
    }
    let pipeline = try Pipeline(over: dispatcher) { recorder }
    for number in 1...3 {
      let response = try await pipeline.send(Request(authority: "a.test", path: "/"))
      #expect(try entries(recorder).count == number - 1)
      if number < 3 { _ = try? await response.body.collect(upTo: 10) }
    }
    #expect(try await HARCheck.faults(in: recorder.archive()) == [])
    let comments = try entries(recorder).map { $0.member("response.comment") as? String }
    #expect(comments == [nil, "transport", "dropped by its reader"])
  }

  @Test("The number and the size of the entries are bounded, and the archive says what it lacks")
  func bounds() async throws {
    let few = recorder(capacity: 3)
    let small = recorder(byteLimit: 3_000)
    let tiny = recorder(byteLimit: 10)
    for recorder in [few, small, tiny] {
      let pipeline = try Pipeline(over: ScriptedDispatcher()) { recorder }
      for number in 0..<20 { _ = try await pipeline.send(Request(authority: "a.test", path: "/\(number)")) }
      #expect(try await HARCheck.faults(in: recorder.archive()) == [])
    }
    let urls = try entries(few).map { $0.member("request.url") as? String }
    #expect(urls == ["https://a.test/17", "https://a.test/18", "https://a.test/19"])
    #expect(small.archive().count < 3_300)
    #expect(try entries(small).count > 3)
    #expect(try entries(tiny).isEmpty)
    #expect(String(decoding: tiny.archive(), as: UTF8.self).contains("20 earlier or larger entries"))
    few.removeAll()
    #expect(try entries(few).isEmpty)
    #expect(!String(decoding: few.archive(), as: UTF8.self).contains("left out"))
  }

  @Test("Hostile values are legal JSON, and a field of 1 MiB needs bounded memory")
  func hostileValues() async throws {
    let recorder = recorder(
      redaction: Redaction(showingHeaders: [.eTag]), bodies: BodySampling(requestBytes: 64, responseBytes: 64)
    )
    var fields: HTTPFields = [.contentType: "text/plain"]
    fields.append(HTTPField(name: .eTag, value: [0x22, 0x5C, 0xC3, 0x28, 0xFF, 0x09, 0x7F]))
    fields.append(HTTPField(name: .eTag, value: String(repeating: "é", count: 1 << 19)))
    let bytes: [UInt8] = [0x22, 0x5C, 0, 1, 0x0A, 0x0D, 0x1F, 0x7F, 0xC0, 0xFF, 0xE2, 0x80, 0xA8, 0xED, 0xA0]
    let response = Response(status: .ok, headerFields: fields, bytes: bytes)
    let request = Request(
      method: .post, authority: "\"\\\u{1}\n.test", path: "/\"\\\u{0}?\"\u{301}=\n&\\",
      headerFields: [.contentType: "text/plain", .eTag: "\"\r\n{"], body: .bytes(bytes))
    _ = try await Pipeline(over: ScriptedDispatcher(answering: response)) { recorder }.send(request)
    #expect(try await HARCheck.faults(in: recorder.archive()) == [])
    #expect(try entries(recorder).count == 1)
    #expect(recorder.archive().count < 16_384)
  }

  @Test("No archive contains a secret from a field, a cookie, a query or an error")
  func secrecy() async throws {
    let recorder = recorder(redaction: Redaction(showingHeaders: [.setCookie, .cookie, .authorization]))
    let secrets = (0..<12).map { "s3cret\($0)x" }
    var fields: HTTPFields = [
      .setCookie: "a=\(secrets[0])", .location: "//\(secrets[1])@b.test?c=\(secrets[2])",
    ]
    fields[try #require(HTTPField.Name("X-Own"))] = secrets[3]
    let response = Response(status: .found, headerFields: fields, bytes: Array(secrets[4].utf8))
    var request = Request(
      authority: "\(secrets[5])@a.test", path: "/?\(secrets[6])&a=\(secrets[7])#\(secrets[8])",
      headerFields: [.cookie: "a=\(secrets[9])", .authorization: secrets[10]])
    request.head.headerFields[try #require(HTTPField.Name("Switchyard-Signature"))] = secrets[11]
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      guard number == 1 else { throw NetworkError(.protocolViolation, secrets.joined(separator: " ")) }
      return response
    }
    let pipeline = try Pipeline(over: dispatcher) { recorder }
    for _ in 0..<2 { _ = try? await pipeline.send(request) }
    let document = String(decoding: recorder.archive(), as: UTF8.self)
    #expect(try entries(recorder).count == 2)
    for secret in secrets { #expect(!document.contains(secret)) }
  }

  @Test("The recorder satisfies the laws")
  func laws() async throws {
    let report = await checkInterceptorLaws(HARRecorder(time: TimeSource(TestClock())))
    try report.check()
    #expect(report.unproven == [:])
  }
}

extension [String: Any] {
  /// A member of nested objects, by their names with dots between them.
  fileprivate func member(_ path: String) -> Any? {
    path.split(separator: ".").reduce(self as Any?) { object, name in
      (object as? [String: Any])?[String(name)]
    }
  }
}
