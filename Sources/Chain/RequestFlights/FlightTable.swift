import Interception

/// The flights of an interceptor: which one a request may join, which requests wait for it, and when it is
/// cancelled.
///
/// A value without I/O. A `FlightRegistry` performs what its functions return.
///
/// - Parameters:
///   - Waiter: A waiting request; identified by its reference.
///   - Work: The handle with which a flight is cancelled.
struct FlightTable<Waiter: AnyObject, Work> {
  /// Identifies a flight; never reused.
  struct FlightID: Hashable, Comparable {
    fileprivate let number: UInt64

    static func < (left: FlightID, right: FlightID) -> Bool { left.number < right.number }
  }

  /// How a request can proceed.
  enum Entry {
    /// The request starts the flight, and waits for it.
    case start(FlightID)
    /// The request may join the flight of this request, if their custom context values are the same.
    case candidate(FlightID, Request)
  }

  /// Whether a request joined a flight.
  enum Joining {
    /// The request waits for the flight, which has this handle once it is stored.
    case joined(Work?)
    /// The flight can no longer be joined.
    case tooLate
  }

  private struct Flight {
    let key: FlightKey
    var work: Work?
    var waiters: [Waiter]
    /// The highest task priority of the requests that joined, as its raw value, whose layout is known to the
    /// compiler.
    var joinedPriority: TaskPriority.RawValue?
  }

  /// The flights that have not landed and for which at least one request waits.
  private var flights: [FlightID: Flight] = [:]
  /// The flights that can be joined, in the order in which they started.
  private var open: [FlightKey: [FlightID]] = [:]
  private var lastNumber: UInt64 = 0

  /// The number of flights.
  var count: Int { flights.count }
  /// The number of requests that wait for a flight.
  var waitingCount: Int { flights.values.reduce(0) { $0 + $1.waiters.count } }
  /// Whether nothing is stored, neither a flight nor an index of one.
  var isEmpty: Bool { flights.isEmpty && open.isEmpty }

  /// Returns the first flight that a request may join, or starts one.
  ///
  /// A flight with a lower priority is not joined, because the priority of a request that was sent can't be
  /// raised. A flight therefore always has the highest priority of its waiting requests.
  ///
  /// - Parameter rejected: Flights whose requests have other custom context values.
  mutating func enter(_ waiter: Waiter, _ key: FlightKey, except rejected: Set<FlightID> = []) -> Entry {
    for id in open[key] ?? [] where !rejected.contains(id) {
      guard let flight = flights[id], flight.key.priority >= key.priority else { continue }
      return .candidate(id, flight.key.request)
    }
    lastNumber += 1
    let id = FlightID(number: lastNumber)
    flights[id] = Flight(key: key, work: nil, waiters: [waiter])
    open[key, default: []].append(id)
    return .start(id)
  }

  /// Adds a request to a flight, unless it has landed, was closed or is being cancelled.
  ///
  /// - Parameter priority: The priority of the request's task.
  mutating func join(_ waiter: Waiter, _ id: FlightID, priority: TaskPriority) -> Joining {
    // Changed in place: a copy of the flight would make `append` copy its list of requests.
    guard let index = flights.index(forKey: id), open[flights.values[index].key]?.contains(id) == true
    else { return .tooLate }
    flights.values[index].waiters.append(waiter)
    let former = flights.values[index].joinedPriority ?? priority.rawValue
    flights.values[index].joinedPriority = max(former, priority.rawValue)
    return .joined(flights.values[index].work)
  }

  /// Stores the handle of a flight that has started; false if the flight is over.
  mutating func store(_ work: Work, of id: FlightID) -> Bool {
    guard flights[id] != nil else { return false }
    flights[id]?.work = work
    return true
  }

  /// Returns the highest task priority of the requests that joined a flight; nil if none did.
  func joinedPriority(of id: FlightID) -> TaskPriority? {
    flights[id]?.joinedPriority.map { TaskPriority(rawValue: $0) }
  }

  /// Removes a request from its flight; returns the handle to cancel if it was the last one.
  ///
  /// The flight can no longer be joined then: an identical request starts a new one.
  mutating func leave(_ waiter: Waiter, _ id: FlightID) -> Work? {
    guard let index = flights[id]?.waiters.firstIndex(where: { $0 === waiter }) else { return nil }
    flights[id]?.waiters.remove(at: index)
    guard flights[id]?.waiters.isEmpty == true else { return nil }
    return remove(id)?.work
  }

  /// Prevents that further requests join a flight; returns the number of those that wait for it.
  mutating func close(_ id: FlightID) -> Int {
    guard let flight = flights[id] else { return 0 }
    removeOpen(id, flight.key)
    return flight.waiters.count
  }

  /// Prevents that further requests join the present flights.
  mutating func closeAll() { open.removeAll() }

  /// Removes a flight that has ended, and returns the requests that wait for it.
  mutating func land(_ id: FlightID) -> [Waiter] {
    remove(id)?.waiters ?? []
  }

  @discardableResult
  private mutating func remove(_ id: FlightID) -> Flight? {
    guard let flight = flights.removeValue(forKey: id) else { return nil }
    removeOpen(id, flight.key)
    return flight
  }

  private mutating func removeOpen(_ id: FlightID, _ key: FlightKey) {
    guard let index = open.index(forKey: key) else { return }
    open.values[index].removeAll { $0 == id }
    if open.values[index].isEmpty { open.remove(at: index) }
  }
}
