import SwitchyardTesting
import Testing

@testable import Mediation

@Suite(.timeLimit(.minutes(5))) struct RandomisedMatchingTests {
  @Test(
    "M3 to M7: the relation of two patterns is that of their URL sets", arguments: 0..<4 as Range<UInt64>)
  func relations(_ seed: UInt64) {
    var numbers = SeededRandom(seed: seed)
    let patterns = (0..<40).map { _ in PatternSamples.pattern(&numbers, longest: 2) }
    // One segment more than the longest pattern distinguishes a tail from a path that ends.
    let urls = PatternSamples.urls(longest: 3)
    // One bit per URL, because comparing the sets of all pairs URL by URL would be too slow.
    let parts = urls.map(PatternSamples.Parts.init)
    let sets = patterns.map { pattern in Self.bits(parts.map { PatternSamples.matches(pattern, $0) }) }
    for (pattern, set) in zip(patterns, sets) { #expect(Self.bits(urls.map(pattern.matches)) == set) }
    var seen: Set<RoutePattern.Relation> = []
    for (one, left) in patterns.enumerated() {
      for (other, right) in patterns.enumerated() {
        var both = false
        var onlyLeft = false
        var onlyRight = false
        for (mine, theirs) in zip(sets[one], sets[other]) {
          both = both || mine & theirs != 0
          onlyLeft = onlyLeft || mine & ~theirs != 0
          onlyRight = onlyRight || theirs & ~mine != 0
        }
        let expected: RoutePattern.Relation =
          both ? .init(isIncluded: !onlyLeft, includes: !onlyRight) : .disjoint
        #expect(left.relation(to: right) == expected, "\(left) \(right)")
        seen.insert(expected)
      }
    }
    #expect(seen.count == 5)
  }

  @Test(
    "M10, M12: every pair that shares a URL is compared", arguments: 0..<60 as Range<UInt64>)
  func meetings(_ seed: UInt64) {
    var numbers = SeededRandom(seed: seed &+ 1000)
    let patterns = (0..<80).map { _ in PatternSamples.pattern(&numbers) }
    var tree = PatternTree()
    for (number, pattern) in patterns.enumerated() { tree.insert(pattern, as: number) }
    var met: Set<[Int]> = []
    PatternMeetings.visit(tree) { first, second in
      #expect(first < second)
      met.insert([first, second])
    }
    var joined: Set<[Int]> = []
    for (first, left) in patterns.enumerated() {
      for second in (first + 1)..<patterns.count where left.relation(to: patterns[second]) != .disjoint {
        joined.insert([first, second])
      }
    }
    #expect(joined.subtracting(met).isEmpty)
    #expect(!joined.isEmpty)
  }

  @Test(
    "M9, M11, M15: of the patterns that match, the look-up finds the winner",
    arguments: 0..<6 as Range<UInt64>)
  func winners(_ seed: UInt64) {
    var numbers = SeededRandom(seed: seed &+ 2000)
    var patterns: [(pattern: RoutePattern, priority: Int)] = []
    // A table without faults: patterns that conflict with an earlier one are skipped.
    for _ in 0..<400 where patterns.count < 60 {
      let next = (pattern: PatternSamples.pattern(&numbers), priority: Int.random(in: 0...3, using: &numbers))
      let fits = patterns.allSatisfy { other in
        switch next.pattern.relation(to: other.pattern) {
        case .disjoint: true
        case .same: false
        case .overlapping: next.priority != other.priority
        case .narrower: next.priority >= other.priority
        case .wider: next.priority <= other.priority
        }
      }
      if fits { patterns.append(next) }
    }
    var builder = RouteTrieBuilder()
    for (index, one) in patterns.enumerated() {
      let isContested = patterns.contains {
        $0.pattern.relation(to: one.pattern) == .overlapping && $0.priority > one.priority
      }
      builder.insert(one.pattern, route: index, priority: one.priority, isContested: isContested)
    }
    let trie = builder.freeze()
    let relations = patterns.map { one in patterns.map { one.pattern.relation(to: $0.pattern) } }
    var severalMatch = 0
    for url in PatternSamples.urls(longest: 3) {
      let parts = PatternSamples.Parts(url)
      let matching = patterns.indices.filter { PatternSamples.matches(patterns[$0].pattern, parts) }
      let winners = matching.filter { winner in
        matching.allSatisfy { other in
          if winner == other { return true }
          switch relations[winner][other] {
          case .narrower: return true
          case .overlapping: return patterns[winner].priority > patterns[other].priority
          case .disjoint, .same, .wider: return false
          }
        }
      }
      if matching.count > 1 { severalMatch += 1 }
      #expect(winners.count == min(1, matching.count), "\(url.text)")
      #expect(trie.match(url) == winners.first, "\(url.text)")
    }
    #expect(severalMatch > 100)
  }

  private static func bits(_ flags: [Bool]) -> [UInt64] {
    stride(from: 0, to: flags.count, by: 64).map { start in
      flags[start..<min(start + 64, flags.count)].enumerated().reduce(0) { word, flag in
        flag.element ? word | 1 << UInt64(flag.offset) : word
      }
    }
  }
}
