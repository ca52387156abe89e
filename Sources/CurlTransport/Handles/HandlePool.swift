/// Idle handles; only the options that differ are set for the next transfer.
struct HandlePool {
  private let capacity: Int
  private var idle: [ReusableHandle] = []

  init(capacity: Int) { self.capacity = capacity }

  /// Returns an idle handle, or one that `make` makes.
  mutating func take(_ make: () -> ReusableHandle?) -> ReusableHandle? { idle.popLast() ?? make() }

  mutating func put(_ handle: ReusableHandle) {
    handle.transfer = nil
    handle.begin()
    if idle.count < capacity { idle.append(handle) }
  }
}
