import Interception
import SwitchyardTesting
import Testing

@testable import RequestFlights

/// A waiting request without a task.
private final class Waiter {}

private typealias Table = FlightTable<Waiter, String>

@Suite struct FlightTableTests {
  private static func key(
    _ path: String = "/", _ priority: RequestOptions.Priority = .normal
  ) throws -> FlightKey {
    var request = Request(authority: "estate.example", path: path)
    request.options.priority = priority
    return try #require(FlightKey(request) { _ in false })
  }

  private static func started(_ entry: Table.Entry) -> Table.FlightID? {
    if case .start(let id) = entry { id } else { nil }
  }

  private static func candidate(_ entry: Table.Entry) -> Table.FlightID? {
    if case .candidate(let id, _) = entry { id } else { nil }
  }

  private static func hasJoined(_ joining: Table.Joining) -> Bool {
    if case .joined = joining { true } else { false }
  }

  @Test("The first request starts a flight, an equal one joins it, a different one starts another")
  func joining() throws {
    var table = Table()
    let waiters = (0..<3).map { _ in Waiter() }
    let flight = try #require(Self.started(table.enter(waiters[0], try Self.key())))
    #expect(Self.candidate(table.enter(waiters[1], try Self.key())) == flight)
    #expect(Self.hasJoined(table.join(waiters[1], flight, priority: .medium)))
    let other = try #require(Self.started(table.enter(waiters[2], try Self.key("/other"))))
    #expect(other != flight)
    #expect(table.count == 2)
    #expect(table.land(flight).map(ObjectIdentifier.init) == waiters[..<2].map(ObjectIdentifier.init))
    #expect(table.land(other).count == 1)
    #expect(table.count == 0)
  }

  @Test("A flight has the highest task priority of the requests that joined")
  func joinedPriorities() throws {
    var table = Table()
    let flight = try #require(Self.started(table.enter(Waiter(), try Self.key())))
    #expect(table.joinedPriority(of: flight) == nil)
    for priority in [TaskPriority.low, .high, .medium] {
      #expect(Self.hasJoined(table.join(Waiter(), flight, priority: priority)))
    }
    #expect(table.joinedPriority(of: flight) == .high)
    #expect(table.land(flight).count == 4)
    #expect(table.joinedPriority(of: flight) == nil)
  }

  @Test("A flight that has landed is not joined")
  func landed() throws {
    var table = Table()
    let flight = try #require(Self.started(table.enter(Waiter(), try Self.key())))
    #expect(table.land(flight).count == 1)
    #expect(!Self.hasJoined(table.join(Waiter(), flight, priority: .medium)))
    #expect(table.store("task", of: flight) == false)
    #expect(table.land(flight).isEmpty)
    #expect(Self.started(table.enter(Waiter(), try Self.key())) != nil)
  }

  @Test("Only the last request that leaves cancels the flight, which is then not joined")
  func leaving() throws {
    var table = Table()
    let (first, second) = (Waiter(), Waiter())
    let flight = try #require(Self.started(table.enter(first, try Self.key())))
    #expect(table.store("task", of: flight) == true)
    #expect(Self.hasJoined(table.join(second, flight, priority: .medium)))
    #expect(table.leave(first, flight) == nil)
    #expect(table.leave(first, flight) == nil, "A request that has left can't leave again")
    #expect(table.leave(second, flight) == "task")
    #expect(table.count == 0)
    #expect(!Self.hasJoined(table.join(Waiter(), flight, priority: .medium)))
    #expect(Self.started(table.enter(Waiter(), try Self.key())) != nil)
    #expect(table.land(flight).isEmpty)
    #expect(table.count == 1)
  }

  @Test("A closed flight is not joined, and lands with the requests that wait for it")
  func closing() throws {
    var table = Table()
    let flight = try #require(Self.started(table.enter(Waiter(), try Self.key())))
    #expect(Self.hasJoined(table.join(Waiter(), flight, priority: .medium)))
    #expect(table.close(flight) == 2)
    #expect(!Self.hasJoined(table.join(Waiter(), flight, priority: .medium)))
    let next = try #require(Self.started(table.enter(Waiter(), try Self.key())))
    table.closeAll()
    #expect(!Self.hasJoined(table.join(Waiter(), next, priority: .medium)))
    #expect(Self.started(table.enter(Waiter(), try Self.key())) != nil)
    #expect(table.land(flight).count == 2)
    #expect(table.land(next).count == 1)
    #expect(table.close(flight) == 0)
  }

  @Test("A flight of a lower priority is not joined, one of a higher priority is")
  func priorities() throws {
    var table = Table()
    let low = try #require(Self.started(table.enter(Waiter(), try Self.key("/", .low))))
    let high = try #require(Self.started(table.enter(Waiter(), try Self.key("/", .high))))
    #expect(Self.candidate(table.enter(Waiter(), try Self.key("/", .normal))) == high)
    #expect(Self.candidate(table.enter(Waiter(), try Self.key("/", .high))) == high)
    #expect(Self.candidate(table.enter(Waiter(), try Self.key("/", .low))) == low)
    #expect(table.land(low).count == 1)
    #expect(Self.candidate(table.enter(Waiter(), try Self.key("/", .low))) == high)
  }

  @Test("A rejected flight is passed over; the next one is a candidate, or a new one starts")
  func rejecting() throws {
    var table = Table()
    let first = try #require(Self.started(table.enter(Waiter(), try Self.key())))
    let second = try #require(Self.started(table.enter(Waiter(), try Self.key(), except: [first])))
    #expect(Self.candidate(table.enter(Waiter(), try Self.key(), except: [first])) == second)
    #expect(Self.started(table.enter(Waiter(), try Self.key(), except: [first, second])) != nil)
  }

  @Test("Random events lose no request, and cancel exactly the flights that all requests have left")
  func randomEvents() throws {
    for seed in UInt64(0)..<50 {
      var random = SeededRandom(seed: seed)
      var table = Table()
      var waiting: [Table.FlightID: [Waiter]] = [:]
      let keys = try ["/a", "/b", "/c"].map { try Self.key($0, random.next() % 2 == 0 ? .low : .high) }
      for step in 0..<400 {
        let flight = waiting.keys.sorted().randomElement(using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<4:
          let waiter = Waiter()
          let key = try #require(keys.randomElement(using: &random))
          switch table.enter(waiter, key) {
          case .start(let id):
            #expect(waiting[id] == nil)
            waiting[id] = [waiter]
            #expect(table.store("\(step)", of: id) == true)
          case .candidate(let id, let request):
            #expect(request.options.priority >= key.priority)
            #expect(Self.hasJoined(table.join(waiter, id, priority: .medium)))
            waiting[id, default: []].append(waiter)
          }
        case 4..<6:
          guard let flight, let index = waiting[flight]?.indices.randomElement(using: &random),
            let waiter = waiting[flight]?.remove(at: index)
          else { continue }
          let isLast = waiting[flight]?.isEmpty == true
          #expect((table.leave(waiter, flight) != nil) == isLast)
          if isLast { waiting[flight] = nil }
        case 6:
          guard let flight else { continue }
          let expected = (waiting.removeValue(forKey: flight) ?? []).map(ObjectIdentifier.init)
          #expect(table.land(flight).map(ObjectIdentifier.init) == expected)
        default:
          guard let flight else { continue }
          #expect(table.close(flight) == waiting[flight]?.count)
        }
        #expect(table.count == waiting.count)
      }
      for (flight, waiters) in waiting { #expect(table.land(flight).count == waiters.count) }
      #expect(table.isEmpty)
    }
  }
}
