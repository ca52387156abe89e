import HTTPTypes
import InMemoryLogging
import Interception
import Logging
import RequestLogging
import SwitchyardTesting
import Testing

/// Puts random secrets in every place that can hold one; none of them may be found in any output.
@Suite(.timeLimit(.minutes(5))) struct SecrecyTests {
  private struct Foreign: Error, CustomStringConvertible { let description: String }

  enum Course: CaseIterable, Sendable {
    case answered, streamed, failed, failedForeign, failedBody, refused, cached
  }

  private struct Secrets {
    private(set) var all: [String] = []
    private var generator: SystemRandomNumberGenerator = .init()

    mutating func next() -> String {
      let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
      let secret = String((0..<16).map { _ in alphabet.randomElement(using: &generator) ?? "x" })
      all.append(secret)
      return secret
    }
  }

  private func field(_ name: String) throws -> HTTPField.Name { try #require(HTTPField.Name(name)) }

  @Test(
    "E11: No log message or archive contains a secret, nor does an error or trace unless the dispatcher quotes it",
    arguments: Course.allCases)
  func nothingLeaks(course: Course) async throws {
    for _ in 0..<20 {
      var secrets = Secrets()
      var fields: HTTPFields = [.contentType: "application/json", .accept: "application/json"]
      fields[.authorization] = "Bearer \(secrets.next())"
      fields[.cookie] = "session=\(secrets.next()); theme=\(secrets.next())"
      for name in ["Switchyard-Signature", "Switchyard-Nonce", "X-Api-Key", "Proxy-Authorization", "X-Own"] {
        fields[try field(name)] = secrets.next()
      }
      let authority = "\(secrets.next()):\(secrets.next())@a.test"
      let path = "/houses?token=\(secrets.next())&\(secrets.next())&page=2#\(secrets.next())"
      // What a careless dispatcher might put into its error: all of the request except its body.
      let requestSecrets = secrets.all.joined(separator: " ")
      var request = Request(
        method: .post, authority: authority, path: path, headerFields: fields,
        body: .text(#"{"password":"\#(secrets.next())"}"#))
      if case .failedBody = course {
        request.body = .sequence(length: nil) { () async throws -> AsyncStream<[UInt8]> in
          throw Foreign(description: requestSecrets)
        }
      }
      var answered = HTTPFields()
      answered[.setCookie] = "session=\(secrets.next())"
      answered[.location] = "https://\(secrets.next())@b.test/x?code=\(secrets.next())#\(secrets.next())"
      answered[try field("X-Session")] = secrets.next()
      answered[.contentType] = "application/json"
      let answerBody = #"{"token":"\#(secrets.next())"}"#
      let head = HTTPResponse(status: .found, headerFields: answered)

      let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
        switch course {
        case .failed: throw NetworkError(.protocolViolation, "The server said \(requestSecrets).")
        case .streamed:
          let source = ScriptedByteSource([Array(answerBody.utf8)])
          return Response(head, body: .stream(BodyStream(length: nil, source)))
        default: return Response(head, body: .bytes(Array(answerBody.utf8)))
        }
      }
      let outer = InlineInterceptor("Outer", stage: .caching) { request, next in
        switch course {
        case .refused: throw Foreign(description: requestSecrets)
        case .cached:
          return Response(head, exchange: Exchange(cache: .hit(ttl: 1)))
        default: return try await next.dispatch(request)
        }
      }
      let inner = InlineInterceptor(
        "Inner", traits: InterceptorTraits(stage: .wire, allowsSeveral: true, callsNext: .exactlyOnce)
      ) { request, next in
        if case .failedBody = course { _ = try await request.body.collect(upTo: 100) }
        let response = try await next.dispatch(request)
        if case .failedForeign = course { throw Foreign(description: requestSecrets) }
        return response
      }
      let capture = LogCapture()
      let traces = TraceRecorder()
      let archive = HARRecorder()
      let logging = LoggingInterceptor(
        logger: capture.logger(), details: [.headers, .transport, .curlCommand])
      let pipeline = try Pipeline(over: dispatcher, observers: [traces]) {
        outer
        logging
        archive
        inner
      }
      var failure = ""
      do {
        _ = try await pipeline.send(request).body.collect(upTo: 1000)
      } catch { failure = "\(error)" }
      let written = capture.text + String(decoding: archive.archive(), as: UTF8.self)
      #expect(capture.entries.count >= 1)
      #expect(written.contains("/houses"))
      for secret in secrets.all { #expect(!written.contains(secret), "\(course): \(secret) in \(written)") }
      // The sentence of a dispatcher's own error is taken as it is.
      if case .failed = course { continue }
      let trace = "\(traces.traces)"
      #expect(trace.contains("/houses"))
      for secret in secrets.all { #expect(!trace.contains(secret) && !failure.contains(secret)) }
    }
  }
}
