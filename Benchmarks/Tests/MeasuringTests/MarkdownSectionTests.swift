import Measuring
import Testing

@Suite("The generated section of a document")
struct MarkdownSectionTests {
  private static let (start, end) = (MarkdownSection.start, MarkdownSection.end)

  @Test("Only the section is replaced")
  func replaced() {
    let document = "# Results\n\n\(Self.start)\nold\n\(Self.end)\n\nWords.\n"
    #expect(
      MarkdownSection.replaced(in: document, by: "new\n\n")
        == "# Results\n\n\(Self.start)\n\nnew\n\n\(Self.end)\n\nWords.\n")
  }

  @Test("A document without both marker lines, once and in order, is refused")
  func refused() {
    for document in [
      "", "words", Self.start, "\(Self.end)\n\(Self.start)", "\(Self.start)\n\(Self.start)\n\(Self.end)",
    ] {
      #expect(MarkdownSection.replaced(in: document, by: "new") == nil)
    }
  }
}
