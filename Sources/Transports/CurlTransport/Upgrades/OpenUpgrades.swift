/// The requests of a loop that ask for another protocol, from their handshakes on, and the connections of
/// those that have it.
struct OpenUpgrades {
  /// The maximum number of them.
  let limit: Int
  private var exchanges: [TransferID: UpgradeExchange] = [:]

  init(limit: Int) { self.limit = limit }

  var isFull: Bool { exchanges.count >= limit }
  var all: [UpgradeExchange] { Array(exchanges.values) }

  subscript(_ id: TransferID) -> UpgradeExchange? { exchanges[id] }

  mutating func insert(_ exchange: UpgradeExchange) { exchanges[exchange.transfer.id] = exchange }

  mutating func remove(_ id: TransferID) -> UpgradeExchange? { exchanges.removeValue(forKey: id) }

  /// Returns the connections that must be closed, because their users have closed them a while ago, and when
  /// the next one must be.
  func lingering(at now: Duration) -> (over: [UpgradeExchange], next: Duration?) {
    var over: [UpgradeExchange] = []
    var next: Duration?
    for exchange in exchanges.values {
      guard let end = exchange.closingEnd else { continue }
      if end <= now { over.append(exchange) } else { next = min(end, next ?? end) }
    }
    return (over, next)
  }
}
