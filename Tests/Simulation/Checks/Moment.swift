/// When something happens in a history.
///
/// Two events at the same instant have an order, too: what a call may rely on is what happened before it
/// began, not what happened at a time that is not later. So moments are compared by their position, and only
/// durations are computed from the time.
struct Moment: Comparable, CustomStringConvertible {
  let time: Duration
  /// The position among all events of the history.
  let position: Int

  static func < (left: Moment, right: Moment) -> Bool { left.position < right.position }

  var description: String { "\(time)" }
}
