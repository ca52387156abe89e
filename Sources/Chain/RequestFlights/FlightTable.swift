import Interception

/// The flights of an interceptor: which one a request may join, which requests wait for it, and which of them
/// is sent when the request of the flight is cancelled.
///
/// A flight has a leader, the request that is sent, and the requests that have joined it. Each is sent at
/// most once: one that has joined is sent only if it becomes the leader, after the call of the leader before
/// it has ended with a cancellation.
///
/// A value without I/O. A `FlightRegistry` performs what its functions return.
///
/// - Parameter Entrant: A request that has entered; identified by its reference.
struct FlightTable<Entrant: FlightEntrant> {
  /// Identifies a flight; never reused.
  struct FlightID: Hashable, Comparable, Sendable {
    fileprivate let number: UInt64
    fileprivate let slot: Int

    static func < (left: FlightID, right: FlightID) -> Bool { left.number < right.number }
  }

  /// How a request can proceed.
  enum Entry {
    /// The request leads a flight, which starts now.
    case leads(FlightID)
    /// The request has joined a flight.
    case joined(FlightID)
    /// The request may join the flight of this request, if their custom context values are the same.
    case candidate(FlightID, Request)
  }

  /// What follows the end of a leader's call.
  enum Landing {
    /// The flight has ended, and these requests have waited for it, in the order in which they joined.
    case ended([Entrant])
    /// The request is the leader from now on, and the others wait for it.
    case continued(by: Entrant)
  }

  private struct Flight {
    let number: UInt64
    var leader: Entrant
    /// In the order in which they joined.
    var joined: [Entrant] = []
    /// The highest task priority of the leader and of the requests that have joined.
    var priority: TaskPriority.RawValue
    /// The generation in which the flight is listed among those that can be joined; 0 if it isn't.
    var generation: UInt64 = 0
    /// The slot of the next flight in the list.
    var next: Int?

    /// Whether a request still waits for the flight.
    var isAwaited: Bool { !joined.isEmpty || !leader.isCancelled }
  }

  // A flight keeps its slot, so that starting one allocates nothing.
  /// The flights that have not ended.
  private var slots: [Flight?] = []
  private var freeSlots: [Int] = []
  /// For each digest of a key, the first flight that can be joined; the next ones follow in the order in
  /// which they started.
  private var open: [Int: Int] = [:]
  /// Grows when all flights are closed, so that none of them has to be changed.
  private var generation: UInt64 = 1
  private var lastNumber: UInt64 = 0

  /// The number of flights.
  var count: Int { slots.count - freeSlots.count }
  /// The number of requests that wait for a flight, without those that are cancelled.
  var waitingCount: Int {
    slots.reduce(0) { count, flight in
      guard let flight else { return count }
      return count + flight.joined.count + (flight.leader.isCancelled ? 0 : 1)
    }
  }
  /// Whether nothing is stored, neither a flight nor an index of one.
  var isEmpty: Bool { count == 0 && open.isEmpty }

  /// Lets a request join the first flight that it may join, or lead a new one.
  ///
  /// A flight with a lower priority is not joined, because the priority of a request that was sent can't be
  /// raised. A flight therefore always has the highest priority of its waiting requests. One that is being
  /// cancelled is joined only if other requests have joined it, one of which will lead it.
  ///
  /// - Parameter rejected: Flights whose requests have other custom context values.
  mutating func enter(_ entrant: Entrant, except rejected: Set<FlightID> = []) -> Entry {
    var place = open[entrant.key.digest]
    while let slot = place {
      let (id, hasSameValues, next) = relation(of: entrant, to: slot)
      place = next
      guard let id, !rejected.contains(id) else { continue }
      switch hasSameValues {
      case nil:
        if let request = slots[slot]?.leader.key.request { return .candidate(id, request) }
      case true?:
        add(entrant, to: slot)
        return .joined(id)
      case false?: continue
      }
    }
    return .leads(start(entrant))
  }

  /// Lets a request join a flight, unless it has ended, was closed, is being cancelled, or has another leader
  /// than the request with which the custom context values were compared.
  mutating func join(_ entrant: Entrant, _ id: FlightID, comparedWith request: Request) -> Bool {
    guard isOpen(id), slots[id.slot]?.isAwaited == true,
      slots[id.slot]?.leader.key.request.isCopy(of: request) == true
    else { return false }
    add(entrant, to: id.slot)
    return true
  }

  /// Removes a request that has joined; returns false if it no longer waits, because its flight has ended or
  /// it has become the leader.
  mutating func leave(_ entrant: Entrant, _ id: FlightID) -> Bool {
    guard isKnown(id), let index = slots[id.slot]?.joined.firstIndex(where: { $0 === entrant })
    else { return false }
    slots[id.slot]?.joined.remove(at: index)
    return true
  }

  /// Prevents that further requests join a flight; returns the number of those that have.
  mutating func close(_ id: FlightID) -> Int {
    guard isKnown(id) else { return 0 }
    unlist(id.slot)
    return slots[id.slot]?.joined.count ?? 0
  }

  /// Prevents that further requests join the present flights.
  mutating func closeAll() {
    guard !open.isEmpty else { return }
    open.removeAll(keepingCapacity: true)
    generation += 1
  }

  /// Ends a flight whose leader's call has ended, or lets another request lead it if the call was cancelled.
  ///
  /// Of the requests that have joined, the first one with the highest priority leads the flight, so that the
  /// others may wait for it. Its call begins after everything for which the flight may have been closed, so
  /// that further requests may join again.
  mutating func land(_ id: FlightID, isCancelled: Bool) -> Landing {
    guard isKnown(id) else { return .ended([]) }
    if isCancelled, let next = promote(in: id.slot) { return .continued(by: next) }
    unlist(id.slot)
    let joined = slots[id.slot]?.joined ?? []
    slots[id.slot] = nil
    freeSlots.append(id.slot)
    return .ended(joined)
  }
}

extension FlightTable {
  private func isKnown(_ id: FlightID) -> Bool { slots[id.slot]?.number == id.number }

  private func isOpen(_ id: FlightID) -> Bool { isKnown(id) && slots[id.slot]?.generation == generation }

  /// Returns the flight in a slot if a request may join it, whether the custom context values are the same,
  /// which is nil if they must be compared, and the next slot in the list.
  // Returned as values, because a copy of the flight would make a later change copy its list of requests.
  private func relation(
    of entrant: Entrant, to slot: Int
  ) -> (id: FlightID?, hasSameValues: Bool?, next: Int?) {
    guard let flight = slots[slot] else { return (nil, false, nil) }
    let key = flight.leader.key
    guard flight.isAwaited, key.priority >= entrant.key.priority, key == entrant.key else {
      return (nil, false, flight.next)
    }
    let id = FlightID(number: flight.number, slot: slot)
    return (id, key.hasSameCustomValues(as: entrant.key), flight.next)
  }

  private mutating func start(_ entrant: Entrant) -> FlightID {
    lastNumber += 1
    let flight = Flight(number: lastNumber, leader: entrant, priority: entrant.priority)
    let slot = freeSlots.popLast() ?? slots.count
    if slot == slots.count { slots.append(flight) } else { slots[slot] = flight }
    list(slot, by: entrant.key.digest)
    return FlightID(number: lastNumber, slot: slot)
  }

  private mutating func add(_ entrant: Entrant, to slot: Int) {
    slots[slot]?.joined.append(entrant)
    guard let leader = slots[slot]?.leader, let priority = slots[slot]?.priority else { return }
    leader.key.extendDeadline(to: entrant.key)
    guard entrant.priority > priority else { return }
    slots[slot]?.priority = entrant.priority
    leader.raisePriority(to: TaskPriority(rawValue: entrant.priority))
  }

  /// Makes a request that has joined the leader; returns nil if there is none.
  private mutating func promote(in slot: Int) -> Entrant? {
    guard var flight = slots[slot], let index = Self.successor(among: flight.joined) else { return nil }
    let leader = flight.joined.remove(at: index)
    flight.leader = leader
    flight.priority = flight.joined.reduce(leader.priority) { max($0, $1.priority) }
    for other in flight.joined { leader.key.extendDeadline(to: other.key) }
    if flight.priority > leader.priority {
      leader.raisePriority(to: TaskPriority(rawValue: flight.priority))
    }
    slots[slot] = flight
    if flight.generation != generation { list(slot, by: leader.key.digest) }
    return leader
  }

  /// Returns the first of the requests with the highest priority, of those that are not cancelled if there
  /// are any.
  private static func successor(among joined: [Entrant]) -> Int? {
    func precedes(_ left: Entrant, _ right: Entrant) -> Bool {
      let (isLeftCancelled, isRightCancelled) = (left.isCancelled, right.isCancelled)
      guard isLeftCancelled == isRightCancelled else { return isRightCancelled }
      return left.key.priority > right.key.priority
    }
    return joined.indices.reduce(nil) { first, index in
      guard let first else { return index }
      return precedes(joined[index], joined[first]) ? index : first
    }
  }

  /// Adds a flight behind those that can be joined.
  private mutating func list(_ slot: Int, by digest: Int) {
    slots[slot]?.generation = generation
    slots[slot]?.next = nil
    guard var last = open[digest] else {
      open[digest] = slot
      return
    }
    while let next = slots[last]?.next { last = next }
    slots[last]?.next = slot
  }

  /// Removes a flight from those that can be joined.
  private mutating func unlist(_ slot: Int) {
    guard let digest = slots[slot]?.leader.key.digest, slots[slot]?.generation == generation else { return }
    let next = slots[slot]?.next
    slots[slot]?.generation = 0
    guard var previous = open[digest], previous != slot else {
      open[digest] = next
      return
    }
    while let following = slots[previous]?.next, following != slot { previous = following }
    slots[previous]?.next = next
  }
}

/// A request that has entered a table of flights, and its task.
protocol FlightEntrant: AnyObject, Sendable {
  /// What the request must have in common with those that share its flight.
  var key: FlightKey { get }
  /// The priority of the task, as its raw value, whose layout is known to the compiler.
  var priority: TaskPriority.RawValue { get }
  /// Whether the task is cancelled.
  var isCancelled: Bool { get }
  /// Raises the priority of the task; a lower one has no effect.
  func raisePriority(to priority: TaskPriority)
}
