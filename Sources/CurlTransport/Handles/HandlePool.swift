/// Idle handles; one that was used needs only the options that differ for its next transfer.
struct HandlePool {
  private let capacity: Int
  private var idle: [ReusableHandle] = []

  /// Creates an empty pool that keeps at most `capacity` idle handles.
  init(capacity: Int) { self.capacity = capacity }

  /// Returns an idle handle, or one that `make` makes.
  mutating func take(_ make: () -> ReusableHandle?) -> ReusableHandle? { idle.popLast() ?? make() }

  /// Takes a handle back after its transfer.
  mutating func put(_ handle: ReusableHandle) {
    handle.transfer = nil
    handle.begin()
    if idle.count < capacity { idle.append(handle) }
  }
}
