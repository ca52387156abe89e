public import Foundation

/// A gate that blocks the thread of a server's handler until a test opens it.
public final class Gate: Sendable {
  private let condition = NSCondition()
  // Guarded by `condition`.
  nonisolated(unsafe) private var isOpen = false

  /// Creates a closed gate.
  public init() {}

  /// Opens the gate permanently.
  public func open() {
    condition.lock()
    isOpen = true
    condition.broadcast()
    condition.unlock()
  }

  /// Blocks the thread until the gate is open; returns false if that takes longer than `limit` seconds.
  @discardableResult
  public func wait(upTo limit: TimeInterval = 300) -> Bool {
    let end = Date(timeIntervalSinceNow: limit)
    condition.lock()
    defer { condition.unlock() }
    while !isOpen { if !condition.wait(until: end) { return isOpen } }
    return true
  }
}
