extension RoutePattern {
  /// How the sets of URLs of two patterns are related.
  package enum Relation: Sendable, Hashable {
    /// No URL matches both.
    case disjoint
    /// The same URLs match both.
    case same
    /// Every URL of the first also matches the second, but not vice versa.
    case narrower
    /// Every URL of the second also matches the first, but not vice versa.
    case wider
    /// Some URLs match both, and each pattern also matches others.
    case overlapping

    /// Creates the relation of two sets that are not disjoint.
    init(isIncluded: Bool, includes: Bool) {
      self =
        switch (isIncluded, includes) {
        case (true, true): .same
        case (true, false): .narrower
        case (false, true): .wider
        case (false, false): .overlapping
        }
    }
  }
}

extension RoutePattern {
  /// The possible numbers of segments of the pattern's paths, host included: two numbers if the last segment
  /// is optional.
  ///
  /// Paths of different lengths have no URL in common, so each length is compared separately. A tail has one
  /// length, which represents all greater lengths too.
  var lengths: ClosedRange<Int> { leastCount...segments.count }

  /// Returns the relation of two patterns as sets of URLs; of the query, only the presence of required keys
  /// counts.
  ///
  /// A faulty pattern matches no URL, so it is disjoint with every pattern.
  package func relation(to other: RoutePattern) -> Relation {
    guard fault == nil, other.fault == nil else { return .disjoint }
    guard scheme == other.scheme else { return .disjoint }
    if !isLastOptional && !other.isLastOptional {
      let path = relation(to: other, segments.count, other.segments.count)
      return path == .disjoint ? .disjoint : withFields(path, other)
    }
    var isIncluded = true
    var includes = true
    var meets = false
    for mine in lengths {
      var isWithin = false
      for theirs in other.lengths {
        let relation = relation(to: other, mine, theirs)
        if relation != .disjoint { meets = true }
        if relation == .same || relation == .narrower { isWithin = true }
      }
      if !isWithin { isIncluded = false }
    }
    for theirs in other.lengths {
      let isWithin = lengths.contains { mine in
        let relation = relation(to: other, mine, theirs)
        return relation == .same || relation == .wider
      }
      if !isWithin { includes = false }
    }
    return meets ? withFields(.init(isIncluded: isIncluded, includes: includes), other) : .disjoint
  }

  private func withFields(_ path: Relation, _ other: RoutePattern) -> Relation {
    if fields.isEmpty && other.fields.isEmpty { return path }
    return .init(
      isIncluded: (path == .same || path == .narrower) && requiresFields(of: other),
      includes: (path == .same || path == .wider) && other.requiresFields(of: self))
  }

  /// Compares the paths of one length with the other pattern's paths of one length.
  private func relation(to other: RoutePattern, _ mine: Int, _ theirs: Int) -> Relation {
    if !hasRest && !other.hasRest && mine != theirs { return .disjoint }
    // A tail matches one or more segments, so its pattern has a minimum length and no maximum.
    if hasRest && !other.hasRest && theirs < mine { return .disjoint }
    if other.hasRest && !hasRest && mine < theirs { return .disjoint }
    var isIncluded = !(hasRest && (!other.hasRest || mine < theirs))
    var includes = !(other.hasRest && (!hasRest || theirs < mine))
    for index in 0..<max(mine, theirs) {
      let own = segments[min(index, mine - 1)]
      switch own.relation(to: other.segments[min(index, theirs - 1)]) {
      case .disjoint: return .disjoint
      case .narrower: includes = false
      case .wider: isIncluded = false
      case .overlapping:
        isIncluded = false
        includes = false
      case .same: continue
      }
    }
    return .init(isIncluded: isIncluded, includes: includes)
  }

  /// Returns a URL that matches both patterns, which must not be disjoint.
  package func sampleURL(with other: RoutePattern) -> String {
    var path: [String] = []
    let pairs = lengths.flatMap { mine in other.lengths.map { (mine, $0) } }
    let met = pairs.last { relation(to: other, $0.0, $0.1) != .disjoint }
    let (mine, theirs) = met ?? (segments.count, other.segments.count)
    for index in 1..<max(mine, theirs, 1) {
      let own = segments[min(index, mine - 1)]
      let foreign = other.segments[min(index, theirs - 1)]
      path.append(PercentEncoding.encode(own.sample(with: foreign)))
    }
    var keys: Set<String> = []
    let query = (fields + other.fields).filter { !$0.isOptional && keys.insert($0.key).inserted }
      .map { "\(PercentEncoding.encode($0.key))=\(PercentEncoding.encode(sample(of: $0.key, with: other)))" }
    return "\(scheme)://" + ([writtenHost] + path).joined(separator: "/")
      + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// Returns a value for a query key that suits both patterns, if there is one.
  private func sample(of key: String, with other: RoutePattern) -> String {
    let kinds = (fields + other.fields).filter { $0.key == key }.map(\.kind)
    let texts = kinds.flatMap { $0.texts ?? [$0.sample] }
    return texts.first { text in kinds.allSatisfy { $0.matches(text) } } ?? texts.first ?? ""
  }
}

extension RoutePattern.Segment {
  /// The kind of values that a placeholder accepts; a tail accepts any segment.
  var kind: RoutePattern.ValueKind? {
    switch self {
    case .literal: nil
    case .value(_, let kind): kind
    case .rest: .text
    }
  }

  /// Returns a text that matches two segments that are not disjoint.
  fileprivate func sample(with other: RoutePattern.Segment) -> String {
    switch (self, other) {
    case (.literal(let text), _), (_, .literal(let text)): text
    default: kind.flatMap { mine in other.kind.flatMap(mine.commonText) } ?? ""
    }
  }

  func relation(to other: RoutePattern.Segment) -> RoutePattern.Relation {
    switch (self, other) {
    case (.literal(let mine), .literal(let theirs)):
      return mine.utf8.elementsEqual(theirs.utf8) ? .same : .disjoint
    case (.literal(let text), _):
      return other.kind?.matches(text) == true ? .narrower : .disjoint
    case (_, .literal(let text)):
      return kind?.matches(text) == true ? .wider : .disjoint
    default:
      guard let mine = kind, let theirs = other.kind else { return .disjoint }
      if !mine.meets(theirs) { return .disjoint }
      return .init(isIncluded: mine.isIncluded(in: theirs), includes: theirs.isIncluded(in: mine))
    }
  }
}
