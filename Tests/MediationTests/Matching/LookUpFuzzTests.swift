import Foundation
import SwitchyardTesting
import Testing

@testable import Mediation

/// Random and mutated URLs through parsing, look-up and resolution: no crash, no endless look-up, nothing
/// decoded twice.
///
/// `SWITCHYARD_FUZZ` is the number of URLs (50,000 by default), `SWITCHYARD_FUZZ_SEED` the seed.
@Suite(.timeLimit(.minutes(60))) struct LookUpFuzzTests {
  private static let pieces = [
    "e", "E", "https", "http", "://", ":", "/", "//", "h", "www.h.example", "h.example.", ":443", ":80", ":",
    "@", "user:pw@",
    "?", "&", "=", "#", "+", "%2F", "%2f", "%00", "%25", "%252F", "%zz", "%", "%4", "%FF", "%C0%AF",
    "%E5%8C%97", "北京", "é",
    "e\u{301}", "👨‍👩‍👧", "..", ".", "%2e%2E", "...", "\\", " ", "\t", "\n", "\0", "a", "1",
    "-9223372036854775808", "9223372036854775808",
    "1.5", "1e308", "1e309", "true", "false", "00000000-0000-4000-8000-000000000000", "new", "photos", "id",
    "q", "r", "tab",
    "module", "target", "selector", "[::1]", "[", "]", "{id}", "<", ">", "|", "^", "`", "\"", "\u{7F}",
    "\u{FFFF}", "x%41",
  ]

  private static let patterns: [String] = [
    "e://h", "e://h/new", "e://h/{id:int}", "e://h/{x:double}", "e://h/{id:uuid}", "e://h/{flag:bool}",
    "e://h/{name}",
    "e://h/{name}/{photo:int?}", "e://h/a/{rest...}", "e://h/{name}/photos/{rest...}", "e://h/new?q={q}",
    "e://h/new?q={q}&r={r:int}", "e://h/{a}/{b}/{c}/{d:int}", "e://1/{x}", "https://www.h.example/{id:int}",
    "https://www.h.example/a/{rest...}", "https://h.example", "e://%E5%8C%97/x", "e://a/a/a/a/a/a/{n:int}",
    "e://h/{kind:a|new|x%2F|1}/{n:int}",
  ]

  @Test("F2: random and mutated URLs end in a route or a typed error")
  func fuzz() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["SWITCHYARD_FUZZ"].flatMap { Int($0) } ?? 50_000
    let seed = environment["SWITCHYARD_FUZZ_SEED"].flatMap { UInt64($0) } ?? 20_261_121
    var patterns: [(pattern: RoutePattern, priority: Int)] = []
    for (index, text) in Self.patterns.enumerated() { patterns.append((try RoutePattern(text), index)) }
    var numbers = SeededRandom(seed: seed)
    let trie = Self.trie(patterns.map(\.pattern))
    let mediator = try Self.mediator(patterns)
    var tally = Tally()
    var seedTexts = Self.patterns.map { $0.replacing("{", with: "").replacing("}", with: "") }
    for index in 0..<count {
      let text = Self.text(&numbers, seedTexts)
      if index % 1000 == 0, seedTexts.count < 500 { seedTexts.append(text) }
      try Self.check(text, trie, mediator, &tally)
    }
    print("fuzz: \(count) URLs, seed \(seed): \(tally)")
    // The URLs must reach the code behind the parser, not only its rejections.
    #expect(tally.read > count / 50 && tally.matched > count / 200 && tally.refused > count / 10)
  }

  private struct Tally {
    var read = 0
    var refused = 0
    var matched = 0
  }

  private static func trie(_ patterns: [RoutePattern]) -> RouteTrie {
    var builder = RouteTrieBuilder()
    for (index, pattern) in patterns.enumerated() {
      builder.insert(pattern, route: index, priority: index, isContested: true)
    }
    return builder.freeze()
  }

  private static func mediator(_ patterns: [(pattern: RoutePattern, priority: Int)]) throws -> Mediator {
    // Two tails overlap with others.
    let priorities = ["e://h/a/{rest...}": 1, "e://h/{name}/photos/{rest...}": 2]
    return try NumberedRoutes.mediator(
      patterns.filter { $0.pattern.scheme == "e" }.map { ($0.pattern, priorities[$0.pattern.text] ?? 0) })
  }

  private static func text(_ numbers: inout SeededRandom, _ seeds: [String]) -> String {
    var text = ""
    switch Int.random(in: 0..<4, using: &numbers) {
    case 0:
      for _ in 0..<Int.random(in: 0...12, using: &numbers) {
        text += pieces.randomElement(using: &numbers) ?? ""
      }
    case 1:
      text = Int.random(in: 0..<3, using: &numbers) == 0 ? "https://www.h.example" : "e://h"
      for _ in 0..<Int.random(in: 0...8, using: &numbers) {
        text += "/" + (pieces.randomElement(using: &numbers) ?? "")
      }
    default:
      var bytes = Array((seeds.randomElement(using: &numbers) ?? "").utf8)
      for _ in 0..<Int.random(in: 0...3, using: &numbers) { mutate(&bytes, &numbers) }
      text = String(decoding: bytes, as: UTF8.self)
    }
    return text
  }

  private static func mutate(_ bytes: inout [UInt8], _ numbers: inout SeededRandom) {
    let place = Int.random(in: 0...bytes.count, using: &numbers)
    switch Int.random(in: 0..<5, using: &numbers) {
    case 0: bytes.insert(UInt8.random(in: 0...255, using: &numbers), at: place)
    case 1: bytes.insert(contentsOf: Array((pieces.randomElement(using: &numbers) ?? "").utf8), at: place)
    case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 0...127, using: &numbers)
    case 3 where place < bytes.count: bytes.remove(at: place)
    default: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
    }
  }

  private static func check(
    _ text: String, _ trie: RouteTrie, _ mediator: Mediator, _ tally: inout Tally
  ) throws {
    let url: RouteURL
    do throws(RouteURL.SyntaxError) {
      url = try RouteURL(text)
    } catch {
      tally.refused += 1
      guard (0...text.utf8.count).contains(error.offset) else {
        Issue.record("\(text.debugDescription): \(error)")
        return
      }
      if case .malformedURL? = failure({ () throws(RouteError) in _ = try mediator.resolve(text) }) { return }
      // The path of a foreign web URL need not conform to the profile.
      if (try? URLHead(text).isWeb) != true { Issue.record("\(text.debugDescription): \(error)") }
      return
    }
    tally.read += 1
    let again = try RouteURL("a://b" + url.segments.map { "/" + PercentEncoding.encode($0) }.joined())
    if again.segments != url.segments { Issue.record("\(text.debugDescription) is not decoded exactly once") }
    let found = trie.match(url)
    if found != nil { tally.matched += 1 }
    for origin in [Origin.native(module: nil), .external(.push)] {
      _ = failure { () throws(RouteError) in _ = try mediator.resolve(text, origin: origin) }
    }
    guard let found, url.scheme == "e", url.host != "北" else { return }
    // A match must agree with the rules as documented.
    if !PatternSamples.matches(RoutePattern(stringLiteral: patterns[found]), url) {
      Issue.record("\(text.debugDescription) does not match \(patterns[found])")
    }
  }

  private static func failure(_ body: () throws(RouteError) -> Void) -> RouteError? {
    do throws(RouteError) {
      try body()
      return nil
    } catch {
      return error
    }
  }
}
