import Testing

@testable import EstateWeb

@Suite("A screen as a page")
struct ScreenPageTests {
  private func page(title: String = "Home", lines: [String] = [], notices: [String] = []) -> String {
    ScreenPage(
      title: title, lines: lines, number: 3, steps: [.init(number: 1, title: title)], isTop: true,
      asksForLogin: false, notices: notices, token: "t"
    ).html.description
  }

  @Test("Every text is escaped: title, lines, links, notices and steps")
  func escapes() {
    let evil = "\"'><script>alert(1)</script>&amp;\u{0}"
    let html = page(
      title: evil, lines: [evil, "see estate://home/\"onmouseover=\"x'<b>"], notices: [evil])
    #expect(!html.contains("<script>") && !html.contains("<b>") && !html.contains("\u{0}"))
    #expect(!html.contains("\"onmouseover"))
    #expect(
      html.components(of: "&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;\u{FFFD}") >= 4)
    #expect(
      html.contains("<a href=\"/link?url=estate%3A%2F%2Fhome%2F%22onmouseover%3D%22x%27%3Cb&amp;from=3\">"))
  }

  @Test(
    "URLs in a line are found without trailing punctuation",
    arguments: [
      ("plain", [.text("plain")]), ("", []),
      (
        "mark a home with estate://favourites/add/42.",
        [.text("mark a home with "), .link("estate://favourites/add/42"), .text(".")]
      ),
      (
        "https://a.example/?q=1, estate://x",
        [.link("https://a.example/?q=1"), .text(", "), .link("estate://x")]
      ),
      ("  two  spaces", [.text("  two  spaces")]),
      ("javascript://x data:y", [.text("javascript://x data:y")]),
    ] as [(String, [LinkedLine.Part])])
  func links(line: String, parts: [LinkedLine.Part]) { #expect(LinkedLine(line).parts == parts) }

  @Test("The fields of a form are decoded once")
  func fields() {
    let fields = FormFields("url=estate%3A%2F%2Fa%252F&a=1+2&a=3&b&=x&c=%zz")
    #expect(fields["url"] == "estate://a%2F")
    #expect((fields["a"], fields["b"], fields["c"]) == ("1 2", "", nil))
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
