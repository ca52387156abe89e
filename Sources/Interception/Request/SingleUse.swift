import Synchronization

/// A value that can be taken once, by whoever comes first.
package final class SingleUse<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  package init(_ value: Value) { self.value = Mutex(value) }

  /// Returns the value at the first call, and nil ever after.
  package func take() -> Value? {
    value.withLock { held in
      defer { held = nil }
      return held
    }
  }
}
