import CCurlShims
import CLibcurl
import Interception

// Requests that ask the server to switch to another protocol, and their connections.
extension TransferLoop {
  /// Begins the handshake over a connection that libcurl has opened.
  mutating func beginUpgrade(_ transfer: Transfer, _ head: [UInt8]) {
    guard !upgrades.isFull else {
      // libcurl has connected, and sent nothing of the request.
      transfer.outgoing = OutgoingRequest()
      return end(
        transfer,
        NetworkError(
          .queueFull,
          "\(upgrades.limit) connections with another protocol, such as WebSockets, are open already; close one, or raise "
            + "CurlDispatcher.Limits.upgrades."))
    }
    guard let socket = RawSocket(transfer.handle.easy) else {
      return end(transfer, .resources(origin: transfer.plan.origin, "memory for a connection"))
    }
    let exchange = UpgradeExchange(transfer, socket, head: head)
    upgrades.insert(exchange)
    advance(exchange)
  }

  /// Advances the connections whose sockets have events.
  mutating func advanceUpgrades() {
    for id in shared.takeReady() {
      upgrades[id]?.noteEvent()
      advanceUpgrade(id)
    }
  }

  /// Advances a connection for its socket or its user.
  mutating func advanceUpgrade(_ id: TransferID) {
    if let exchange = upgrades[id] { advance(exchange) }
  }

  private mutating func advance(_ exchange: UpgradeExchange) {
    let id = exchange.transfer.id
    exchange.beginTurn(isAlone: running.isEmpty && spinning.isLatest(id))
    carryOn(exchange)
    if exchange.hasReceived { spinning.noteBytes(of: id) }
  }

  private mutating func carryOn(_ exchange: UpgradeExchange) {
    let transfer = exchange.transfer
    while true {
      switch exchange.advance(at: shared.now) {
      case .waits(let reading, let writing):
        let isFollowed = shared.poller.follow(
          transfer.handle, socket: exchange.socket.descriptor, reading: reading, writing: writing)
        if let end = exchange.closingEnd { shared.setAlarm(.init(time: end, phase: .whole)) }
        guard !isFollowed else { return }
        exchange.pipe?.end(.resources(origin: transfer.plan.origin, "memory for a connection"))
        return running[transfer.id] == nil
          ? close(exchange)
          : end(transfer, .resources(origin: transfer.plan.origin, "memory for a connection"))
      case .switched:
        // An open connection is no request, so it holds no place of one.
        running.remove(transfer.id)
        state.finish(transfer.id, hasAnswer: true, &actions)
      case .refused: return end(transfer)
      case .failed(let error): return end(transfer, error)
      case .ended: return close(exchange)
      }
    }
  }

  /// Ends a handshake that the server has refused.
  private mutating func end(_ transfer: Transfer) {
    release(transfer)
    running.remove(transfer.id)
    state.finish(transfer.id, hasAnswer: true, &actions)
  }

  private mutating func close(_ exchange: UpgradeExchange) { release(exchange.transfer) }

  /// Closes the connection of an upgrade.
  mutating func release(_ transfer: Transfer) {
    if let exchange = upgrades.remove(transfer.id) {
      shared.poller.unfollow(socket: exchange.socket.descriptor)
    }
    multi.remove(transfer.handle.easy)
    transfer.handle.transfer = nil
  }

  /// Closes the connections whose users have closed them a while ago.
  mutating func endLingering() {
    let (over, next) = upgrades.lingering(at: shared.now)
    shared.setAlarm(next.map { .init(time: $0, phase: .whole) })
    for exchange in over { advance(exchange) }
  }

  /// Closes all open connections, because the loop ends.
  mutating func endUpgrades() {
    for exchange in upgrades.all {
      exchange.pipe?.end(
        .cancelled(.shutdown, origin: exchange.transfer.plan.origin, mayHaveBeenProcessed: true))
      close(exchange)
    }
  }
}

extension Transfer {
  /// Records that the socket of an upgrade has an event.
  func noteEvent() { shared.noteReady(id) }
}
