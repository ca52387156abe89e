import Testing

@testable import Help

@Suite("A page as text")
struct PageTests {
  @Test(
    "Tags, scripts and styles are dropped, and words are kept",
    arguments: [
      ("<title>A &amp; B</title><p>one  two</p><p>three</p>", "A & B", ["one two", "three"]),
      ("<style>p{}</style><script>if (a<b) {}</script><h1>x</h1>", "", ["x"]),
      ("plain", "", ["plain"]), ("", "", []), ("<p>a<b>b</b>c<br>d", "", ["abc", "d"]), ("a<", "", ["a"]),
      ("&lt;p&gt;", "", ["<p>"]),
    ])
  func text(html: String, title: String, lines: [String]) {
    let page = Page(html: html)
    #expect(page.title == title)
    #expect(page.lines == lines)
  }
}
