/// Easy handles that wait for their next transfer; making one costs more than resetting one.
struct HandlePool {
  /// A handle that can be passed around.
  final class Member {
    let handle: EasyHandle
    /// What it shares with other handles; it survives a reset.
    private(set) var stock: ConnectionStock?

    init?() {
      guard let handle = EasyHandle() else { return nil }
      self.handle = handle
    }

    // libcurl frees no stock that a handle still uses.
    deinit { if stock != nil { try? handle.share(nil) } }

    func attach(_ stock: ConnectionStock) throws(CurlError) {
      guard self.stock !== stock else { return }
      try handle.share(stock)
      self.stock = stock
    }
  }

  private let capacity: Int
  private var idle: [Member] = []

  init(capacity: Int) { self.capacity = capacity }

  /// Returns a handle without options; nil when there is no memory.
  mutating func take() -> Member? {
    let member = idle.popLast() ?? Member()
    member?.handle.reset()
    return member
  }

  mutating func put(_ member: Member) { if idle.count < capacity { idle.append(member) } }
}
