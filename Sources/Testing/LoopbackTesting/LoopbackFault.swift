#if LoopbackTesting

/// A fault at a moment of an exchange; a value, so that a test can state it in one line.
public struct LoopbackFault: Sendable, Hashable {
  /// The moment of the fault.
  let moment: LoopbackMoment
  /// The effect of the fault.
  let effect: LoopbackEffect

  /// Creates a fault.
  public init(_ moment: LoopbackMoment, _ effect: LoopbackEffect) {
    self.moment = moment
    self.effect = effect
  }
}
#endif
