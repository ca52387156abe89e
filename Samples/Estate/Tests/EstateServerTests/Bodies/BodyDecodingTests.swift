import Foundation
import HTTPServing
import HTTPTypes
import Synchronization
import Testing

@testable import EstateServer

@Suite struct BodyDecodingTests {
  static let text = String(repeating: "Big kitchen, small garden. ", count: 200)
  static let note = Array(#"{"home":12,"text":"\#(text)"}"#.utf8)

  @Test("A gzip-coded note is stored as plain text", arguments: ["gzip", "GZip", "x-gzip"])
  func coded(coding: String) async throws {
    let caller = try APICaller()
    let coded = try GzipCoding.encode(Self.note)
    #expect(coded.count < Self.note.count)
    let reply = try await caller.call(
      .post, "/v1/notes", fields: [.contentEncoding: coding], body: coded)
    #expect(reply.status == .created)
    let taken = try reply.json
    #expect(taken["home"] == 12 && taken["body_bytes"] == JSON(Self.note.count))
    #expect(taken["content_coding"] == .string(coding.lowercased()))
    let notes = try await caller.get("/v1/notes?home=12").json["notes"].elements
    #expect(notes.map { $0["text"].text } == [Self.text])
  }

  @Test("The verifier receives the decoded body and the target as it was sent")
  func verified() async throws {
    final class Recorder: RequestVerifying {
      let seen = Mutex<[ReceivedRequest]>([])
      func verify(_ request: ReceivedRequest) async throws(SignatureRefusal) {
        seen.withLock { $0.append(request) }
      }
    }
    let recorder = Recorder()
    let coded = try GzipCoding.encode(Self.note)
    _ = try await APICaller(verifier: recorder).call(
      .post, "/v1/notes?b=%2f&a=1", fields: [.contentEncoding: "gzip"], body: coded)
    let seen = recorder.seen.withLock { $0 }
    #expect(seen.count == 1)
    #expect(seen.first?.body == Self.note)
    #expect(seen.first?.head.path == "/v1/notes?b=%2f&a=1")
    #expect(seen.first?.head.authority == "localhost:8443")
    #expect(seen.first?.head.method == .post)
  }

  @Test(
    "An unknown coding is 415 with the accepted one", arguments: ["br", "zstd", "gzip, gzip", "deflate"])
  func unknown(coding: String) async throws {
    let reply = try await APICaller().call(
      .post, "/v1/notes", fields: [.contentEncoding: coding], body: Self.note)
    #expect(reply.status == .unsupportedMediaType)
    #expect(reply.fields[.acceptEncoding] == "gzip")
    #expect(reply.errorCode == "unknown_coding")
  }

  @Test("A small body that decodes to more than the limit is 413")
  func bomb() async throws {
    let bomb = try GzipCoding.encode([UInt8](repeating: 0x20, count: 8 * BodyLimits.decoded))
    #expect(bomb.count < BodyLimits.encoded / 10)
    let reply = try await APICaller().call(
      .post, "/v1/notes", fields: [.contentEncoding: "gzip"], body: bomb)
    #expect(reply.status == .contentTooLarge)
    #expect(reply.errorCode == "body_too_large")
  }

  @Test("A plain body beyond the limit is 413")
  func large() async throws {
    let body = [UInt8](repeating: 0x20, count: BodyLimits.encoded + 1)
    let reply = try await APICaller().call(.post, "/v1/notes", body: body)
    #expect(reply.status == .contentTooLarge)
    #expect(reply.errorCode == "body_too_large")
  }

  @Test("Damaged gzip is 400")
  func damaged() async throws {
    let cut = Array(try GzipCoding.encode(Self.note).dropLast(4))
    let reply = try await APICaller().call(
      .post, "/v1/notes", fields: [.contentEncoding: "gzip"], body: cut)
    #expect(reply.status == .badRequest && reply.errorCode == "bad_body")
  }

  @Test(
    "A body of another form than the endpoint's is 400 with the reason",
    arguments: [
      ("", "not JSON"), ("{", "not JSON"), ("[]", "must be a JSON object"), ("{\"home\":1}", "lacks 'text'"),
      ("{\"home\":\"1\",\"text\":\"a\"}", "'home'"), ("{\"home\":1,\"text\":\"\"}", "1 to 65536 bytes"),
    ])
  func badJSON(body: String, reason: String) async throws {
    let reply = try await APICaller().post("/v1/notes", json: body)
    #expect(reply.status == .badRequest)
    #expect(reply.errorCode == "bad_body")
    #expect(try reply.json["error"]["message"].text?.contains(reason) == true)
  }
}
