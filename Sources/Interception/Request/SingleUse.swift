import Synchronization

/// A value that can be taken only once.
package final class SingleUse<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  package init(_ value: Value) { self.value = Mutex(value) }

  /// Returns the value at the first call, and nil at later calls.
  package func take() -> Value? {
    value.withLock { held in
      defer { held = nil }
      return held
    }
  }
}
