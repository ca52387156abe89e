import EstateNetwork
import Switchyard
import SwitchyardTesting
import Testing

@testable import EstateApp

@Suite("The app's hooks", .timeLimit(.minutes(5)))
@MainActor struct HooksTests {
  private struct Favourites: MembersAPI {
    static let endpoint = Endpoint<NoParams>(
      .estate, "favourites.list", path: "/favourites", acceptedStatuses: .membersAnswers)
  }

  private struct Held: API {
    struct Params: Encodable, Sendable {
      var city = ScriptedHouses.heldCity
    }
    static let endpoint = Endpoint<Params>(.estate, "houses.list", path: "/houses")
  }

  @Test("The busy indicator counts loads in flight, and forgets those of a released manager")
  func busy() async throws {
    let houses = ScriptedHouses()
    let busy = BusyIndicator()
    let client = APIClient(dispatcher: houses.dispatcher(), hooks: [busy])
    let manager = APIManager(Held(), client: client)
    let first = try #require(manager.load(Held.Params()).request)
    manager.load(Held.Params())
    #expect(busy.count == 2)
    manager.cancel(first)
    try await waitUntil("one load is left") { busy.count == 1 }

    var released: APIManager<Held>? = APIManager(Held(), client: client)
    released?.load(Held.Params())
    #expect(busy.count == 2)
    released = nil
    try await waitUntil("one load is left") { busy.count == 1 }
    manager.cancelAll()
    try await waitUntil("no load is left") { busy.count == 0 }
    #expect(busy.peak == 2)
  }

  @Test("A session that ended on the server leads to one login question, for any number of failed loads")
  func loginQuestion() async throws {
    let question = LoginQuestion()
    let questions = Count()
    question.ask = {
      questions.value += 1
      return true
    }
    let client = APIClient(
      dispatcher: ScriptedDispatcher(answering: Response(status: .unauthorized)), hooks: [question.hooks])
    #expect(await question.answer() == nil)
    for _ in 0..<2 {
      let failure = await #expect(throws: APIError.self) {
        try await APIManager(Favourites(), client: client).load(.response)
      }
      #expect(failure?.kind == .needsLogin)
    }
    #expect(await question.answer() == true)
    #expect(questions.value == 1)
    #expect(await question.answer() == nil)
  }

  @Test("A failure is noted until its API succeeds, and a cancelled load is not noted")
  func notes() async throws {
    let notes = LoadNotes()
    let client = APIClient(
      dispatcher: ScriptedDispatcher { _, number throws(NetworkError) in
        if number == 1 { throw NetworkError(.cancelled(.task), "The request was cancelled.") }
        return Response(status: number == 2 ? .notFound : .ok, bytes: Array("[]".utf8))
      }, hooks: [notes])
    let manager = APIManager(Held(), client: client)
    for expected in [0, 1, 1] {
      _ = try? await manager.load(.response, for: Held.Params())
      #expect(notes.lines.count == expected)
    }
    #expect(notes.lines.first?.hasPrefix("The last answer: estate/houses.list, 2 bytes") == true)
  }
}
