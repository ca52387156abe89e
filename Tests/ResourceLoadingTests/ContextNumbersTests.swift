import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import ResourceLoading

/// A value whose comparison and whose end are the code of an app.
private final class Talkative: Sendable, Equatable {
  let name: String
  let isSteady: Bool
  let ask: @Sendable () -> Void

  init(_ name: String, isSteady: Bool = true, _ ask: @escaping @Sendable () -> Void = {}) {
    (self.name, self.isSteady, self.ask) = (name, isSteady, ask)
  }

  deinit { ask() }

  static func == (left: Talkative, right: Talkative) -> Bool {
    left.ask()
    // One that isn't steady is equal to itself alone.
    return left === right || left.isSteady && left.name == right.name
  }
}

private enum TalkativeKey: ContextKey { static let defaultValue: Talkative? = nil }

@Suite(.timeLimit(.minutes(5))) struct ContextNumbersTests {
  private static func context(_ name: String) -> RequestContext {
    var context = RequestContext()
    context[TalkativeKey.self] = Talkative(name)
    return context
  }

  @Test("Equal values have the same number, others another one, and none have 0")
  func numbers() {
    let numbers = ContextNumbers()
    let first = ["a", "b", "a"].map { numbers.number(of: Self.context($0)) }
    #expect(first[0] == first[2] && first[0] != first[1] && !first.contains(0))
    #expect(numbers.number(of: RequestContext()) == 0 && numbers.count == 2)
    numbers.removeAll()
    #expect(numbers.count == 0 && !first.contains(numbers.number(of: Self.context("a"))))
  }

  @Test("Only the contexts that were used last are remembered, and a number is never used again")
  func bound() {
    let numbers = ContextNumbers()
    let first = numbers.number(of: Self.context("first"))
    var all: Set = [first]
    for name in 0..<500 {
      all.insert(numbers.number(of: Self.context("\(name)")))
      #expect(numbers.number(of: Self.context("first")) == first, "It was used")
    }
    #expect(all.count == 501 && numbers.count == ContextNumbers.limit)
    #expect(!all.contains(numbers.number(of: Self.context("0"))))
  }

  @Test("Equal values that arrive at the same time have the same number")
  func races() async {
    let numbers = ContextNumbers()
    let found = await withTaskGroup { group in
      for index in 0..<200 {
        let name = index % 10
        group.addTask { (name, numbers.number(of: Self.context("\(name)"))) }
      }
      return await group.reduce(into: [:]) { $0[$1.0, default: Set<UInt64>()].insert($1.1) }
    }
    #expect(found.count == 10 && found.values.allSatisfy { $0.count == 1 } && numbers.count == 10)
  }

  private static func request(_ number: Int, _ value: Talkative) -> Request {
    var request = PictureServer.request(number)
    request.context[TalkativeKey.self] = value
    return request
  }

  @Test(
    "Values whose comparison and whose end ask the loader, and answer differently, cause no deadlock",
    arguments: [true, false])
  func talkativeValues(_ isSteady: Bool) async throws {
    let server = PictureServer()
    let loader = ResourceLoader(
      over: server, decoder: PictureDecoder(), limits: ResourceLimits(decodedBytes: 20_000))
    let asked = Atomic(0)
    let ask: @Sendable () -> Void = { [weak loader] in
      guard let loader else { return }
      _ = loader.statistics
      _ = loader.placeholder(for: PictureServer.request("other"))
      asked.add(1, ordering: .relaxed)
    }
    for number in 0..<50 {
      for _ in 0..<2 {
        let request = Self.request(number, Talkative("a", isSteady: isSteady, ask))
        #expect(try await loader.load(request).name == "\(number)")
      }
    }
    #expect(server.paths.count == (isSteady ? 50 : 100))
    // These are released by the loader alone.
    loader.prefetch((0..<200).map { Self.request($0, Talkative("\($0)", isSteady: isSteady, ask)) })
    loader.cancelPrefetches(of: (0..<200).map { Self.request($0, Talkative("\($0)", ask)) })
    loader.removeValues()
    loader.removeAll()
    #expect(asked.load(ordering: .relaxed) > 100 && loader.statistics.decodedBytes <= 20_000)
  }
}
