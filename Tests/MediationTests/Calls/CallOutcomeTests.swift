import Mediation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct CallOutcomeTests {
  private struct Broken: Error {}

  private final class Deed: Sendable {}

  private struct DeedRoute: ParameterlessRoute {
    typealias Output = Deed
    static let pattern: RoutePattern = "estate://deed"
  }

  /// Returns a mediator whose price route behaves according to the id.
  private static func mediator(_ journal: Journal = Journal()) throws -> Mediator {
    let module = TestModule { table in
      table.action(
        PriceRoute.self,
        guards: [
          TestGuard("luck") { $1.wantsResult && $0.parameters["id"] == "13" ? .reject("no") : .proceed }
        ]
      ) { route, context in
        context.report("begun")
        switch route.id {
        case 0: throw Broken()
        case -1: throw RouteError.dismissed
        case -2: throw RouteError.cancelled
        default: return route.id
        }
      }
      table.action(HouseRoute.self) { _, _ in }
      table.action(LedgerRoute.self) { _, _ in "ledger" }
      table.action(MapRoute.self) { route, context in
        for step in 1...3 { context.report(step) }
        return route.transform("map")
      }
    }
    return try Mediator(schemes: ["estate"], modules: [module], observers: [journal])
  }

  @Test(
    "F10: unknown, forbidden, refused, failed, dismissed, cancelled and wrong type are distinct errors",
    arguments: [
      ("estate://nowhere", "notFound"), ("estate://ledger", "forbidden"),
      ("estate://price?id=13", "rejected luck"),
      ("estate://price?id=0", "failed"), ("estate://price?id=-1", "dismissed"),
      ("estate://price?id=-2", "cancelled"), ("estate://home/1", "resultMismatch Int ()"),
      ("estate://price", "parameter id \(RouteError.ParameterFault.missing)"),
      ("estate://price?id=%", "malformedURL"),
    ])
  func outcomes(_ url: String, _ expected: String) async throws {
    let mediator = try Self.mediator()
    #expect(
      await errorName { () throws(RouteError) in _ = try await mediator.open(url, returning: Int.self) }
        == expected)
  }

  @Test(
    "F9: without a reachable route or a result of the type, a caller's default is returned; a refusal is an error",
    arguments: [
      ("estate://price?id=7", 7, nil), ("estate://nowhere", -100, nil), ("estate://ledger", -100, nil),
      ("estate://home/1", -100, nil),
      ("estate://price?id=13", nil, "rejected luck"), ("estate://price?id=0", nil, "failed"),
      ("estate://price?id=-1", nil, "dismissed"), ("estate://price?id=-2", nil, "cancelled"),
      ("estate://price?id=x", nil, "parameter id \(RouteError.ParameterFault.notOfKind(.int))"),
    ] as [(String, Int?, String?)])
  func fallbackValue(_ url: String, _ expected: Int?, _ failure: String?) async throws {
    let mediator = try Self.mediator()
    var answer: Int?
    let name = await errorName { () throws(RouteError) in
      answer = try await mediator.open(url, returning: Int.self, else: -100)
    }
    #expect(answer == expected)
    #expect(name == failure)
  }

  @Test("F10: a result is nothing, a value or an object, and can come later")
  func results() async throws {
    let deed = Deed()
    let (begun, gate) = (Gate(), Gate())
    let module = TestModule { table in
      table.action(HouseRoute.self) { _, _ in }
      table.action(PriceRoute.self) { route, _ in route.id }
      table.action(DeedRoute.self) { _, _ in deed }
      table.action(LoginRoute.self) { _, _ in
        begun.open()
        await gate.wait()
        return true
      }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    try await mediator.open("estate://home/1", returning: Void.self)
    #expect(try await mediator.open("estate://price?id=7", returning: Int.self) == 7)
    #expect(try await mediator.open("estate://deed", returning: Deed.self) === deed)
    async let agreed = mediator.open("estate://login", returning: Bool.self)
    await begun.wait()
    gate.open()
    #expect(try await agreed)
  }

  @Test("F9: a result of another type gives the caller's default, which is evaluated only then")
  func wrongType() async throws {
    let mediator = try Self.mediator()
    let asked = Mutex(0)
    func own() -> String {
      asked.withLock { $0 += 1 }
      return "own"
    }
    #expect(try await mediator.open("estate://price?id=7", returning: String.self, else: own()) == "own")
    #expect(try await mediator.open("estate://price?id=7", returning: Int.self, else: own().count) == 7)
    #expect(asked.withLock { $0 } == 1)
  }

  @Test(
    "F4: an external call to a native route fails with an error",
    arguments: [
      "estate://MapRoute", "estate://nativeMapRoute", "estate://Homes/nativeMapRoute",
      "estate://Homes/MapRoute",
      "estate://homes/nativeMapRoute?transform=x",
      "estate://MapRoute?kCTMediatorParamsKeySwiftTargetModuleName=Homes",
      "estate://ledger", "estate://price?id=1",
    ])
  func native(_ url: String) async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    let error = await #expect(throws: RouteError.self) {
      try await mediator.receive(url, from: .scheme("estate"))
    }
    guard case .notFound(url, nil, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(journal.lines.count == 1 && journal.lines[0].hasPrefix("failed"))
    #expect(!mediator.canOpen(url, origin: .external(.scheme("estate"))))
    // Code in the app can call the same action.
    #expect(try await mediator.call(MapRoute { $0 + "!" }) == "map!")
  }

  @Test("F3: a call by type passes closures and receives progress of any type; one by URL passes texts only")
  func progress() async throws {
    let heard = Journal()
    let mediator = try Self.mediator()
    let answer = try await mediator.call(MapRoute { $0.uppercased() }) { heard.note("\($0)") }
    #expect(answer == "MAP")
    #expect(heard.lines == ["1", "2", "3"])
    #expect(try await mediator.open("estate://price?id=7", returning: Int.self) == 7)
    #expect(try mediator.resolve("estate://price?id=7").parameters == ["id": "7"])
    #expect(
      await errorName { () throws(RouteError) in
        _ = try await mediator.open("estate://MapRoute?transform=uppercased", returning: String.self)
      } == "notFound")
    _ = try await mediator.call(PriceRoute(id: 1)) { heard.note("\($0)") }
    #expect(heard.lines.last == "begun")
    // Reports without a listener are ignored.
    _ = try await mediator.call(PriceRoute(id: 1))
  }

  @Test("Cancelling the caller ends the call")
  func cancelled() async throws {
    let begun = Gate()
    let module = TestModule { table in
      table.action(LoginRoute.self) { _, _ in
        begun.open()
        let never = Gate()
        await withTaskCancellationHandler {
          await never.wait()
        } onCancel: {
          never.open()
        }
        try Task.checkCancellation()
        return true
      }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    let call = Task { await errorName { () throws(RouteError) in _ = try await mediator.call(LoginRoute()) } }
    await begun.wait()
    call.cancel()
    #expect(await call.value == "cancelled")
  }
}
