/// When the thread looks out for the next request for a moment before it sleeps.
///
/// A task that sends one request after another comes back within microseconds of its answer, and waking a thread
/// takes longer. Where nobody comes back the thread soon gives up looking, and tries again now and then.
struct LookOut {
  /// How long it looks.
  static let time = Duration.microseconds(40)
  private static let mostMisses = 2
  private static let pause = 64

  private var misses = 0
  private var skipped = 0

  /// Whether to look this time.
  mutating func begins() -> Bool {
    guard misses >= Self.mostMisses else { return true }
    skipped += 1
    guard skipped >= Self.pause else { return false }
    skipped = 0
    return true
  }

  /// Notes whether somebody came.
  mutating func end(hasSeen: Bool) { misses = hasSeen ? 0 : misses + 1 }
}
