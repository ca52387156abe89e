import CCurlShims
import Interception

/// The handles of a loop, and their connections: those that share all connections, those with connections of
/// their own that are kept for their origins, and those for one request.
struct HandleStock {
  private var pool: HandlePool
  private var dedicated = DedicatedHandles()
  private var connections: ConnectionStock
  private let shared: LoopRound

  /// Creates a stock without handles, whose first connections are opened by `connections`.
  init(_ connections: ConnectionStock, shared: LoopRound) {
    self.connections = connections
    self.shared = shared
    pool = HandlePool(capacity: shared.configuration.limits.total)
  }

  /// Returns a handle for a request; nil without memory.
  mutating func take(for plan: RequestPlan, _ isolation: UploadIsolation) -> ReusableHandle? {
    // With connections of its own: libcurl closes those that seem idle, or have received bytes, when another
    // handle that shares them connects.
    if plan.upgradeHead != nil { return Self.makeIsolatedHandle(shared, receiveBuffer: .minimal) }
    if plan.spendsHandle { return Self.makeIsolatedHandle(shared, receiveBuffer: .alone) }
    if isolation == .ownConnection {
      return dedicated.take(for: plan.origin) { [shared] in
        Self.makeIsolatedHandle(shared, receiveBuffer: .alone)
      }
    }
    return pool.take { [connections, shared] in
      Self.makeHandle(
        connections, shared, receiveBuffer: ReceiveBuffer(transfers: shared.configuration.limits.total))
    }
  }

  /// Takes back the handle of a transfer that has ended.
  mutating func put(_ handle: ReusableHandle, of plan: RequestPlan, _ isolation: UploadIsolation) {
    if plan.upgradeHead != nil || plan.spendsHandle {
      // Its options and its connection are of no use to another request.
      handle.transfer = nil
    } else if isolation == .ownConnection {
      dedicated.put(handle, for: plan.origin)
    } else if handle.connections === connections {
      pool.put(handle)
    } else {
      // The network has changed; keeping the handle would keep the old connections open.
      handle.transfer = nil
    }
  }

  /// Releases the idle handles, and keeps none that is in use, because the network has changed.
  mutating func renew() {
    guard let fresh = ConnectionStock(shared.poller) else { return }
    connections = fresh
    pool = HandlePool(capacity: shared.configuration.limits.total)
    dedicated = DedicatedHandles()
  }

  /// Returns a handle that shares its connections with no other handle.
  private static func makeIsolatedHandle(
    _ shared: LoopRound, receiveBuffer: ReceiveBuffer
  ) -> ReusableHandle? {
    ConnectionStock(shared.poller).flatMap { makeHandle($0, shared, receiveBuffer: receiveBuffer) }
  }

  private static func makeHandle(
    _ connections: ConnectionStock, _ shared: LoopRound, receiveBuffer: ReceiveBuffer
  ) -> ReusableHandle? {
    let defaults = HandleDefaults(configuration: shared.configuration, receiveBuffer: receiveBuffer)
    guard let handle = ReusableHandle(connections), (try? handle.prepare(defaults)) != nil else { return nil }
    return handle
  }
}
