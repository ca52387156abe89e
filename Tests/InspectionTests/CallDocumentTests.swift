import Foundation
import HTTPTypes
import RequestLogging
import SwitchyardTesting
import Testing

@testable import Inspection
@testable import Interception

@Suite struct CallDocumentTests {
  private static func document(_ record: CallRecord, _ shown: ShownText = .strict) throws -> JSON {
    try JSON(
      CallDocument(record: record, shown: shown).detail(
        curl: CallArchive(app: "Test", shown: shown).curl(of: record), replayRefusal: nil))
  }

  private static func body(
    _ bytes: [UInt8], type: String, fields: HTTPFields = [:], shown: ShownText
  ) throws -> JSON {
    var fields = fields
    fields[.contentType] = type
    let response = Response(
      HTTPResponse(status: .ok, headerFields: fields), body: .bytes(bytes), exchange: Exchange(attempts: 1))
    return try document(.answered(with: response), shown)["delivered"]["body"]
  }

  @Test("A line has the members of the contract")
  func summary() throws {
    let transport = TransportReport(
      bytes: .init(sent: 3, received: 20, decoded: 90), remoteAddress: "127.0.0.1:8443", version: .http2,
      http3: .notAdvertised)
    let response = Response(
      HTTPResponse(status: .ok, headerFields: [.contentType: "application/json; charset=utf-8"]),
      body: .bytes([1, 2]),
      exchange: Exchange(attempts: 1, cache: .forwarded(.uriMiss, stored: true), transport: transport))
    let json = try JSON(CallDocument(record: .answered(with: response), shown: .open).summary)
    #expect(json["id"].number == 1)
    #expect(json["started"].number == 1_764_187_458)
    #expect(json["method"].text == "GET")
    #expect(json["host"].text == "api.estate.test")
    #expect(json["path"].text == "/v1/homes")
    #expect(json["query"].text == "page=2&token=██")
    #expect(json["service"].text == "estate")
    #expect(json["api"].text == "homes")
    #expect(json["state"].text == "answered")
    #expect(json["status"].number == 200)
    #expect(json["duration"].number == 6)
    #expect(json["sent"].number == 3)
    #expect(json["received"].number == 20)
    #expect(json["saved"].number == 0)
    #expect(json["cache"].text == "miss")
    #expect(json["attempts"].number == 1)
    #expect(json["shared"].bool == false)
    #expect(json["protocol"].text == "HTTP/2")
    #expect(json["address"].text == "127.0.0.1:8443")
    #expect(json["type"].text == "application/json")
    let detail = CallDocument(record: .answered(with: response), shown: .open).detail(
      curl: "", replayRefusal: nil)
    #expect(String(decoding: detail.bytes, as: UTF8.self).contains(#""http3":"not advertised""#))
  }

  @Test("No secret of a call leaves in its document, its archive or its command line")
  func secrecy() throws {
    let secret = "hunter2secret"
    var request = Request(
      method: .post, scheme: "https", authority: "anna:\(secret)@api.estate.test",
      path: "/v1/login?token=\(secret)#\(secret)",
      headerFields: [
        .authorization: "Bearer \(secret)", .cookie: "session=\(secret)", .contentType: "application/json",
        .referer: "https://a.test/?key=\(secret)",
      ], body: .bytes(Array(#"{"name":"Anna","password":"\#(secret)"}"#.utf8)))
    request.context.partition = secret
    let response = Response(
      HTTPResponse(
        status: .ok,
        headerFields: [
          .contentType: "text/plain", .setCookie: "session=\(secret)",
          .location: "https://b.test/?code=\(secret)",
        ]), body: .bytes(Array("your token is \(secret)".utf8)),
      exchange: Exchange(
        attempts: 1,
        redirects: [.init(status: .found, method: .get, url: "https://b.test/?code=\(secret)")]))
    var failed = CallRecord(request)
    _ = failed.take(.sent(request, exchange: 0), at: .zero)
    let error = NetworkError(.transport, "lost \(secret)", origin: .dispatcher("D"))
    _ = failed.take(.failed(error, exchange: 0), at: .zero)
    _ = failed.take(.refused(error), at: .zero)
    for shown in [ShownText.strict, .open] {
      for record in [
        failed, .answered(request, with: response), .answered(request, with: response, sent: false),
      ] {
        let archive = CallArchive(app: "Test", shown: shown)
        let document = CallDocument(record: record, shown: shown)
          .detail(curl: archive.curl(of: record), replayRefusal: nil)
        for bytes in [document.bytes, archive.document(of: [record], omittedCount: 0)] {
          let text = String(decoding: bytes, as: UTF8.self)
          #expect(!text.contains(secret))
          #expect(text.contains("api.estate.test"))
        }
      }
    }
  }

  @Test(
    "Credentials by the common list, or of the request as it was called or sent, are hidden even if told to be shown",
    arguments: ["X-Vault-Token", "X-Shop-Key", "X-Tenant-Pass"])
  func credentials(text: String) throws {
    let name = try #require(HTTPField.Name(text))
    var called = Request.example
    called.context.credentialFields = ["X-Shop-Key"]
    var sent = called
    sent.head.headerFields[name] = "s3cret-pass"
    sent.context.credentialFields.insert(try #require(HTTPField.Name("X-Tenant-Pass")))
    let response = Response(status: .ok, headerFields: [name: "s3cret-pass", .server: "echo"])
    var record = CallRecord(called)
    _ = record.take(.sent(sent, exchange: 0), at: .zero)
    _ = record.take(.received(response, exchange: 0), at: .zero)
    _ = record.take(.delivered(response, stream: nil), at: .zero)
    var failed = CallRecord(called)
    let error = NetworkError(.transport, "lost s3cret-pass", origin: .dispatcher("D"))
    _ = failed.take(.sent(sent, exchange: 0), at: .zero)
    _ = failed.take(.failed(error, exchange: 0), at: .zero)
    _ = failed.take(.refused(error), at: .zero)
    let shown = ShownText(redaction: Redaction(showingHeaders: [name, .server]), showsOtherBodies: true)
    let archive = CallArchive(app: "Test", shown: shown)
    for record in [record, failed] {
      let document = CallDocument(record: record, shown: shown)
        .detail(curl: archive.curl(of: record), replayRefusal: nil)
      for bytes in [document.bytes, archive.document(of: [record], omittedCount: 0)] {
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(name.rawName) && !text.contains("s3cret"))
      }
    }
  }

  @Test("JSON and forms are shown with the values of listed names only")
  func redactedBodies() throws {
    let json = Array(#"{"name":"Anna","password":"x1"}"#.utf8)
    let body = try Self.body(json, type: "application/json", shown: .open)
    #expect(body["text"].text == #"{"name":"Anna","password":"██"}"#)
    #expect(body["size"].number == Double(json.count))
    #expect(body["cut"].bool == false)
    let form = try Self.body(
      Array("name=Anna&password=x1".utf8), type: "application/x-www-form-urlencoded", shown: .open)
    #expect(form["text"].text == "name=Anna&password=██")
  }

  @Test("Texts and images are shown only if the app allows it, and other content never")
  func otherBodies() throws {
    let page = Array("<script>alert(1)</script>".utf8)
    let hidden = try Self.body(page, type: "text/html", shown: .strict)
    #expect(hidden["text"].isNull)
    #expect(hidden["omitted"].text?.contains("showsOtherBodies: true") == true)
    #expect(try Self.body(page, type: "text/html", shown: .open)["text"].text == "<script>alert(1)</script>")
    #expect(try Self.body([1, 2, 3], type: "image/png", shown: .open)["base64"].text == "AQID")
    #expect(try Self.body([1, 2, 3], type: "image/png", shown: .strict)["base64"].isNull)
    let unknown = try Self.body([1, 2, 3], type: "application/octet-stream", shown: .open)
    #expect(unknown["omitted"].text == "The content is neither a text nor an image.")
    let coded = try Self.body(page, type: "text/html", fields: [.contentEncoding: "gzip"], shown: .open)
    #expect(coded["omitted"].text?.hasPrefix("The content is coded") == true)
  }

  @Test("A body that was cut is shown as its beginning, and invalid UTF-8 does no harm")
  func cutBodies() throws {
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: 5_000)
    let body = try Self.body(long, type: "text/plain", shown: .open)
    #expect(body["cut"].bool == true)
    #expect(body["text"].text?.count == 1_024)
    #expect(body["size"].number == 5_000)
    let invalid = try Self.body([0xFF, 0x41, 0x00], type: "text/plain", shown: .open)
    #expect(invalid["text"].text == "\u{FFFD}A\u{0}")
  }

  @Test("Steps have their depth and times, and exchanges their phases and messages")
  func detail() throws {
    var record = CallRecord(.example)
    _ = record.take(
      .entered(.interceptor("Retry", .retry), frame: 0, parent: nil, attempt: 1), at: .milliseconds(1))
    _ = record.take(.entered(.dispatcher("D"), frame: 1, parent: 0, attempt: 1), at: .milliseconds(2))
    _ = record.take(.sent(.example, exchange: 0), at: .milliseconds(2))
    let report = TransportReport(phases: .init(queue: .milliseconds(1), firstByte: .milliseconds(4)))
    let response = Response(
      HTTPResponse(status: .notFound), exchange: Exchange(attempts: 1, transport: report))
    _ = record.take(.received(response, exchange: 0), at: .milliseconds(7))
    _ = record.take(
      .left(frame: 1, own: .milliseconds(5), total: .milliseconds(5), .answered(.notFound, nil)),
      at: .milliseconds(7))
    let json = try Self.document(record)
    #expect(json["steps"][0]["stage"].text == "retry")
    #expect(json["steps"][0]["outcome"].isNull)
    #expect(json["steps"][0]["own"].isNull)
    #expect(json["steps"][1]["name"].text == "D")
    #expect(json["steps"][1]["depth"].number == 1)
    #expect(json["steps"][1]["start"].number == 2)
    #expect(json["steps"][1]["own"].number == 5)
    #expect(json["steps"][1]["outcome"].text == "404")
    let exchange = json["exchanges"][0]
    #expect(exchange["url"].text == "https://api.estate.test/v1/homes?page=██&token=██")
    #expect(exchange["phases"].list.map { $0[0].text } == ["queue", "first byte"])
    #expect(exchange["request"]["fields"][1][1].text == "██")
    #expect(exchange["response"]["status"].number == 404)
    #expect(exchange["request"]["body"].isNull)
    #expect(json["replayable"].bool == true)
    #expect(json["curl"].text?.hasPrefix("curl ") == true)
  }
}

@Suite struct CallTotalsTests {
  @Test("Percentiles are those of the nearest rank")
  func percentiles() {
    let values = (1...100).map { Duration.milliseconds($0) }.shuffled()
    #expect(Percentile.of(values, 50) == .milliseconds(50))
    #expect(Percentile.of(values, 99) == .milliseconds(99))
    #expect(Percentile.of([.milliseconds(3)], 99) == .milliseconds(3))
    #expect(Percentile.of([.milliseconds(3), .milliseconds(9)], 50) == .milliseconds(3))
    #expect(Percentile.of([], 50) == nil)
  }

  @Test("Totals count calls by their end, and bytes that a store saved")
  func totals() throws {
    let hit = Response(
      HTTPResponse(status: .ok), body: .bytes([1, 2, 3]), exchange: Exchange(cache: .hit(ttl: 1)))
    let miss = Response(
      HTTPResponse(status: .ok), body: .bytes([1]),
      exchange: Exchange(
        attempts: 2, cache: .forwarded(.uriMiss, stored: true),
        transport: TransportReport(bytes: .init(received: 40), remoteAddress: "127.0.0.1:1", version: .http1))
    )
    var failed = CallRecord(.example)
    _ = failed.take(.refused(NetworkError(.offline, "x")), at: .milliseconds(3))
    let records = [
      .answered(with: hit, sent: false), .answered(with: miss), failed, CallRecord(.example),
    ]
    let json = try JSON(CallTotals(records: records, redaction: Redaction()).json)
    #expect(json["calls"].number == 4)
    #expect(json["running"].number == 1)
    #expect(json["failed"].number == 1)
    #expect(json["retried"].number == 1)
    #expect(json["hits"].number == 1)
    #expect(json["hitRatio"].number == 0.5)
    #expect(json["bytesReceived"].number == 40)
    #expect(json["bytesSaved"].number == 3)
    #expect(json["apis"][0]["name"].text == "estate.homes")
    #expect(json["apis"][0]["durations"].list.map(\.number) == [6, 6, 3])
    #expect(json["origins"][0]["origin"].text == "https://api.estate.test")
    #expect(json["addresses"][0]["address"].text == "127.0.0.1:1")
  }

  @Test("The pipeline lists its steps by rank, with what each did last")
  func pipeline() async throws {
    let inspector = Inspector(app: "Test", alwaysRecordsSteps: true)
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [inspector]) {
      InlineInterceptor("Answering", stage: .validation) { request, next in
        if request.head.method == .head { return Response(status: .noContent) }
        return try await next.dispatch(request)
      }
      InlineInterceptor("Failing", stage: .logging) { request, next in
        _ = try await next.dispatch(request)
        throw NetworkError(.rejected, "no")
      }
    }
    _ = try? await pipeline.send(.example)
    _ = try await pipeline.send(Request(method: .head, authority: "a.test", path: "/"))
    let json = try JSON(CallTotals(records: inspector.records, redaction: Redaction()).pipeline)
    #expect(json.list.map { $0["name"].text } == ["Answering", "Failing", "ScriptedDispatcher"])
    #expect(json[0]["calls"].number == 2)
    #expect(json[0]["answered"].number == 1)
    #expect(json[0]["failed"].number == 1)
    #expect(json[0]["last"].text == "204")
    #expect(json[1]["failed"].number == 1)
    #expect(json[1]["last"].text == "rejected")
    #expect(json[2]["rank"].isNull)
    #expect(json[2]["last"].text == "200")
  }
}
