import Synchronization

/// The detours in progress.
///
/// Concurrent calls that need the same detour share it. Of the links among them one waits at most, so that a
/// sign-in does not open all that arrived meanwhile in a row.
///
/// A detour runs in a separate task, so that cancelling one waiter does not affect the others; when the last
/// waiter has left, the detour is cancelled. A detour that would wait for itself, directly or indirectly,
/// ends in `.redirectLoop`.
final class DetourFlights: Sendable {
  /// The detour that the current task is part of.
  struct Membership: Sendable {
    /// The object that issued the number; numbers of another mediator do not count.
    let owner: ObjectIdentifier
    let flight: Int
    let trail: [String]
  }

  // A task-local value, because it must be known for calls that a detour's code makes without its context as
  // well: a detour that waits for itself and is not noticed never ends.
  @TaskLocal static var membership: Membership?

  private struct Waiter {
    let continuation: CheckedContinuation<Result<Bool, RouteError>, Never>
    /// The detour that the waiter itself is part of.
    let inside: Int?
    /// The link that the waiter opens; nil for a call of the app.
    let link: Int?
  }

  private struct Flight {
    let id: Int
    var task: Task<Void, Never>?
    var waiters: [Int: Waiter] = [:]
  }

  private struct State {
    var serial = 0
    var flights: [RouteIdentity: Flight] = [:]

    mutating func nextSerial() -> Int {
      serial += 1
      return serial
    }

    /// Returns whether a detour waits for another one, directly or indirectly.
    func waits(_ flight: Int, for goal: Int) -> Bool {
      var reached: Set<Int> = [flight]
      var open = [flight]
      while let current = open.popLast() {
        if current == goal { return true }
        for other in flights.values where other.waiters.values.contains(where: { $0.inside == current }) {
          if reached.insert(other.id).inserted { open.append(other.id) }
        }
      }
      return false
    }
  }

  private enum Admission {
    /// The waiter joined the detour in place of another one, if there is one.
    case joined(insteadOf: Waiter?)
    case started(Int)
    case loop
    /// Another link waits already.
    case superseded
  }

  /// The link on whose behalf a call waits.
  struct Link {
    /// The number of the link, in the order of arrival.
    let ticket: Int
    /// Which of two links is dropped.
    let overflow: LinkQueuePolicy.Overflow
  }

  private let state = Mutex(State())

  /// The number of waiting calls and the number of detours in progress.
  var counts: (waiters: Int, flights: Int) {
    state.withLock { state in (state.flights.values.reduce(0) { $0 + $1.waiters.count }, state.flights.count)
    }
  }

  /// Waits for the detour's result; starts the detour if it is not in progress.
  ///
  /// - Parameters:
  ///   - identity: Detours with equal identities are the same.
  ///   - link: The link that waits; nil for a call of the app.
  ///   - noteWait: Called once the detour has begun and the call waits for it.
  func join(
    _ identity: RouteIdentity, at url: String, for link: Link? = nil, noteWait: () -> Void = {},
    _ open: @escaping @Sendable () async -> Result<Bool, RouteError>
  ) async throws(RouteError) -> Bool {
    let membership = membershipUnderWay()
    let trail = (membership?.trail ?? []) + [url]
    if trail.count > Mediator.maximumRedirects { throw .redirectLoop(trail) }
    let ticket = state.withLock { $0.nextSerial() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter(continuation: continuation, inside: membership?.flight, link: link?.ticket)
        switch enter(identity, ticket, waiter, link?.overflow) {
        case .joined(let loser):
          loser?.continuation.resume(returning: .failure(.linkSuperseded(waitingFor: url)))
        case .started(let flight): launch(identity, flight, trail, open)
        case .loop: continuation.resume(returning: .failure(.redirectLoop(trail)))
        case .superseded: continuation.resume(returning: .failure(.linkSuperseded(waitingFor: url)))
        }
        noteWait()
        // The cancellation handler may have run before the waiter was registered.
        if Task.isCancelled { leave(identity, ticket) }
      }
    } onCancel: {
      leave(identity, ticket)
    }
    return try result.get()
  }

  /// The detour that the task is part of, or nil if that detour has ended, because a task can outlive it.
  private func membershipUnderWay() -> Membership? {
    guard let inherited = Self.membership, inherited.owner == ObjectIdentifier(self) else { return nil }
    let isUnderWay = state.withLock { $0.flights.values.contains { $0.id == inherited.flight } }
    return isUnderWay ? inherited : nil
  }

  private func enter(
    _ identity: RouteIdentity, _ ticket: Int, _ waiter: Waiter, _ overflow: LinkQueuePolicy.Overflow?
  ) -> Admission {
    state.withLock { state in
      guard var flight = state.flights[identity] else {
        let id = state.nextSerial()
        state.flights[identity] = Flight(id: id, waiters: [ticket: waiter])
        return .started(id)
      }
      if let inside = waiter.inside, state.waits(flight.id, for: inside) { return .loop }
      var loser: Waiter?
      // The code of one link may open several routes that need the detour.
      if let link = waiter.link,
        let other = flight.waiters.first(where: { $0.value.link.map { $0 != link } ?? false })
      {
        // The tickets tell which link is older: one that arrived first can get here last.
        let isOlder = link < (other.value.link ?? link)
        if isOlder == (overflow == .dropOldest) { return .superseded }
        loser = flight.waiters.removeValue(forKey: other.key)
      }
      flight.waiters[ticket] = waiter
      state.flights[identity] = flight
      return .joined(insteadOf: loser)
    }
  }

  private func launch(
    _ identity: RouteIdentity, _ id: Int, _ trail: [String],
    _ open: @escaping @Sendable () async -> Result<Bool, RouteError>
  ) {
    // The detour belongs to all calls that wait for it, so it is not part of the link that began it.
    let task = LinkGate.$membership.withValue(nil) {
      Self.$membership.withValue(Membership(owner: ObjectIdentifier(self), flight: id, trail: trail)) {
        Task { self.finish(identity, id, await open()) }
      }
    }
    let isStillWanted = state.withLock { state in
      guard state.flights[identity]?.id == id else { return false }
      state.flights[identity]?.task = task
      return true
    }
    if !isStillWanted { task.cancel() }
  }

  private func finish(_ identity: RouteIdentity, _ id: Int, _ result: Result<Bool, RouteError>) {
    let waiters = state.withLock { state -> [Waiter] in
      guard let flight = state.flights[identity], flight.id == id else { return [] }
      state.flights[identity] = nil
      return Array(flight.waiters.values)
    }
    for waiter in waiters { waiter.continuation.resume(returning: result) }
  }

  private func leave(_ identity: RouteIdentity, _ ticket: Int) {
    let (waiter, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      guard let waiter = state.flights[identity]?.waiters.removeValue(forKey: ticket) else {
        return (nil, nil)
      }
      guard state.flights[identity]?.waiters.isEmpty == true else { return (waiter, nil) }
      return (waiter, state.flights.removeValue(forKey: identity)?.task)
    }
    waiter?.continuation.resume(returning: .failure(.cancelled))
    abandoned?.cancel()
  }
}

extension Mediator {
  /// Opens a guard's detour, and throws unless its route returns true.
  func detour(
    _ url: String, for guardID: String, _ target: RouteTarget, _ caller: Caller
  ) async throws(RouteError) {
    let detour = Caller(
      origin: .native(module: nil), opener: target.place, wantsResult: true, ownTime: caller.ownTime)
    let link = links.flatMap { links in
      links.link.map { DetourFlights.Link(ticket: $0, overflow: links.overflow) }
    }
    let answer: Bool
    do throws(RouteError) {
      answer = try await detours.join(identity(of: url), at: url, for: link, noteWait: endLinkTurn) {
        await self.answer(url, detour)
      }
    } catch {
      switch error {
      case .cancelled, .redirectLoop, .linkSuperseded: throw error
      case .dismissed:
        throw .rejected(by: guardID, reason: "the user left \(RouteURL.shown(url)) without an answer.")
      default: throw .rejected(by: guardID, reason: "\(RouteURL.shown(url)) failed. \(error)")
      }
    }
    if !answer { throw .rejected(by: guardID, reason: "\(RouteURL.shown(url)) returned false.") }
  }

  private func answer(_ url: String, _ caller: Caller) async -> Result<Bool, RouteError> {
    do throws(RouteError) {
      return .success(try await follow(.text(url), caller, returning: Bool.self))
    } catch {
      return .failure(error)
    }
  }
}
