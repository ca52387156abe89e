/// How much the app prints about each request.
public enum TraceDetail: Sendable, Hashable {
  /// One line, and at the end the waterfall of the slowest request.
  case line
  /// Every step with its own time, and the transport's phases.
  case steps
}
