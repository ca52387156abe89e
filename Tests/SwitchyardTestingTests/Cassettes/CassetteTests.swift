import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite struct CassetteTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

  private func record(
    _ answers: @escaping ScriptedDispatcher.Script, redaction: CassetteRedaction = CassetteRedaction(),
    _ requests: [Request]
  ) async throws -> Cassette {
    let recorder = RecordingDispatcher(over: ScriptedDispatcher(answers), to: file, redaction: redaction)
    for request in requests {
      if let response = try? await recorder.dispatch(request) {
        _ = try? await response.body.collect(upTo: 1 << 20)
      }
    }
    try recorder.save()
    defer { try? FileManager.default.removeItem(atPath: file) }
    return try Cassette(path: file)
  }

  private func post(_ path: String, _ body: String) -> Request {
    Request(method: .post, authority: "api.switchyard.test", path: path, body: .text(body))
  }

  private func text(_ response: Response) async throws -> String {
    String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
  }

  @Test("A path with a null byte is refused, and no file with the name before it is read or written")
  func nullByte() throws {
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Cassette().write(to: file)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let reading = #expect(throws: CassetteError.self) { try Cassette(path: file + "\0.json") }
    let writing = #expect(throws: CassetteError.self) {
      try Cassette(interactions: []).write(to: file + "\0.json")
    }
    for error in [reading, writing] {
      #expect(error?.description == "The path of the cassette contains a null byte; remove it.")
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }

  @Test("A recorded exchange is replayed with its content, fields and trailers")
  func replay() async throws {
    let cassette = try await record(
      { request, number throws(NetworkError) in
        Response(
          HTTPResponse(status: .created, headerFields: [.contentType: "text/plain"]),
          body: .bytes([0, 255, UInt8(number)]), trailers: [.eTag: "\"x\""])
      }, [post("/a", "one")])
    let player = ReplayDispatcher(cassette)
    let response = try await player.dispatch(post("/a", "one"))
    #expect(response.status == .created)
    #expect(response.head.headerFields[.contentType] == "text/plain")
    #expect(try await response.body.collect(upTo: 10) == [0, 255, 1])
    #expect(response.trailers?[.eTag] == "\"x\"")
    #expect(player.unused.isEmpty)
  }

  @Test("A recorded request asks for content without a coding, so that its response can be read and redacted")
  func codings() async throws {
    let server = ScriptedDispatcher()
    let recorder = RecordingDispatcher(over: server, to: file)
    for field in [nil, "gzip"] {
      var request = post("/a", "one")
      request.head.headerFields[.acceptEncoding] = field
      _ = try await recorder.dispatch(request)
    }
    #expect(server.requests.map { $0.head.headerFields[.acceptEncoding] } == ["identity", "identity"])
    let fields = recorder.cassette.interactions.map { $0.request.fields.map(\.value) }
    #expect(fields == [["identity"], ["identity"]])
  }

  @Test("A field that is not UTF-8 is replayed byte for byte")
  func opaqueFields() async throws {
    let values: [[UInt8]] = [[0x4A, 0xE9], Array("J\u{E9}".utf8), [0xFF, 0x80]]
    let fields = HTTPFields(values.map { HTTPField(name: .eTag, value: $0) })
    let cassette = try await record(
      { _, _ throws(NetworkError) in
        Response(HTTPResponse(status: .ok, headerFields: fields), body: .bytes([1]))
      }, [post("/a", "one")])
    let response = try await ReplayDispatcher(cassette).dispatch(post("/a", "one"))
    #expect(
      response.head.headerFields[fields: .eTag].map { $0.withUnsafeBytesOfValue { Array($0) } } == values)
  }

  @Test("A stream is recorded while it is read, and replayed as a stream")
  func streams() async throws {
    let source = ScriptedByteSource([Array("first ".utf8), Array("second".utf8)])
    let recorder = RecordingDispatcher(
      over: ScriptedDispatcher(
        answering: Response(HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, source)))),
      to: file)
    var request = post("/s", "")
    request.options.delivery = .streamed
    let response = try await recorder.dispatch(request)
    #expect(source.reads == 0)
    #expect(recorder.cassette.interactions.first?.response?.isComplete == false)
    #expect(try await text(response) == "first second")
    #expect(recorder.cassette.interactions.first?.response?.isComplete == true)
    let replayed = try await ReplayDispatcher(recorder.cassette).dispatch(request)
    guard case .stream = replayed.body else {
      return #expect(Bool(false), "the replayed body is not a stream")
    }
    #expect(try await text(replayed) == "first second")
  }

  @Test("A stream that was not read completely fails in the replay")
  func incompleteStream() async throws {
    let source = ScriptedByteSource([[1], [2]])
    let recorder = RecordingDispatcher(
      over: ScriptedDispatcher(
        answering: Response(HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, source)))),
      to: file)
    let request = post("/s", "")
    if case .stream(let stream) = try await recorder.dispatch(request).body {
      _ = try await stream.claim().read()
    }
    #expect(source.isCancelled)
    let error = await #expect(throws: NetworkError.self) {
      _ = try await ReplayDispatcher(recorder.cassette).dispatch(request)
    }
    #expect(error?.kind == .transport)
  }

  @Test("A failure is recorded and replayed as the same error")
  func failures() async throws {
    let kinds: [NetworkError.Kind] = [
      .resolve, .tls(.expired), .timeout(.idle), .timeout(.call), .bodyTooLarge(limit: 7),
      .protocolViolation, .needsLogin,
    ]
    let cassette = try await record(
      { _, number throws(NetworkError) in
        throw NetworkError(kinds[number - 1], "It failed.", requestMayHaveBeenProcessed: number > 1)
      }, kinds.map { _ in post("/f", "") })
    let player = ReplayDispatcher(cassette)
    for (place, kind) in kinds.enumerated() {
      let error = await #expect(throws: NetworkError.self) { _ = try await player.dispatch(post("/f", "")) }
      #expect(error?.kind == kind)
      #expect(error?.requestMayHaveBeenProcessed == (place > 0))
    }
  }

  @Test("Query items that a test names as secrets are hidden in addition to the usual ones")
  func furtherQueryItems() async throws {
    let cassette = try await record(
      { _, _ throws(NetworkError) in Response(status: .ok) },
      redaction: CassetteRedaction(queryNames: ["PIN"]),
      [post("/a?pin=hunter2&token=hunter2&page=2", "")])
    #expect(cassette.interactions.map(\.request.path) == ["/a?pin=REDACTED&token=REDACTED&page=2"])
  }

  @Test("Secrets are never written to the file")
  func secrets() async throws {
    var request = post("/a?city=Hangzhou&%74oken=hunter2&sig=hunter2", "password=hunter2")
    request.head.authority = "user:hunter2@api.switchyard.test"
    request.head.headerFields = [
      .authorization: "Bearer hunter2", .cookie: "hunter2", .accept: "text/plain",
    ]
    if let name = HTTPField.Name("Switchyard-Signature") { request.head.headerFields[name] = "hunter2" }
    let redaction = CassetteRedaction(content: { bytes in
      Array(String(decoding: bytes, as: UTF8.self).replacing("hunter2", with: "REDACTED").utf8)
    })
    let cassette = try await record(
      { _, _ throws(NetworkError) in
        Response(
          status: .found, headerFields: [.setCookie: "s=hunter2", .location: "/b?token=hunter2&page=2"],
          bytes: Array("your password is hunter2".utf8))
      }, redaction: redaction, [request])
    let json = try cassette.json()
    #expect(!json.contains("hunter2"))
    #expect(json.contains("text/plain"))
    #expect(json.contains("/a?city=Hangzhou&%74oken=REDACTED&sig=REDACTED"))
    #expect(json.contains("/b?token=REDACTED&page=2"))
    let replayed = try await ReplayDispatcher(cassette, redaction: redaction).dispatch(request)
    #expect(replayed.status == .found)
  }

  @Test("Recording the same exchanges produces an identical file")
  func identicalFile() async throws {
    let answers: ScriptedDispatcher.Script = { request, number throws(NetworkError) in
      Response(status: .ok, headerFields: [.server: "x", .accept: "y"], bytes: Array("\(number)".utf8))
    }
    let requests = [post("/a", "x"), post("/b", "y")]
    let first = try await record(answers, requests).json()
    #expect(try await record(answers, requests).json() == first)
    #expect(first.contains("\"version\" : 1"))
  }

  @Test("An unmatched request fails with an error that names the most similar exchange")
  func unmatched() async throws {
    let cassette = try await record(
      { _, _ throws(NetworkError) in Response(status: .ok) }, [post("/a", "one")])
    let error = await #expect(throws: NetworkError.self) {
      _ = try await ReplayDispatcher(cassette).dispatch(post("/a", "two"))
    }
    #expect(error?.kind == .notStored)
    #expect(error?.requestMayHaveBeenProcessed == false)
    let miss = error?.underlying(as: CassetteMissError.self)
    #expect(miss?.differences.first?.hasPrefix("in exchange 1 the content has a different hash") == true)
  }

  @Test("Volatile query items are ignored, and so are content and origin if configured")
  func matching() async throws {
    let cassette = try await record(
      { _, _ throws(NetworkError) in Response(status: .ok) }, [post("/a?x=1&nonce=1", "one")])
    #expect(try await ReplayDispatcher(cassette).dispatch(post("/a?nonce=2&x=1", "one")).status == .ok)
    let loose = CassetteMatching(comparesAuthority: false, comparesContent: false)
    var other = post("/a?x=1", "two")
    other.head.authority = "127.0.0.1:1"
    #expect(try await ReplayDispatcher(cassette, mode: .once, matching: loose).dispatch(other).status == .ok)
    await #expect(throws: NetworkError.self) { _ = try await ReplayDispatcher(cassette).dispatch(other) }
  }

  @Test("Exchanges are replayed once, in order, or repeatedly, depending on the mode")
  func modes() async throws {
    let cassette = try await record(
      { _, number throws(NetworkError) in Response(status: .ok, bytes: Array("\(number)".utf8)) },
      [post("/a", ""), post("/b", ""), post("/a", "")])
    let once = ReplayDispatcher(cassette, mode: .once)
    #expect(try await text(once.dispatch(post("/b", ""))) == "2")
    #expect(try await text(once.dispatch(post("/a", ""))) == "1")
    #expect(once.unused == ["POST https://api.switchyard.test/a"])
    #expect(try await text(once.dispatch(post("/a", ""))) == "3")
    await #expect(throws: NetworkError.self) { _ = try await once.dispatch(post("/a", "")) }
    let ordered = ReplayDispatcher(cassette, mode: .inOrder)
    await #expect(throws: NetworkError.self) { _ = try await ordered.dispatch(post("/b", "")) }
    #expect(try await text(ordered.dispatch(post("/a", ""))) == "1")
    #expect(try await text(ordered.dispatch(post("/b", ""))) == "2")
    let any = ReplayDispatcher(cassette, mode: .any)
    for _ in 0..<3 { #expect(try await text(any.dispatch(post("/a", ""))) == "1") }
  }

  @Test("The limits of buffered and streamed responses apply in the replay")
  func limits() async throws {
    let cassette = try await record(
      { _, _ throws(NetworkError) in Response(status: .ok, bytes: [UInt8](repeating: 1, count: 100)) },
      [post("/a", "")])
    let player = ReplayDispatcher(cassette, mode: .any)
    var request = post("/a", "")
    request.options.delivery = .buffered(upTo: 99)
    let short = request
    let buffered = await #expect(throws: NetworkError.self) { _ = try await player.dispatch(short) }
    #expect(buffered?.kind == .bodyTooLarge(limit: 99))
    request.options.delivery = .streamed
    request.options.streamLimit = 99
    let response = try await player.dispatch(request)
    let streamed = await #expect(throws: NetworkError.self) {
      _ = try await response.body.collect(upTo: 1_000)
    }
    #expect(streamed?.kind == .bodyTooLarge(limit: 99))
  }

  @Test("A body that can be read once is recorded while it is sent")
  func singleUseBody() async throws {
    let recorder = RecordingDispatcher(
      over: ScriptedDispatcher { request, _ throws(NetworkError) in
        Response(status: .ok, bytes: try await request.body.collect(upTo: 100))
      }, to: file)
    var request = post("/up", "")
    request.body = .once(length: nil, ScriptedByteSource([Array("up".utf8), Array("load".utf8)]))
    #expect(try await text(recorder.dispatch(request)) == "upload")
    #expect(recorder.cassette.interactions.first?.request.body?.text == "upload")
  }

  @Test("A status that no response has is refused with the exchange", arguments: [-1, 0, 99, 1_000, 99_999])
  func statuses(_ status: Int) throws {
    let request = #"{"method":"GET","scheme":"https","authority":"a","path":"/","fields":[]}"#
    let response = #"{"status":\#(status),"fields":[],"isComplete":true}"#
    let text = #"{"version":1,"interactions":[{"request":\#(request),"response":\#(response)}]}"#
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let error = #expect(throws: CassetteError.self) { _ = try Cassette(path: file) }
    #expect(error?.description.contains("\(status) in exchange 1") == true)
  }

  @Test(
    "A file that is not a cassette or has another version is refused with a remedy",
    arguments: ["no JSON", "{}", "{\"version\": 2, \"interactions\": []}", "{\"version\": 1}"])
  func refused(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let error = #expect(throws: CassetteError.self) { _ = try Cassette(path: file) }
    #expect(error?.description.contains(file) == true)
  }
}
