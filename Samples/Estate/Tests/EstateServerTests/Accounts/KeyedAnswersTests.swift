import HTTPServing
import HTTPTypes
import Testing

@testable import EstateServer

@Suite struct KeyedAnswersTests {
  private func fields(_ token: String, _ key: String) throws -> HTTPFields {
    [.authorization: "Bearer \(token)", try #require(HTTPField.Name("Idempotency-Key")): key]
  }

  private func request(_ key: String?, body: String = "") throws -> ReceivedRequest {
    var fields: HTTPFields = [:]
    fields[try #require(HTTPField.Name("Idempotency-Key"))] = key
    let head = HTTPRequest(
      method: .post, scheme: "https", authority: "localhost", path: "/", headerFields: fields)
    return ReceivedRequest(head: head, body: Array(body.utf8))
  }

  @Test("A favourite that comes again with its key gets the same answer, and is not added again")
  func favourite() async throws {
    let caller = try APICaller()
    let token = try #require(try await caller.logIn().json["token"].text)
    let keyed = try fields(token, "\"a\"")
    let first = try await caller.post("/v1/favourites", json: #"{"home":5}"#, fields: keyed)
    #expect(first.status == .created)
    #expect(try await caller.call(.delete, "/v1/favourites/5", fields: keyed).status == .noContent)
    let again = try await caller.post("/v1/favourites", json: #"{"home":5}"#, fields: keyed)
    #expect(again.status == .created && again.bytes == first.bytes)
    #expect(try await caller.get("/v1/favourites", fields: keyed).json == ["favourites": []])

    let other = try await caller.post("/v1/favourites", json: #"{"home":6}"#, fields: keyed)
    #expect(other.status == .unprocessableContent && other.errorCode == "key_reused")
    for key in ["", String(repeating: "k", count: 256)] {
      let reply = try await caller.post(
        "/v1/favourites", json: #"{"home":6}"#, fields: fields(token, key))
      #expect(reply.status == .badRequest && reply.errorCode == "bad_idempotency_key")
    }
    let next = try await caller.post(
      "/v1/favourites", json: #"{"home":5}"#, fields: fields(token, "\"b\""))
    #expect(next.status == .created)
  }

  @Test("Each account has its own keys, a request without one is always applied, and an error is not kept")
  func scope() throws {
    struct Refusal: Error {}
    let answers = KeyedAnswers()
    var count = 0
    func apply(_ key: String?, _ user: String) throws -> Int? {
      let answer = try answers.answer(to: request(key), of: user) {
        count += 1
        return Answer(bytes: [UInt8(count)])
      }
      return answer.bytes.first.map(Int.init)
    }
    #expect(throws: Refusal.self) { try answers.answer(to: request("1"), of: "a") { throw Refusal() } }
    #expect(try apply("1", "a") == 1)
    #expect(try apply("1", "b") == 2)
    #expect(try apply("1", "a") == 1)
    #expect(try apply(nil, "a") == 3)
    #expect(try apply(nil, "a") == 4)
  }

  @Test("The answers to the newest 1,000 keys are kept")
  func bounded() throws {
    let answers = KeyedAnswers()
    func isApplied(_ key: Int) throws -> Bool {
      var isApplied = false
      _ = try answers.answer(to: request("\(key)"), of: "a") {
        isApplied = true
        return Answer()
      }
      return isApplied
    }
    for key in 0...KeyedAnswers.capacity { #expect(try isApplied(key)) }
    #expect(try !isApplied(1))
    #expect(try isApplied(0))
    #expect(try isApplied(1))
  }
}
