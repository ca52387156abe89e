import APIManagers
import BodyFormats
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("APIClient loading", .timeLimit(.minutes(5))) struct APIClientLoadingTests {
  static func client(_ text: String, status: HTTPResponse.Status = .ok) -> APIClient {
    APIClient(dispatcher: ScriptedDispatcher(answering: Response(status: status, bytes: Array(text.utf8))))
  }

  static func failure<A: API>(
    _ client: APIClient, _ api: A, _ params: A.Params
  ) async -> APIError? {
    do throws(APIError) {
      _ = try await client.load(api, params)
      return nil
    } catch {
      return error
    }
  }

  actor Agent {
    let client: APIClient
    private(set) var homes: [Home] = []

    init(client: APIClient) { self.client = client }

    func search() async throws { homes = try await client.load(Homes(), Search()).homes }
  }

  @Test("H6: An API with a typed output is loaded from an actor, the main actor and no actor")
  func anyActor() async throws {
    let client = Self.client(Homes.oneHome)
    let home = Home(id: 42, askingPrice: 250_000)
    let agent = Agent(client: client)
    try await agent.search()
    #expect(await agent.homes == [home])
    let onMain = try await Task { @MainActor in try await client.load(Homes(), Search()).homes }.value
    #expect(onMain == [home])
    #expect(try await client.load(Homes(), Search()) == Homes.Output(homes: [home]))
  }

  @Test("An API without an output gives the response as received, also without params")
  func rawData() async throws {
    let response = try await Self.client("sunny").load(Forecast())
    #expect(response.text == "sunny")
    #expect(response.api == Forecast.identity)
  }

  @Test("An API can read its output from the header fields and the content by itself")
  func ownOutput() async throws {
    struct Count: API {
      static let endpoint = Endpoint<NoParams>(.estate, "count", path: "/count")
      func output(from response: APIResponse) throws -> Int {
        guard let text = response.text, let count = Int(text) else {
          throw DecodingMismatchError("The response should be a number.")
        }
        return count
      }
    }
    #expect(try await Self.client("7").load(Count()) == 7)
    let error = await Self.failure(Self.client("seven"), Count(), NoParams())
    #expect(error?.kind == .malformed(field: nil))
    #expect(
      error?.description
        == "estate/count: The response should be a number. [GET https://api.estate.example/v2/count]")
  }

  @Test(
    "Content of a wrong form is an error with the path to the field",
    arguments: [
      (#"{"homes": [{"id": 1, "askingPrice": 2}, {"id": "x", "askingPrice": 2}]}"#, .mismatch, "homes[1].id"),
      (#"{"homes": [{"id": 1.5, "askingPrice": 2}]}"#, .mismatch, "homes[0].id"),
      (#"{"homes": [{"id": null, "askingPrice": 2}]}"#, .mismatch, "homes[0].id"),
      (#"{"homes": [{"id": 1, "askingPrice": 2, "id": 3}]}"#, .duplicateKey, "homes[0].id"),
      (#"{"homes": [{"id": 1}]}"#, .missing, "homes[0].askingPrice"), ("{}", .missing, "homes"),
      ("", .empty, nil), ("<html>", .malformed, nil), (#"{"homes": [{"id": 1, "askingPr"#, .malformed, nil),
    ] as [(String, BodyDecodingError.Kind, String?)])
  func malformed(text: String, kind: BodyDecodingError.Kind, field: String?) async throws {
    let error = try #require(await Self.failure(Self.client(text), Homes(), Search()))
    #expect(error.kind == .malformed(field: field))
    #expect((error.underlying as? BodyDecodingError)?.kind == kind)
    #expect(error.response?.text == text)
    #expect(error.failureBody(of: Homes.self) == nil)
    #expect(error.reason.utf8.count < 200)
  }

  @Test(
    "Content nested 10,000 levels deep is refused before it is decoded, also as a failure body",
    arguments: ["[", #"{"homes": [{"a":"#, #"{"a":"#])
  func nesting(level: String) async throws {
    let text = String(repeating: level, count: 10_000)
    let error = try #require(await Self.failure(Self.client(text), Homes(), Search()))
    #expect((error.underlying as? BodyDecodingError)?.kind == .tooDeep(limit: 128))
    guard case .malformed(let field?) = error.kind else {
      Issue.record("\(error.kind)")
      return
    }
    #expect(field.utf8.count < 256 && error.reason.utf8.count < 200)
    #expect(error.failureBody(of: Homes.self) == nil)
  }

  @Test("A failed response's content is decoded as the API's failure type, whatever rejected it")
  func failureBody() async throws {
    let text = #"{"code": 7, "message": "The city is closed."}"#
    let body = Homes.Failure(code: 7, message: "The city is closed.")
    let refused = try #require(
      await Self.failure(Self.client(text, status: .unprocessableContent), Homes(), Search()))
    #expect(refused.kind == .status(422))
    #expect(refused.failureBody(of: Homes.self) == body)
    #expect(refused.failureBody(of: Forecast.self) == nil)

    // The status is 200 with an error inside: the output lacks its field.
    let inside = try #require(await Self.failure(Self.client(text), Homes(), Search()))
    #expect(inside.kind == .malformed(field: "homes"))
    #expect(inside.failureBody(of: Homes.self) == body)

    let other = try #require(await Self.failure(Self.client("down", status: .badGateway), Homes(), Search()))
    #expect(other.failureBody(of: Homes.self) == nil)
    #expect(other.response?.text == "down")
  }

  @Test("Keys and dates have the format of the endpoint, or else that of the service")
  func formats() async throws {
    struct Visit: Codable, Sendable, Equatable { var openHouses: Int }
    struct Added: API {
      typealias Output = Visit
      static let endpoint = Endpoint<Visit>(
        Service("s", at: ServiceAddress(authority: "s.example"), jsonFormat: JSONCoding(usesSnakeCase: true)),
        "visits.add", method: .post, path: "/visits")
    }
    struct Plain: API {
      typealias Output = Visit
      static let endpoint = Endpoint<Visit>(
        Added.endpoint.service, "visits.plain", method: .post, path: "/visits", jsonFormat: JSONCoding())
    }
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      Response(status: .ok, bytes: request.body.bytes ?? [])
    }
    let client = APIClient(dispatcher: dispatcher)
    #expect(try await client.load(Added(), Visit(openHouses: 2)) == Visit(openHouses: 2))
    #expect(try await client.load(Plain(), Visit(openHouses: 3)) == Visit(openHouses: 3))
    let bodies = dispatcher.requests.map { String(decoding: $0.body.bytes ?? [], as: UTF8.self) }
    #expect(bodies == [#"{"open_houses":2}"#, #"{"openHouses":3}"#])
  }

  @Test("Invalid params, a downgrade and a missing network are refused before anything is sent")
  func refusals() async {
    let dispatcher = ScriptedDispatcher()
    let client = APIClient(dispatcher: dispatcher)
    let invalid = await Self.failure(client, HouseList(), Search(city: ""))
    #expect(invalid?.kind == .invalidParams(field: "city"))
    client.reachability.update(.offline)
    #expect(await Self.failure(client, CondoList(), Search())?.kind == .offline)
    client.downgrades.switchOff(CondoList.identity, because: "Later.")
    let downgraded = await Self.failure(client, CondoList(), Search())
    #expect(downgraded?.kind == .downgraded)
    #expect(downgraded?.reason == "Later.")
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("Offline, an API that caches uses stored responses only, and in its mode otherwise")
  func cacheModes() async throws {
    let dispatcher = ScriptedDispatcher(
      answering: Response(status: .ok, bytes: Array(Homes.oneHome.utf8)))
    let client = APIClient(dispatcher: dispatcher, storedState: { _ in .fresh })
    _ = try await client.load(CachedHomes(), Search(), cacheMode: .reload)
    client.reachability.update(.offline)
    _ = try await client.load(CachedHomes(), Search())
    #expect(dispatcher.requests.map(\.context.cacheRule.mode) == [.reload, .onlyStored])
  }

  @Test("The cache is asked before a request is sent only if the outcome or the lack of a network needs it")
  @MainActor func asksCacheBefore() async throws {
    let dispatcher = ScriptedDispatcher(
      answering: Response(status: .ok, bytes: Array(Homes.oneHome.utf8)))
    let asked = WaitableValue(0)
    let client = APIClient(
      dispatcher: dispatcher,
      storedState: { _ in
        asked.update { $0 += 1 }
        return .fresh
      })
    let manager = APIManager(CachedHomes(), client: client)
    _ = try await client.load(CachedHomes(), Search())
    _ = try await manager.load(.output, for: Search())
    #expect(asked.value == 0)
    let outcome = manager.load(Search())
    #expect(outcome == .cached(try #require(outcome.request)))
    #expect(asked.value == 1)
    client.reachability.update(.offline)
    _ = try await client.load(CachedHomes(), Search())
    _ = try await manager.load(.output, for: Search())
    #expect(asked.value == 3)
  }

  @Test("A response that cannot be decoded must not be stored; one that can is validated and decoded once")
  func storage() async throws {
    final class Counter: Sendable {
      let validations = WaitableValue(0)
      let decodings = WaitableValue(0)
    }
    struct Counted: API {
      let counter: Counter
      static let endpoint = CachedHomes.endpoint
      func validate(_ response: APIResponse) throws(ResponseError) {
        counter.validations.update { $0 += 1 }
      }
      func output(from response: APIResponse) throws -> Homes.Output {
        counter.decodings.update { $0 += 1 }
        return try response.json(as: Homes.Output.self)
      }
    }
    // Stands for a cache: asks whether the response may be stored, and returns it.
    let permitted = WaitableValue<[Bool]>([])
    let bytes = WaitableValue(Array(Homes.oneHome.utf8))
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      var response = Response(HTTPResponse(status: .ok), body: .bytes(bytes.value))
      let permits = request.context.storageCheck?.permits(&response) ?? false
      permitted.update { $0.append(permits) }
      return response
    }
    let counter = Counter()
    let client = APIClient(dispatcher: dispatcher)
    let output = try await client.load(Counted(counter: counter), Search())
    #expect(output.homes.count == 1)
    #expect(counter.validations.value == 1)
    #expect(counter.decodings.value == 1)
    bytes.update { $0 = Array("{}".utf8) }
    let error = await Self.failure(client, Counted(counter: counter), Search())
    #expect(error?.kind == .malformed(field: "homes"))
    #expect(permitted.value == [true, false])
  }

  @Test("A14: Cancelling the caller's task ends its load as cancelled, and a cancelled task sends nothing")
  func cancellation() async throws {
    let gate = Gate()
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      try await gate.pass(request)
      return Response(status: .ok)
    }
    let client = APIClient(dispatcher: dispatcher)
    let caller = Task { await Self.failure(client, CondoList(), Search()) }
    try await gate.waitForHeld(1)
    caller.cancel()
    #expect(await caller.value?.kind == .cancelled)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await Self.failure(client, CondoList(), Search())
    }
    #expect(await late.value?.kind == .cancelled)
    #expect(dispatcher.requests.count == 1)
  }
}
