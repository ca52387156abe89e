/// The origin of a call and what the caller expects.
struct Caller: Sendable {
  let origin: Origin
  var opener: String?
  let wantsResult: Bool
  /// The types of the only routes that may answer; nil if exposure alone decides.
  ///
  /// No fallback runs for a caller with such a list.
  var allowed: Set<ObjectIdentifier>?
  /// Receives what the route's code reports while it runs.
  var progress: ProgressForwarder?
  /// What the caller attached to the call, for the addressed route only.
  var attachment: (any Sendable)?
  /// The measurement that the time of the route does not count towards.
  var ownTime: OwnTime?
}
