public import Foundation

/// A gate at which a server's handler blocks its thread until a test opens it.
public final class Gate: Sendable {
  private let condition = NSCondition()
  // Guarded by `condition`.
  nonisolated(unsafe) private var isOpen = false

  /// Makes a closed gate.
  public init() {}

  /// Lets everybody pass, from now on.
  public func open() {
    condition.lock()
    isOpen = true
    condition.broadcast()
    condition.unlock()
  }

  /// Blocks the thread until the gate is open; false when that took longer than `limit` seconds.
  @discardableResult
  public func wait(upTo limit: TimeInterval = 300) -> Bool {
    let end = Date(timeIntervalSinceNow: limit)
    condition.lock()
    defer { condition.unlock() }
    while !isOpen { if !condition.wait(until: end) { return isOpen } }
    return true
  }
}
