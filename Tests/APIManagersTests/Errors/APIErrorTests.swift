import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct APIErrorTests {
  func failed(_ dispatcher: ScriptedDispatcher) async throws -> APIError {
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: dispatcher))
    return try #require(
      await failure { () async throws(APIError) in try await manager.load(.response, for: Search()) })
  }

  @Test(
    "A status that is not accepted keeps the body and names a remedy",
    arguments: [
      (401, "log in again"), (403, "permission"), (404, "doesn't exist"), (429, "wait, and try again"),
      (503, "wait, and try again"),
      (500, "report it"), (302, "is a redirect"), (418, "the response's body"),
    ])
  func status(code: Int, remedy: String) async throws {
    let failure = try await failed(
      ScriptedDispatcher(
        answering: Response(status: HTTPResponse.Status(code: code), bytes: Array("why".utf8))))
    #expect(failure.kind == .status(code))
    #expect(failure.response?.text == "why")
    #expect(failure.description.hasPrefix("estate/condos.list: The server responded with \(code)"))
    #expect(failure.description.contains(remedy))
    #expect(failure.cause == nil)
  }

  @Test(
    "A refusal names what the interceptor of credentials knows of it, instead of a login",
    arguments: [401, 403], [Exchange.CredentialUse.sent(remedy: "do this"), .notSent(remedy: "do this")])
  func refusal(code: Int, use: Exchange.CredentialUse) async throws {
    var response = Response(status: HTTPResponse.Status(code: code))
    response.credentialUse = use
    let failure = try await failed(ScriptedDispatcher(answering: response))
    #expect(failure.reason.hasSuffix(": do this."))
    #expect(failure.kind == .status(code))
  }

  @Test("A status names the request without its query, its attempts, and why it was not sent again")
  func attempts() async throws {
    let failure = try await failed(
      ScriptedDispatcher(
        answering: Response(
          HTTPResponse(status: .serviceUnavailable), body: .empty,
          exchange: Exchange(attempts: 3, retryRefusal: .budgetSpent))))
    #expect(
      failure.description.hasSuffix(
        " [GET https://api.estate.example/v2/condos, attempt 3; not sent again: the origin has had as many retries "
          + "as its budget allows for now]"))
    #expect(!failure.reason.contains("https://"))
  }

  @Test("Content that cannot be decoded names the request, for a client, a manager and a transfer")
  func content() async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .ok, bytes: Array("[1,".utf8)))
    let client = APIClient(dispatcher: dispatcher)
    let note = " [GET https://api.estate.example/v2/count]"
    let loaded = try #require(
      await failure { () async throws(APIError) in try await client.load(Counting()) })
    #expect(loaded.kind == .malformed(field: nil) && loaded.description.hasSuffix(note))
    let manager = APIManager(Counting(), client: client)
    let output = try #require(await failure { () async throws(APIError) in try await manager.load(.output) })
    #expect(output.description.hasSuffix(note))
    let refused = APIClient(dispatcher: ScriptedDispatcher(answering: Response(status: .notFound)))
    let streamed = try #require(
      await failure { () async throws(APIError) in try await refused.stream(Counting(), NoParams()) })
    #expect(streamed.kind == .status(404) && streamed.description.hasSuffix(note))
  }

  @Test("A printed response names its API, and has no content")
  func printed() async throws {
    let response = APIResponse(
      api: APIIdentity(service: "estate", name: "count"), headerFields: [.contentType: "application/json"],
      bytes: Array("s3cret".utf8))
    #expect("\(response)" == "estate/count: 200 OK, application/json, 6 bytes")
    var dumped = ""
    dump(response, to: &dumped)
    #expect(!dumped.contains("s3cret"))
  }

  @Test(
    "A 400 or 415 names the coding of the request's body, if it had one",
    arguments: [(400, true), (415, true), (404, false), (500, false)])
  func requestCoding(code: Int, isNamed: Bool) async throws {
    for coding in [ContentCoding.brotli, nil] {
      let failure = try await failed(
        ScriptedDispatcher(
          answering: Response(
            HTTPResponse(status: HTTPResponse.Status(code: code)), body: .empty,
            exchange: Exchange(attempts: 1, requestCoding: coding))))
      let sentence = "the body was sent with the content coding \"br\""
      #expect(failure.description.contains(sentence) == (isNamed && coding != nil))
    }
  }

  @Test("A17: Every failure has its own kind, and a sentence that names the API")
  func kinds() async throws {
    let fresh = APIManager(HouseList(), client: APIClient(dispatcher: ScriptedDispatcher()))
    #expect(fresh.lastResponse == nil)
    #expect(fresh.lastError == nil)
    var kinds: Set<APIError.Kind> = []
    for ending in AsyncFormTests.endings {
      let failure = await failure { () async throws(APIError) in
        try await AsyncFormTests().manager(ending).load(.response, for: ending.params)
      }
      #expect(failure?.kind == ending.kind)
      guard let failure else { continue }
      kinds.insert(failure.kind)
      #expect(failure.description.hasPrefix("estate/houses.list: "))
      #expect(failure.reason.hasSuffix("."))
    }
    #expect(
      kinds.isSuperset(of: [
        .needsToken, .needsLogin, .loginCancelled, .noContent, .invalidResponse,
        .invalidParams(field: "city"),
        .timeout(.whole), .offline, .cancelled, .downgraded, .status(404), .tls(.expired), .dns,
        .vetoed(by: "Gate"), .network(.connect), .network(.rejected),
      ]))
  }

  @Test("A17: Malformed content, a refused second request and a missing response have kinds of their own")
  func furtherKinds() async throws {
    let gate = Gate()
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      if request.context.api == Refresh.identity { try await gate.pass(request) }
      return Response(status: .ok, bytes: Array("{}".utf8))
    }
    let client = APIClient(dispatcher: dispatcher)
    let homes = APIManager(Homes(), client: client)
    #expect {
      try homes.lastResponse(as: JSONReformer(Homes.Output.self))
    } throws: {
      ($0 as? APIError)?.kind == .noResponse
    }
    let malformed = await failure { () async throws(APIError) in try await homes.load(.output, for: Search())
    }
    #expect(malformed?.kind == .malformed(field: "homes"))
    let refresh = APIManager(Refresh(), client: client)
    let flying = try #require(refresh.load(Search(page: 1)).request)
    let second = await failure { () async throws(APIError) in
      try await refresh.load(.response, for: Search(page: 2))
    }
    #expect(second?.kind == .ignored(inFlight: flying))
  }

  @Test("The chain's error is kept with all its properties")
  func chainsError() async throws {
    struct Why: Error {}
    let error = NetworkError(
      .timeout(.firstByte), "No byte came within 3 s.", requestMayHaveBeenProcessed: true, underlying: Why(),
      attempt: 2)
    let failure = try await failed(ScriptedDispatcher(failing: error))
    #expect(failure.kind == .timeout(.firstByte))
    #expect(failure.cause?.attempt == 2)
    #expect(failure.cause?.requestMayHaveBeenProcessed == true)
    #expect(failure.underlying is Why)
    #expect(
      failure.description
        == "estate/condos.list: The request timed out: No byte came within 3 s. [GET "
        + "https://api.estate.example/v2/condos, attempt 2]")
  }

  /// An error whose description has a secret.
  struct Revealing: Error, CustomStringConvertible {
    var description: String { "token=correct-horse" }
  }

  @Test("The text of an error that an API throws is not repeated, and the error is kept")
  func conversion() async throws {
    struct Broken: API {
      typealias Output = Int
      static let endpoint = Endpoint<NoParams>(.estate, "broken", path: "/broken")
      func output(from response: APIResponse) throws -> Int { throw Revealing() }
    }
    let manager = APIManager(Broken(), client: APIClient(dispatcher: ScriptedDispatcher()))
    let error = try #require(
      await failure { () async throws(APIError) in try await manager.load(.output) })
    #expect(error.kind == .malformed(field: nil))
    #expect(error.reason.contains("Broken") && error.reason.contains("Revealing"))
    #expect(!"\(error)".contains("correct-horse"))
    #expect(error.underlying is Revealing)
  }

  @Test("The text of an error that params throw while they are encoded is not repeated")
  func encoding() async throws {
    struct Sealed: API {
      struct Params: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws { throw Revealing() }
      }
      static let endpoint = Endpoint<Params>(
        .estate, "sealed", method: .post, path: "/sealed", encoding: .json)
    }
    let manager = APIManager(Sealed(), client: APIClient(dispatcher: ScriptedDispatcher()))
    let error = try #require(
      await failure { () async throws(APIError) in try await manager.load(.response, for: Sealed.Params()) })
    #expect(error.kind == .invalidParams(field: nil))
    #expect(error.reason.contains("Revealing") && !error.reason.contains("correct-horse"))
    let form = Endpoint<Sealed.Params>(.estate, "sealed", path: "/sealed")
    let query = #expect(throws: ParamsError.self) {
      try form.request(for: Sealed.Params(), at: ServiceAddress(authority: "api.test"))
    }
    #expect(query?.reason.contains("Revealing") == true && !"\(String(describing: query))".contains("horse"))
  }

  @Test("A body longer than the endpoint allows is a failure, even if it is streamed")
  func tooLong() async throws {
    struct Short: API {
      static let endpoint = Endpoint<NoParams>(
        .estate, "short", path: "/short", options: RequestOptions(delivery: .buffered(upTo: 4)))
    }
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      Response(
        HTTPResponse(status: .ok),
        body: .stream(BodyStream(length: nil, ScriptedByteSource([[1, 2, 3], [4, 5, 6]]))))
    }
    let manager = APIManager(Short(), client: APIClient(dispatcher: dispatcher))
    let failure = await failure { () async throws(APIError) in try await manager.load(.response) }
    #expect(failure?.kind == .network(.bodyTooLarge(limit: 4)))
  }
}

private struct Counting: API {
  static let endpoint = Endpoint<NoParams>(.estate, "count", path: "/count")
  typealias Output = Int
}
