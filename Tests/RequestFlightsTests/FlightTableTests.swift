import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import RequestFlights

/// A request without a task, which a test cancels.
private final class Entrant: FlightEntrant {
  let key: FlightKey
  let priority: TaskPriority.RawValue
  private let state = Mutex((isCancelled: false, priorities: [TaskPriority]()))

  init(_ key: FlightKey, priority: TaskPriority) { (self.key, self.priority) = (key, priority.rawValue) }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }
  /// The priorities to which the task was raised.
  var priorities: [TaskPriority] { state.withLock { $0.priorities } }

  func cancel() { state.withLock { $0.isCancelled = true } }

  func raisePriority(to priority: TaskPriority) { state.withLock { $0.priorities.append(priority) } }
}

private typealias Table = FlightTable<Entrant>

private enum Tenant: ContextKey { static let defaultValue = "" }

@Suite struct FlightTableTests {
  /// A table, and the requests that tests let enter it.
  private final class Fixture {
    private var table = Table()

    var count: Int { table.count }
    var waitingCount: Int { table.waitingCount }
    var isEmpty: Bool { table.isEmpty }

    /// Lets a request enter.
    func enter(
      _ path: String = "/", _ priority: RequestOptions.Priority = .normal, task: TaskPriority = .medium,
      except rejected: Set<Table.FlightID> = [], with change: (inout Request) -> Void = { _ in }
    ) throws -> (entry: Table.Entry, entrant: Entrant) {
      let entrant = Entrant(try FlightTableTests.key(path, priority, with: change), priority: task)
      return (table.enter(entrant, except: rejected), entrant)
    }

    /// Lets a request enter that must lead a flight.
    func lead(
      _ path: String = "/", _ priority: RequestOptions.Priority = .normal, task: TaskPriority = .medium,
      with change: (inout Request) -> Void = { _ in }
    ) throws -> (id: Table.FlightID, entrant: Entrant) {
      let (entry, entrant) = try enter(path, priority, task: task, with: change)
      return (try #require(entry.led), entrant)
    }

    /// Lets a request enter that must join a flight.
    func join(
      _ path: String = "/", _ priority: RequestOptions.Priority = .normal, task: TaskPriority = .medium,
      with change: (inout Request) -> Void = { _ in }
    ) throws -> (id: Table.FlightID, entrant: Entrant) {
      let (entry, entrant) = try enter(path, priority, task: task, with: change)
      return (try #require(entry.joined), entrant)
    }

    /// Lets a request join a flight whose values were compared with those of another request.
    func join(_ id: Table.FlightID, _ entrant: Entrant, comparedWith other: Request) -> Bool {
      table.join(entrant, id, comparedWith: other)
    }

    func leave(_ entrant: Entrant, _ id: Table.FlightID) -> Bool { table.leave(entrant, id) }

    func land(_ id: Table.FlightID, isCancelled: Bool) -> Table.Landing {
      table.land(id, isCancelled: isCancelled)
    }

    func close(_ id: Table.FlightID) -> Int { table.close(id) }

    func closeAll() { table.closeAll() }
  }

  fileprivate static func key(
    _ path: String = "/", _ priority: RequestOptions.Priority = .normal,
    with change: (inout Request) -> Void = { _ in }
  ) throws -> FlightKey {
    var request = Request(authority: "estate.example", path: path)
    request.options.priority = priority
    change(&request)
    return try #require(FlightKey(request) { _ in false })
  }

  @Test("The first request leads a flight, an equal one joins it, a different one leads another")
  func joining() throws {
    let fixture = Fixture()
    let flight = try fixture.lead().id
    let joined = try fixture.join()
    #expect(joined.id == flight)
    let other = try fixture.lead("/other").id
    #expect(other != flight)
    #expect(fixture.count == 2 && fixture.waitingCount == 3)
    #expect(fixture.land(flight, isCancelled: false).ended == [ObjectIdentifier(joined.entrant)])
    #expect(fixture.land(other, isCancelled: false).ended == [])
    #expect(fixture.isEmpty)
  }

  @Test("Requests that have joined receive the end in the order in which they joined")
  func order() throws {
    let fixture = Fixture()
    let flight = try fixture.lead().id
    let waiters = try (0..<5).map { _ in try fixture.join().entrant }
    #expect(fixture.leave(waiters[2], flight))
    let expected = [0, 1, 3, 4].map { ObjectIdentifier(waiters[$0]) }
    #expect(fixture.land(flight, isCancelled: false).ended == expected)
  }

  @Test("A leader's task is raised to the highest task priority of the requests that join, once for each")
  func joinedPriorities() throws {
    let fixture = Fixture()
    let (flight, leader) = try fixture.lead(task: .low)
    for priority in [TaskPriority.background, .low, .medium, .medium, .high, .low] {
      _ = try fixture.join(task: priority)
    }
    #expect(leader.priorities == [.medium, .high])
    #expect(fixture.land(flight, isCancelled: false).ended?.count == 6)
  }

  @Test("A flight that has landed is not joined", arguments: [false, true])
  func landed(isCancelled: Bool) throws {
    let fixture = Fixture()
    let (flight, entrant) = try fixture.lead()
    #expect(fixture.land(flight, isCancelled: isCancelled).ended == [])
    #expect(!fixture.join(flight, entrant, comparedWith: entrant.key.request))
    #expect(fixture.land(flight, isCancelled: isCancelled).ended == [])
    #expect(fixture.close(flight) == 0)
    #expect(fixture.isEmpty)
    // A later flight in its place is another one.
    let next = try fixture.lead()
    #expect(next.id != flight)
    #expect(!fixture.join(flight, entrant, comparedWith: entrant.key.request))
    #expect(fixture.land(flight, isCancelled: isCancelled).ended == [])
    #expect(fixture.count == 1)
  }

  @Test("A request that leaves affects neither the flight nor the others, and leaves once")
  func leaving() throws {
    let fixture = Fixture()
    let (flight, leader) = try fixture.lead()
    let (first, second) = (try fixture.join().entrant, try fixture.join().entrant)
    #expect(fixture.leave(first, flight))
    #expect(!fixture.leave(first, flight), "A request that has left can't leave again")
    #expect(!leader.isCancelled && fixture.waitingCount == 2)
    #expect(fixture.land(flight, isCancelled: false).ended == [ObjectIdentifier(second)])
    #expect(!fixture.leave(second, flight), "A request with a result can't leave")
  }

  @Test("A flight that is being cancelled is not joined if no other request waits for it")
  func cancelledAlone() throws {
    let fixture = Fixture()
    let (flight, leader) = try fixture.lead()
    let (_, waiter) = try fixture.join()
    leader.cancel()
    #expect(try fixture.join().id == flight, "One of those that have joined will lead it")
    #expect(fixture.waitingCount == 2)
    #expect(fixture.leave(waiter, flight))
    #expect(fixture.land(flight, isCancelled: true).continued != nil)

    let (alone, lone) = try fixture.lead("/alone")
    lone.cancel()
    #expect(!fixture.join(alone, lone, comparedWith: lone.key.request))
    let next = try fixture.lead("/alone").id
    #expect(fixture.land(alone, isCancelled: true).ended == [])
    #expect(try fixture.join("/alone").id == next)
  }

  /// Requests that have joined, in order: the priority of each, and whether it is cancelled, too.
  private struct Succession: CustomStringConvertible {
    let joined: [(priority: RequestOptions.Priority, isCancelled: Bool)]
    /// The position of the one that leads the flight then.
    let leader: Int

    var description: String { "\(joined) lead to \(leader)" }
  }

  private static let successions = [
    Succession(joined: [(.normal, false)], leader: 0),
    Succession(joined: [(.normal, false), (.normal, false)], leader: 0),
    Succession(joined: [(.low, false), (.high, false), (.high, false)], leader: 1),
    Succession(joined: [(.high, true), (.low, false), (.normal, false)], leader: 2),
    Succession(joined: [(.low, true), (.high, true), (.normal, true)], leader: 1),
    Succession(joined: [(.normal, true), (.normal, false)], leader: 1),
  ]

  @Test(
    "After the leader's cancellation the first of the most urgent requests that aren't cancelled leads",
    arguments: successions.indices)
  func succession(_ index: Int) throws {
    let succession = Self.successions[index]
    let fixture = Fixture()
    let (flight, leader) = try fixture.lead("/", .high)
    var waiters: [Entrant] = []
    for (priority, isCancelled) in succession.joined {
      let (_, waiter) = try fixture.join("/", priority)
      if isCancelled { waiter.cancel() }
      waiters.append(waiter)
    }
    leader.cancel()
    let next = try #require(fixture.land(flight, isCancelled: true).continued)
    #expect(next == ObjectIdentifier(waiters[succession.leader]), "\(succession)")
    let isLeaving = fixture.leave(waiters.remove(at: succession.leader), flight)
    #expect(!isLeaving, "The leader doesn't wait any more")
    #expect(fixture.land(flight, isCancelled: false).ended == waiters.map(ObjectIdentifier.init))
    #expect(fixture.isEmpty)
  }

  @Test("Each request leads once at most, and a flight that all have left ends with the cancellation")
  func allCancelled() throws {
    let fixture = Fixture()
    let flight = try fixture.lead().id
    let waiters = try (0..<4).map { _ in try fixture.join().entrant }
    #expect(fixture.leave(waiters[2], flight))
    for index in [0, 1, 3] {
      #expect(
        fixture.land(flight, isCancelled: true).continued == ObjectIdentifier(waiters[index]))
    }
    #expect(fixture.land(flight, isCancelled: true).ended == [])
    #expect(fixture.isEmpty)
  }

  @Test("A call that ends with a result in spite of its cancellation ends the flight for all")
  func endedInSpiteOfCancellation() throws {
    let fixture = Fixture()
    let (flight, leader) = try fixture.lead()
    let waiter = try fixture.join().entrant
    leader.cancel()
    #expect(fixture.land(flight, isCancelled: false).ended == [ObjectIdentifier(waiter)])
    #expect(fixture.isEmpty)
  }

  @Test("The next leader's task has the highest task priority of those that wait, also of later ones")
  func successorPriority() throws {
    let fixture = Fixture()
    let flight = try fixture.lead(task: .high).id
    let next = try fixture.join(task: .low)
    _ = try fixture.join(task: .medium)
    _ = try fixture.join(task: .low)
    #expect(fixture.land(flight, isCancelled: true).continued == ObjectIdentifier(next.entrant))
    #expect(next.entrant.priorities == [.medium])
    _ = try fixture.join(task: .medium)
    _ = try fixture.join(task: .high)
    #expect(next.entrant.priorities == [.medium, .high])
  }

  @Test("A flight that was closed is not joined, but its next leader's call, which begins later, is")
  func reopening() throws {
    let fixture = Fixture()
    let flight = try fixture.lead().id
    _ = try fixture.join()
    fixture.closeAll()
    let (other, _) = try fixture.lead()
    #expect(fixture.land(flight, isCancelled: true).continued != nil)
    #expect(try fixture.join().id == other, "The one that has started first")
    #expect(fixture.land(other, isCancelled: false).ended?.count == 1)
    #expect(try fixture.join().id == flight)
    fixture.closeAll()
    _ = try fixture.lead()
  }

  @Test("A request doesn't join if the leader has changed since its values were compared")
  func changedLeader() throws {
    let fixture = Fixture()
    let north: (inout Request) -> Void = { $0.context[Tenant.self] = "north" }
    let flight = try fixture.lead("/", with: north).id
    let (entry, entrant) = try fixture.enter("/", with: north)
    let (candidate, request) = try #require(entry.candidate)
    #expect(candidate == flight)
    #expect(fixture.join(flight, entrant, comparedWith: request))
    #expect(fixture.land(flight, isCancelled: true).continued != nil)
    #expect(!fixture.join(flight, entrant, comparedWith: request))
    let (again, _) = try fixture.enter("/", with: north)
    let (sameFlight, next) = try #require(again.candidate)
    #expect(sameFlight == flight && next.isCopy(of: entrant.key.request))
    #expect(fixture.join(flight, entrant, comparedWith: next))
  }

  @Test("Custom values are compared only if both requests have some; otherwise both must have none")
  func customValues() throws {
    let fixture = Fixture()
    let plain = try fixture.lead().id
    #expect(try fixture.join().id == plain)
    let north: (inout Request) -> Void = { $0.context[Tenant.self] = "north" }
    let valued = try fixture.lead("/", with: north).id
    #expect(try #require(try fixture.enter("/", with: north).entry.candidate).0 == valued)
    #expect(try fixture.join().id == plain)
  }

  @Test("A closed flight is not joined, and lands with the requests that wait for it")
  func closing() throws {
    let fixture = Fixture()
    let (flight, entrant) = try fixture.lead()
    _ = try fixture.join()
    #expect(fixture.close(flight) == 1)
    #expect(!fixture.join(flight, entrant, comparedWith: entrant.key.request))
    let (next, other) = try fixture.lead()
    fixture.closeAll()
    #expect(!fixture.join(next, other, comparedWith: other.key.request))
    let last = try fixture.lead().id
    #expect(fixture.land(flight, isCancelled: false).ended?.count == 1)
    #expect(fixture.land(next, isCancelled: false).ended == [])
    #expect(try fixture.join().id == last)
    #expect(fixture.close(flight) == 0)
  }

  @Test("A flight of a lower priority is not joined, one of a higher priority is")
  func priorities() throws {
    let fixture = Fixture()
    let low = try fixture.lead("/", .low).id
    let high = try fixture.lead("/", .high).id
    #expect(try fixture.join("/", .normal).id == high)
    #expect(try fixture.join("/", .high).id == high)
    #expect(try fixture.join("/", .low).id == low)
    #expect(fixture.land(low, isCancelled: false).ended?.count == 1)
    #expect(try fixture.join("/", .low).id == high)
  }

  @Test("A rejected flight is passed over; the next one is a candidate, or a new one starts")
  func rejecting() throws {
    let fixture = Fixture()
    let north: (inout Request) -> Void = { $0.context[Tenant.self] = "north" }
    let first = try fixture.lead("/", with: north).id
    let next = try fixture.enter("/", except: [first], with: north).entry
    let second = try #require(next.led)
    #expect(try #require(try fixture.enter("/", except: [first], with: north).entry.candidate).0 == second)
    #expect(try fixture.enter("/", except: [first, second], with: north).entry.led != nil)
  }

  @Test("Interceptors see the latest deadline of the requests that wait, also after a change of the leader")
  func deadlines() throws {
    let fixture = Fixture()
    let clock = TestClock()
    let time = TimeSource(clock)
    func limited(_ request: inout Request) {
      request.options.timeouts.call = .seconds(10)
      request.context.deadline = CallDeadline(after: .seconds(10), time: time)
    }
    let (flight, leader) = try fixture.lead("/", with: limited)
    clock.advance(by: .seconds(2))
    let (entry, next) = try fixture.enter("/", with: limited)
    #expect(entry.joined != nil)
    clock.advance(by: .seconds(3))
    _ = try fixture.join("/", with: limited)
    #expect(leader.key.request.deadline?.remaining == .seconds(10))
    #expect(next.key.request.deadline?.remaining == .seconds(7))
    #expect(fixture.land(flight, isCancelled: true).continued != nil)
    #expect(next.key.request.deadline?.remaining == .seconds(10))
    clock.advance(by: .seconds(1))
    _ = try fixture.join("/", with: limited)
    #expect(next.key.request.deadline?.remaining == .seconds(10))
  }

  /// What a test expects of a flight.
  private struct Model {
    var leader: Entrant
    var joined: [Entrant] = []
  }

  @Test("Random events lose no request, and each flight has one leader until all requests have left it")
  func randomEvents() throws {
    for seed in UInt64(0)..<50 {
      var random = SeededRandom(seed: seed)
      let fixture = Fixture()
      var flights: [Table.FlightID: Model] = [:]
      let priorities: [RequestOptions.Priority] = [.low, .normal, .high]
      for _ in 0..<400 {
        let flight = flights.keys.sorted().randomElement(using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0..<4:
          let path = try #require(["/a", "/b", "/c"].randomElement(using: &random))
          let priority = try #require(priorities.randomElement(using: &random))
          let (entry, entrant) = try fixture.enter(path, priority)
          if let id = entry.led {
            #expect(flights[id] == nil)
            flights[id] = Model(leader: entrant)
          } else {
            let id = try #require(entry.joined)
            let model = try #require(flights[id])
            #expect(!model.leader.isCancelled || !model.joined.isEmpty)
            flights[id]?.joined.append(entrant)
          }
        case 4:
          guard let flight, let index = flights[flight]?.joined.indices.randomElement(using: &random)
          else { continue }
          guard let removed = flights[flight]?.joined.remove(at: index) else { continue }
          removed.cancel()
          #expect(fixture.leave(removed, flight))
        case 5:
          guard let flight else { continue }
          flights[flight]?.leader.cancel()
        case 6:
          guard let flight, let model = flights[flight] else { continue }
          switch fixture.land(flight, isCancelled: model.leader.isCancelled) {
          case .ended(let waiters):
            #expect(!model.leader.isCancelled || model.joined.isEmpty, "seed \(seed)")
            #expect(waiters.map(ObjectIdentifier.init) == model.joined.map(ObjectIdentifier.init))
            flights[flight] = nil
          case .continued(let next):
            #expect(model.leader.isCancelled, "seed \(seed)")
            let index = try #require(model.joined.firstIndex { $0 === next })
            #expect(next.key.priority == model.joined.map(\.key.priority).max())
            flights[flight]?.leader = next
            flights[flight]?.joined.remove(at: index)
          }
        case 7:
          guard let flight else { continue }
          #expect(fixture.close(flight) == flights[flight]?.joined.count)
        default:
          if Int.random(in: 0..<4, using: &random) == 0 { fixture.closeAll() }
        }
        #expect(fixture.count == flights.count)
        let waiting = flights.values.reduce(0) { $0 + $1.joined.count + ($1.leader.isCancelled ? 0 : 1) }
        #expect(fixture.waitingCount == waiting)
      }
      for (flight, model) in flights {
        #expect(fixture.land(flight, isCancelled: false).ended?.count == model.joined.count)
      }
      #expect(fixture.isEmpty)
    }
  }
}

extension FlightTable.Entry {
  fileprivate var led: FlightTable.FlightID? { if case .leads(let id) = self { id } else { nil } }

  fileprivate var joined: FlightTable.FlightID? { if case .joined(let id) = self { id } else { nil } }

  fileprivate var candidate: (FlightTable.FlightID, Request)? {
    if case .candidate(let id, let request) = self { (id, request) } else { nil }
  }
}

extension FlightTable.Landing {
  fileprivate var ended: [ObjectIdentifier]? {
    if case .ended(let entrants) = self { entrants.map(ObjectIdentifier.init) } else { nil }
  }

  fileprivate var continued: ObjectIdentifier? {
    if case .continued(let entrant) = self { ObjectIdentifier(entrant) } else { nil }
  }
}
