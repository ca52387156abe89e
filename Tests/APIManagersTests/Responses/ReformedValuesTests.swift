import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import APIManagers

@Suite(.timeLimit(.minutes(5))) @MainActor struct ReformedValuesTests {
  final class Counter { var runs = 0 }

  /// A reformer that counts its runs; equal to another one with the same number.
  struct Counted: Reformer, Hashable {
    let number: Int
    let counter: Counter

    static func == (left: Counted, right: Counted) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }

    func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> String {
      counter.runs += 1
      return "\(number): \(response.text ?? "")"
    }
  }

  let counter = Counter()

  func manager() -> APIManager<CondoList> {
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: .ok, bytes: Array("\(number)".utf8))
    }
    return APIManager(CondoList(), client: APIClient(dispatcher: dispatcher))
  }

  @Test("A9: A hashable reformer runs once per response, and each reformer has its own view")
  func once() async throws {
    let manager = manager()
    _ = try await manager.load(.response, for: Search())
    for _ in 1...3 {
      #expect(try manager.lastResponse(as: Counted(number: 1, counter: counter)) == "1: 1")
      #expect(try manager.lastResponse(as: Counted(number: 2, counter: counter)) == "2: 1")
    }
    #expect(counter.runs == 2)
    _ = try await manager.load(.response, for: Search())
    #expect(try manager.lastResponse(as: Counted(number: 1, counter: counter)) == "1: 2")
    #expect(counter.runs == 3)
    manager.clear()
    #expect(throws: APIError.self) { try manager.lastResponse(as: Counted(number: 1, counter: counter)) }
  }

  @Test("A reformer with an optional output runs although another reformer's output is kept")
  func optionalOutput() async throws {
    struct Title: Reformer, Hashable {
      func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> String? {
        response.text == "1" ? "first" : nil
      }
    }
    let manager = manager()
    _ = try await manager.load(.response, for: Search())
    _ = try manager.lastResponse(as: Counted(number: 1, counter: counter))
    for _ in 1...2 { #expect(try manager.lastResponse(as: Title()) == "first") }
    _ = try await manager.load(.response, for: Search())
    for _ in 1...2 { #expect(try manager.lastResponse(as: Title()) == nil) }
  }

  @Test("The number of outputs kept is limited, and the newest are kept")
  func limit() async throws {
    let manager = manager()
    _ = try await manager.load(.response, for: Search())
    let numbers = 0...ReformedValues.maximum
    for number in numbers { _ = try manager.lastResponse(as: Counted(number: number, counter: counter)) }
    _ = try manager.lastResponse(as: Counted(number: ReformedValues.maximum, counter: counter))
    #expect(counter.runs == numbers.count)
    _ = try manager.lastResponse(as: Counted(number: 0, counter: counter))
    #expect(counter.runs == numbers.count + 1)
  }

  @Test("Reformers are composed, also with the response and the manager, and keep the path of an error")
  func composing() throws {
    let response = APIResponse(
      api: Homes.identity, bytes: Array(#"{"homes": [{"id": 3, "askingPrice": 9}]}"#.utf8))
    let manager = ManagerIdentity(api: Homes.identity, name: "nearby")
    let homes = JSONReformer(Homes.Output.self)
    let count = homes.map(\.homes.count)
    #expect(try response.reformed(by: count, from: manager) == 1)
    let title = homes.map(\.homes).map { homes in "home \(homes.first?.id ?? 0)" }
    #expect(try response.reformed(by: title, from: manager) == "home 3")
    let broken = APIResponse(api: Homes.identity, bytes: Array(#"{"homes": [{"id": 3}]}"#.utf8))
    let error = #expect(throws: APIError.self) { try broken.reformed(by: title, from: manager) }
    #expect(error?.kind == .malformed(field: "homes[0].askingPrice"))
  }
}
