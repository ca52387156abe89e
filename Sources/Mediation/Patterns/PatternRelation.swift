/// How the sets of URLs of two patterns lie to each other.
enum PatternRelation: Sendable, Hashable {
  /// No URL matches both.
  case disjoint
  /// The same URLs match both.
  case same
  /// Every URL of the first also matches the second, and not the reverse.
  case narrower
  /// Every URL of the second also matches the first, and not the reverse.
  case wider
  /// Some URLs match both, and each has others.
  case overlapping
}

extension RoutePattern {
  /// Compares two patterns as sets of URLs; query fields take part by the presence of required keys.
  func relation(to other: RoutePattern) -> PatternRelation {
    guard scheme == other.scheme else { return .disjoint }
    var isIncluded = true
    var includes = true
    if !hasRest && !other.hasRest && segments.count != other.segments.count { return .disjoint }
    // A tail stands for one segment or more, so its pattern has a least length and no greatest.
    if hasRest && !other.hasRest && other.segments.count < segments.count { return .disjoint }
    if other.hasRest && !hasRest && segments.count < other.segments.count { return .disjoint }
    if hasRest && (!other.hasRest || segments.count < other.segments.count) { isIncluded = false }
    if other.hasRest && (!hasRest || other.segments.count < segments.count) { includes = false }

    for index in 0..<max(segments.count, other.segments.count) {
      let mine = segments[min(index, segments.count - 1)]
      let theirs = other.segments[min(index, other.segments.count - 1)]
      switch mine.relation(to: theirs) {
      case .disjoint: return .disjoint
      case .narrower: includes = false
      case .wider: isIncluded = false
      case .same, .overlapping: continue
      }
    }
    if !other.requiredKeys.isSubset(of: requiredKeys) { isIncluded = false }
    if !requiredKeys.isSubset(of: other.requiredKeys) { includes = false }
    return switch (isIncluded, includes) {
    case (true, true): .same
    case (true, false): .narrower
    case (false, true): .wider
    case (false, false): .overlapping
    }
  }

  /// A URL that matches both patterns, which must not be disjoint.
  func sampleURL(with other: RoutePattern) -> String {
    var path: [String] = []
    for index in 0..<max(segments.count, other.segments.count) {
      let mine = segments[min(index, segments.count - 1)]
      let theirs = other.segments[min(index, other.segments.count - 1)]
      let narrow = mine.relation(to: theirs) == .wider ? theirs : mine
      path.append(PercentEncoding.encode(narrow.sample))
    }
    var keys: Set<String> = []
    let query = (fields + other.fields).filter { !$0.isOptional && keys.insert($0.key).inserted }
      .map { "\(PercentEncoding.encode($0.key))=\($0.kind.sample)" }
    return "\(scheme)://" + path.joined(separator: "/")
      + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }
}

extension RoutePattern.Segment {
  /// The kind of values a placeholder takes; a tail takes any segment.
  var kind: ValueKind? {
    switch self {
    case .literal: nil
    case .value(_, let kind): kind
    case .rest: .text
    }
  }

  fileprivate var sample: String {
    if case .literal(let text) = self { text } else { kind?.sample ?? "" }
  }

  func relation(to other: RoutePattern.Segment) -> PatternRelation {
    switch (self, other) {
    case (.literal(let mine), .literal(let theirs)):
      return mine.utf8.elementsEqual(theirs.utf8) ? .same : .disjoint
    case (.literal(let text), _):
      return other.kind?.matches(Array(text.utf8)[...]) == true ? .narrower : .disjoint
    case (_, .literal(let text)):
      return kind?.matches(Array(text.utf8)[...]) == true ? .wider : .disjoint
    default:
      guard let mine = kind, let theirs = other.kind else { return .disjoint }
      if mine == theirs { return .same }
      if mine.isIncluded(in: theirs) { return .narrower }
      return theirs.isIncluded(in: mine) ? .wider : .disjoint
    }
  }
}
