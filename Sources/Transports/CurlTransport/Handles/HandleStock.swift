import CCurlShims
import Interception

/// The handles of a loop, and their connections: those that share all connections, those that try HTTP/3 and
/// share others, those with connections of their own that are kept for their origins, and those for one
/// request.
struct HandleStock {
  private var pool: HandlePool
  // Otherwise libcurl would send a request that tries HTTP/3 over a connection of HTTP/2 for as long as one
  // is kept, and never open one of HTTP/3.
  private var http3: (connections: ConnectionStock, pool: HandlePool)?
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
  mutating func take(
    for plan: RequestPlan, _ isolation: UploadIsolation, _ http3: HTTP3Choice
  ) -> ReusableHandle? {
    // With connections of its own: libcurl closes those that seem idle, or have received bytes, when another
    // handle that shares them connects.
    if plan.upgradeHead != nil { return Self.makeIsolatedHandle(shared, receiveBuffer: .minimal) }
    if plan.spendsHandle { return Self.makeIsolatedHandle(shared, receiveBuffer: .alone) }
    if isolation == .ownConnection {
      return dedicated.take(for: plan.origin) { [shared] in
        Self.makeIsolatedHandle(shared, receiveBuffer: .alone)
      }
    }
    if case .attempt = http3 { return takeForHTTP3() }
    return pool.take { [connections, shared] in Self.makeSharingHandle(connections, shared) }
  }

  private mutating func takeForHTTP3() -> ReusableHandle? {
    if http3 == nil {
      guard let connections = ConnectionStock(shared.poller) else { return nil }
      http3 = (connections, HandlePool(capacity: shared.configuration.limits.total))
    }
    guard let connections = http3?.connections else { return nil }
    return http3?.pool.take { [shared] in Self.makeSharingHandle(connections, shared) }
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
    } else if let connections = http3?.connections, handle.connections === connections {
      http3?.pool.put(handle)
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
    http3 = nil
    dedicated = DedicatedHandles()
  }

  /// Returns a handle that shares the connections of a stock.
  private static func makeSharingHandle(
    _ connections: ConnectionStock, _ shared: LoopRound
  ) -> ReusableHandle? {
    makeHandle(
      connections, shared, receiveBuffer: ReceiveBuffer(transfers: shared.configuration.limits.total))
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
