import SwitchyardTesting
import Testing

@testable import Mediation

@Suite(.timeLimit(.minutes(5))) struct RouteTableCompletenessTests {
  /// A pair of routes, by line, and its fault.
  private struct Conflict: Hashable {
    let kind: String
    let first: Int
    let second: Int
  }

  private typealias Declared = (pattern: RoutePattern, priority: Int)

  /// Finds the faults of a table by comparing all pairs.
  private static func bruteForce(_ patterns: [Declared]) -> Set<Conflict> {
    var conflicts: Set<Conflict> = []
    for (first, one) in patterns.enumerated() {
      for second in (first + 1)..<max(patterns.count, first + 1) {
        let two = patterns[second]
        switch one.pattern.relation(to: two.pattern) {
        case .same: conflicts.insert(Conflict(kind: "duplicate", first: first, second: second))
        case .overlapping where one.priority == two.priority:
          conflicts.insert(Conflict(kind: "overlap", first: first, second: second))
        case .narrower where two.priority > one.priority:
          conflicts.insert(Conflict(kind: "unreachable", first: first, second: second))
        case .wider where one.priority > two.priority:
          conflicts.insert(Conflict(kind: "unreachable", first: second, second: first))
        default: continue
        }
      }
    }
    return conflicts
  }

  @Test(
    "M10, M12: the review finds the same faults as comparing all pairs, each with a URL that both match",
    arguments: 0..<30 as Range<UInt64>)
  func faults(_ seed: UInt64) throws {
    var numbers = SeededRandom(seed: seed &+ 5000)
    let patterns: [Declared] = (0..<100).map { _ in
      (PatternSamples.pattern(&numbers), Int.random(in: 0...2, using: &numbers))
    }
    let issue = try #require(throws: RouteTableIssue.self) { try NumberedRoutes.mediator(patterns) }
    var found: [Conflict] = []
    for fault in issue.faults {
      let conflict: Conflict
      let sample: String
      switch fault {
      case .duplicate(let first, let second, let url):
        (conflict, sample) = (Conflict(kind: "duplicate", first: first.line, second: second.line), url)
      case .overlap(let first, let second, let url):
        (conflict, sample) = (Conflict(kind: "overlap", first: first.line, second: second.line), url)
      case .unreachable(let first, let by, let url):
        (conflict, sample) = (Conflict(kind: "unreachable", first: first.line, second: by.line), url)
      default:
        Issue.record("\(fault)")
        continue
      }
      found.append(conflict)
      let url = try RouteURL(sample)
      #expect(PatternSamples.matches(patterns[conflict.first].pattern, url), "\(fault)")
      #expect(PatternSamples.matches(patterns[conflict.second].pattern, url), "\(fault)")
      #expect(fault.description.contains("Numbers.swift:\(conflict.first))"))
      #expect(fault.description.contains("Numbers.swift:\(conflict.second))"))
    }
    #expect(Set(found).count == found.count)
    #expect(Set(found) == Self.bruteForce(patterns))
  }

  @Test("M11: without faults, priorities decide which route opens", arguments: 0..<8 as Range<UInt64>)
  func priorities(_ seed: UInt64) throws {
    var numbers = SeededRandom(seed: seed &+ 7000)
    var patterns: [Declared] = []
    for _ in 0..<400 where patterns.count < 50 {
      let next = (PatternSamples.pattern(&numbers), Int.random(in: 0...3, using: &numbers))
      if Self.bruteForce(patterns + [next]).isEmpty { patterns.append(next) }
    }
    let mediator = try NumberedRoutes.mediator(patterns)
    var decided = 0
    for url in PatternSamples.urls(longest: 2) {
      let parts = PatternSamples.Parts(url)
      let matching = patterns.indices.filter { PatternSamples.matches(patterns[$0].pattern, parts) }
      let winner = matching.first { winner in
        matching.allSatisfy { other in
          let relation = patterns[winner].pattern.relation(to: patterns[other].pattern)
          if relation == .overlapping, patterns[winner].priority > patterns[other].priority { decided += 1 }
          return winner == other || relation == .narrower
            || relation == .overlapping && patterns[winner].priority > patterns[other].priority
        }
      }
      let found = try? mediator.resolve(url.text).pattern?.text
      #expect(found == winner.map { patterns[$0].pattern.text })
    }
    #expect(decided > 0)
  }
}
