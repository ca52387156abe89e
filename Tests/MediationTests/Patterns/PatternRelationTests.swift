import Testing

@testable import Mediation

@Suite struct PatternRelationTests {
  @Test(
    "Patterns compare as sets of URLs",
    arguments: [
      ("e://h/a", "e://h/a", .same), ("e://h/a", "e://h/b", .disjoint), ("e://h/a", "f://h/a", .disjoint),
      ("e://h/a", "e://h/a/b", .disjoint), ("e://H/a", "e://h/a", .same), ("e://h/A", "e://h/a", .disjoint),
      ("e://h/{a}", "e://h/{b}", .same), ("e://h/{a:int}", "e://h/{b:int}", .same),
      ("e://h/new", "e://h/{a}", .narrower), ("e://h/new", "e://h/{a:int}", .disjoint),
      ("e://h/42", "e://h/{a:int}", .narrower), ("e://h/42", "e://h/{a:double}", .narrower),
      ("e://h/4.5", "e://h/{a:int}", .disjoint), ("e://h/true", "e://h/{a:bool}", .narrower),
      ("e://h/{a:int}", "e://h/{a:double}", .narrower), ("e://h/{a:double}", "e://h/{a}", .narrower),
      ("e://h/{a:uuid}", "e://h/{a}", .narrower), ("e://h/{a:uuid}", "e://h/{a:int}", .disjoint),
      ("e://h/{a:x|y}", "e://h/{b:y|x}", .same), ("e://h/{a:x|y}", "e://h/{b:x|y|z}", .narrower),
      ("e://h/{a:x|y}", "e://h/{b:y|z}", .overlapping), ("e://h/{a:x|y}", "e://h/{b:z|w}", .disjoint),
      ("e://h/x", "e://h/{b:x|y}", .narrower), ("e://h/z", "e://h/{b:x|y}", .disjoint),
      ("e://h/{a:1|2}", "e://h/{b:int}", .narrower), ("e://h/{a:1|x}", "e://h/{b:int}", .overlapping),
      ("e://h/{a:x|y}", "e://h/{b:int}", .disjoint), ("e://h/{a:x|y}", "e://h/{b}", .narrower),
      ("e://h/{a:bool}", "e://h/{b:true|false}", .same),
      ("e://h/{a:bool}", "e://h/{b:true|false|x}", .narrower),
      ("e://h/{a:x|y}", "e://h/{r...}", .narrower), ("e://h/{a:x|y}/{b}", "e://h/{a}/{b:x|y}", .overlapping),
      ("e://h/{a:x|y?}", "e://h", .wider), ("e://h/{a:a%20b|c}", "e://h/a%20b", .wider),
      ("e://h/{a:bool}", "e://h/{a:double}", .disjoint), ("e://h/{a}", "e://h/{r...}", .narrower),
      ("e://h/{a}/{b}", "e://h/{r...}", .narrower), ("e://h", "e://h/{r...}", .disjoint),
      ("e://h/x/{r...}", "e://h/{r...}", .narrower), ("e://h/{a:int}/{r...}", "e://h/{r...}", .narrower),
      ("e://h/{a}/{r...}", "e://h/{r...}", .narrower), ("e://h/{r...}", "e://h/{s...}", .same),
      ("e://h/{a}/b", "e://h/a/{b}", .overlapping), ("e://h/x/{r...}", "e://h/{a}/{b}", .overlapping),
      ("e://h/{a:int}/{b}", "e://h/{a}/{b:int}", .overlapping),
      ("e://h/a?q={q}", "e://h/a", .narrower), ("e://h/a?q={q?}", "e://h/a", .same),
      ("e://h/a?q={q}", "e://h/a?q={other:int}", .same), ("e://h/a?q={q}", "e://h/a?r={r}", .overlapping),
      ("e://h/a?q={q}&r={r}", "e://h/a?r={r}", .narrower), ("e://h/{a}?q={q}", "e://h/a", .overlapping),
      ("e://h/{a:bool}?k={k:c%7Cd|e}", "e://h/false?k={k}", .wider),
      ("e://h/{a}/b?k={k:a%20b%26=|100%25}", "e://h/a/{b}?k={k}", .overlapping),
    ] as [(RoutePattern, RoutePattern, RoutePattern.Relation)])
  func relation(_ first: RoutePattern, _ second: RoutePattern, _ expected: RoutePattern.Relation) throws {
    #expect(first.fault == nil && second.fault == nil)
    #expect(first.relation(to: second) == expected)
    let mirrored: RoutePattern.Relation =
      switch expected {
      case .narrower: .wider
      case .wider: .narrower
      default: expected
      }
    #expect(second.relation(to: first) == mirrored)
    if expected == .disjoint { return }
    // The sample appears in conflict reports, so it must match both patterns.
    let sample = try RouteURL(first.sampleURL(with: second))
    for pattern in [first, second] {
      var builder = RouteTrieBuilder()
      builder.insert(pattern, route: 7, priority: 0, isContested: false)
      #expect(builder.freeze().match(sample) == 7, "\(sample.text) does not match \(pattern)")
    }
  }

  @Test(
    "A kind accepts exactly its texts",
    arguments: [
      ("0", [.int, .double, .text]), ("-7", [.int, .double, .text]), ("007", [.int, .double, .text]),
      ("9223372036854775807", [.int, .double, .text]), ("-9223372036854775808", [.int, .double, .text]),
      ("9223372036854775808", [.double, .text]), ("-9223372036854775809", [.double, .text]),
      ("+7", [.text]), ("-", [.text]), ("", []), ("1.5", [.double, .text]), (".5", [.text]), ("5.", [.text]),
      ("6e-3", [.double, .text]), ("1e999", [.text]),
      ("1.7976931348623157e308", [.double, .text]), ("1.8e308", [.text]), ("0.018e310", [.text]),
      ("0.017e310", [.double, .text]), ("0e999", [.double, .text]), ("1e-999", [.double, .text]),
      ("179769313486231570000e288", [.double, .text]), ("179769313486231590000e288", [.text]),
      ("1e99999999999999999999999", [.text]), ("-1.8e308", [.text]), ("1e", [.text]), ("1e+", [.text]),
      ("nan", [.text]), ("0x1p3", [.text]), ("٣", [.text]),
      ("true", [.bool, .text]), ("True", [.text]), ("false", [.bool, .text]),
      ("00000000-0000-4000-8000-00000000000A", [.uuid, .text]),
      ("00000000000040008000000000000000", [.double, .text]),
      ("0000000-00000-4000-8000-000000000000", [.text]),
    ] as [(String, [RoutePattern.ValueKind])])
  func kinds(_ text: String, _ expected: [RoutePattern.ValueKind]) {
    #expect(Set(RoutePattern.ValueKind.named.filter { $0.matches(text) }) == Set(expected))
  }
}
