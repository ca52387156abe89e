import OfflineMutations
package import Switchyard
import Synchronization

/// The changes that members make without a network; each is delivered when there is one again and its member
/// is logged in, also after a restart of the app.
///
/// The queue itself is `MutationQueue`. This type has what an app adds: requests of APIs, the rule when there
/// is something to deliver, and that a change belongs to a member.
package final class ChangeQueue: KeptChanges {
  /// The maximum number of changes that are listed.
  private static let listLimit = 1000

  private let queue: MutationQueue
  private let session: Session
  private let switches: AppSwitches
  private let report: @Sendable (String) -> Void
  private let observe: @Sendable (String) -> Void
  private let following = Mutex<Task<Void, Never>?>(nil)

  /// Opens the queue of a file, and creates the file if it doesn't exist.
  ///
  /// - Parameters:
  ///   - observe: Receives a line about every change of the queue.
  ///   - report: Receives a line about each change that was delivered or refused, and about a damaged file.
  /// - Throws: `QueueError`, for example if another app has the file open.
  package init(
    path: String, network: NetworkStack, observe: @escaping @Sendable (String) -> Void = { _ in },
    report: @escaping @Sendable (String) -> Void
  ) throws {
    self.observe = observe
    session = network.session
    switches = network.switches
    self.report = report
    queue = try MutationQueue(path: path, over: network.pipeline) { [session] in session.name ?? "" }
    if let damaged = queue.damagedFile { report("the queue of changes was damaged, and is now \(damaged)") }
  }

  deinit { following.withLock { $0 }?.cancel() }

  /// Begins to deliver, as soon as there is a network and a member.
  package func start() {
    queue.networkDidChange(isAvailable: false)
    queue.start()
    following.withLock { following in
      following = Task { [weak self, statuses = switches.network.changes] in
        for await _ in statuses { await self?.update() }
      }
    }
    // The stream ends with the queue.
    Task { [report, observe, changes = queue.changes] in
      for await change in changes {
        observe(change.note)
        if let line = change.line { report(line) }
      }
    }
  }

  /// Delivers what waits if there is a network and a member; called whenever either has changed.
  ///
  /// On the main actor, so that of two calls the later one has the last word.
  @MainActor package func update() {
    queue.accountDidChange()
    queue.networkDidChange(isAvailable: switches.network.status != .offline)
  }

  package func add<Params>(_ endpoint: Endpoint<Params>, _ params: Params, resource: String) async throws {
    let request = try endpoint.request(
      for: params, at: switches.environments.address(of: endpoint.service), partition: session.name ?? "")
    try await queue.enqueue(request, resource: prefix + resource)
  }

  package func resources() async throws -> [String] {
    try await waiting().map { String($0.changed) }
  }

  package func cancel(_ resource: String) async throws -> Bool {
    var isCancelled = false
    for change in try await waiting() where change.resource == prefix + resource {
      if try await queue.cancel(change.id) { isCancelled = true }
    }
    return isCancelled
  }

  /// Stops delivering, and closes the file.
  package func close() async {
    following.withLock { $0 }?.cancel()
    await queue.close()
  }

  /// The member's part of the names of resources: changes of another member may wait longer.
  private var prefix: String { Mutation.prefix(of: session.name ?? "") }

  private func waiting() async throws -> [Mutation] {
    let member = session.name
    return try await queue.pending(limit: Self.listLimit).filter { $0.partition == member }
  }
}

extension Mutation {
  fileprivate static func prefix(of member: String) -> String { member + "/" }

  /// The resource without the member's part.
  fileprivate var changed: Substring { resource.dropFirst(Self.prefix(of: partition).count) }
}

extension MutationChange {
  /// The line that an observer of the queue receives.
  fileprivate var note: String {
    switch self {
    case .enqueued(let mutation): "\(mutation.changed) waits for the network"
    case .delayed(let mutation, let reason): "\(mutation.changed) is tried again later, because of \(reason)"
    case .cancelled(let id): "the change \(id) was withdrawn"
    case .delivered, .rejected, .damaged: line ?? ""
    }
  }

  /// The line that is printed for the change; `nil` for none.
  fileprivate var line: String? {
    switch self {
    case .delivered(let mutation, _): "\(mutation.changed) was delivered"
    case .rejected(let rejected): "\(rejected.mutation.changed) was refused, \(rejected.reason)"
    case .damaged(let id): "the change \(id) was damaged, and is not delivered"
    case .enqueued, .delayed, .cancelled: nil
    }
  }
}
