/// The outputs of the reformers that have converted a manager's last response, by reformer.
///
/// A reformer that isn't `Hashable` can't be recognized, so its output is not kept.
struct ReformedValues {
  /// The maximum number of outputs; the oldest is removed first.
  static let maximum = 8

  private var entries: [(reformer: AnyHashable, output: Any)] = []

  /// Returns the output of a reformer, or nil if it hasn't been kept.
  func output<R: Reformer>(of reformer: R) -> R.Output? {
    // The entry is unwrapped before the cast, because nil can be cast to an optional output.
    guard !entries.isEmpty, let key = Self.key(reformer),
      let entry = entries.first(where: { $0.reformer == key })
    else { return nil }
    return entry.output as? R.Output
  }

  /// Keeps the output of a reformer.
  mutating func keep<R: Reformer>(_ output: R.Output, of reformer: R) {
    guard let key = Self.key(reformer) else { return }
    if entries.count == Self.maximum { entries.removeFirst() }
    entries.append((key, output))
  }

  private static func key(_ reformer: some Reformer) -> AnyHashable? {
    (reformer as? any Hashable).map { AnyHashable($0) }
  }
}

/// A manager that keeps the outputs of reformers until its last response changes.
@MainActor protocol ReformingOnce: AnyObject {
  var reformedValues: ReformedValues { get set }
}
