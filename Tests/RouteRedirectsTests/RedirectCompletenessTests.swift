import Mediation
import MediationFixtures
import RouteRedirects
import SwitchyardTesting
import Testing

/// A rule that was accepted opens every URL that conforms to its pattern.
@Suite(.timeLimit(.minutes(5))) struct RedirectCompletenessTests {
  /// Opens a page of the query, of the path, or of both.
  private static func app() throws -> RedirectedApp {
    try RedirectedApp(
      TestModule { table in
        table.action(at: "estate://find/{q}", named: "Path") { _, _ in }
        table.action(at: "estate://count/{n:int?}", named: "Count") { _, _ in }
        table.action(at: "estate://tail/{rest...}", named: "Tail") { _, _ in }
        table.action(at: "estate://query?q={q}&n={n:int?}&b={b:bool?}", named: "Query") { _, _ in }
        table.action(at: "estate://kind/{k:a|b}", named: "Kind") { _, _ in }
      })
  }

  private static let sources = [
    "estate://old?q={q}", "estate://old?q={q?}", "estate://old/{q}", "estate://old/{q?}",
    "estate://old/{rest...}",
    "estate://old?n={n:int}", "estate://old?n={n:int?}", "estate://old/{n:int?}", "estate://old/{n:int}",
    "estate://old?k={k:a|b}", "estate://old?k={k:a|b?}", "estate://old/{k:a|b}",
    "estate://old?b={b:bool?}&q={q}",
    "estate://old?q={q}&n={n:int?}&b={b:bool?}", "estate://old?q={q:double}", "estate://old?q={q:uuid}",
  ]
  private static let targets = [
    "estate://find/{q}", "estate://count/{n:int?}", "estate://tail/{rest...}", "estate://tail/{q}",
    "estate://query?q={q}", "estate://query?q={q}&n={n:int?}", "estate://query?q={q}&b={b:bool?}&n={n:int?}",
    "estate://query?q={k}", "estate://kind/{k:a|b}", "estate://find/{k}", "estate://query?q={n}",
    "estate://find/{n}",
  ]
  private static let texts = [
    "", "a", "b", "..", ".", "a/b", "%2E%2E", "7", "-0", "007", "é", "+", "x&y", "true",
  ]

  /// Returns URLs of a pattern: its fields absent, empty, once and twice, its path with each text.
  private static func urls(of pattern: RoutePattern) -> [String] {
    func encoded(_ text: String) -> String {
      text.utf8.map { byte in
        let letter = Character(UnicodeScalar(byte))
        return letter.isLetter && byte < 0x80 || letter.isNumber && byte < 0x80
          ? String(letter) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }
    var urls = ["estate://old", "estate://old/a/b%2Fc/7"]
    for text in texts {
      urls.append("estate://old/\(encoded(text))")
      for name in ["q", "n", "k", "b"] {
        urls.append("estate://old?\(name)=\(encoded(text))")
        urls.append("estate://old?\(name)=\(encoded(text))&q=\(encoded(text))&\(name)=a&x=y#z")
      }
    }
    return urls.filter(pattern.matches)
  }

  @Test("An accepted rule opens every URL whose fields are of their kinds, and names the field of another")
  func all() async throws {
    var accepted = 0
    var opened = 0
    for source in Self.sources {
      for target in Self.targets {
        let app = try Self.app()
        guard app.faults([.redirect(source, to: target)]).isEmpty else { continue }
        accepted += 1
        let pattern = try RoutePattern(source)
        for url in Self.urls(of: pattern) {
          let name = await errorName { () throws(RouteError) in try await app.mediator.open(url) }
          if Self.conforms(try RouteURL(url), to: pattern) {
            #expect(name == nil, "\(source) → \(target): \(url)")
            opened += 1
          } else {
            #expect(name?.hasPrefix("parameter") == true, "\(source) → \(target): \(url)")
          }
        }
      }
    }
    // The test would prove nothing if no rule were accepted.
    #expect(accepted > 20 && opened > 500)
  }

  /// Whether the fields of a URL are of the kinds that a pattern declares; an optional one may be empty.
  private static func conforms(_ url: RouteURL, to pattern: RoutePattern) -> Bool {
    pattern.parameterNames.allSatisfy { name in
      guard pattern.text.contains("\(name)={"), let kind = pattern.kind(of: name), kind != .text else {
        return true
      }
      let isOptional = !pattern.requiredNames.contains(name)
      return url.values(named: name).allSatisfy { text in
        if case .oneOf(let texts) = kind { return texts.contains(text) || text.isEmpty && isOptional }
        return text.isEmpty
          ? isOptional : (try? RoutePattern("x://x/{v:\(kind)}"))?.matches("x://x/\(text)") == true
      }
    }
  }

  @Test("A number that occurs twice in the query leads to the first one in a path")
  func repeated() async throws {
    let journal = Journal()
    let app = try RedirectedApp(journal)
    try app.redirects.apply(
      RedirectTable(version: 1, rules: [.redirect("estate://old?id={id:int}", to: "estate://villa/{id:int}")])
    )
    try await app.mediator.open("estate://old?id=7&id=8")
    #expect(journal.lines.contains("villa 7 -"))
  }
}
