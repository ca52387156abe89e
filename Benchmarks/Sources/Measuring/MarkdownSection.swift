/// The section of a Markdown document between two comments, which a program generates.
public enum MarkdownSection {
  /// The line before the section.
  public static let start = "<!-- Scripts/bench --markdown writes from here -->"
  /// The line after the section.
  public static let end = "<!-- to here -->"

  /// Returns `document` with the section replaced by `text`; nil unless each of the two lines occurs once, in
  /// this order.
  public static func replaced(in document: String, by text: String) -> String? {
    let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
    let (starts, ends) = (
      lines.indices.filter { lines[$0] == start }, lines.indices.filter { lines[$0] == end }
    )
    guard starts.count == 1, ends.count == 1, starts[0] < ends[0] else { return nil }
    let part = ["", text.trimmingSuffix(while: { $0 == "\n" }), ""]
    return (lines[...starts[0]] + part + lines[ends[0]...]).joined(separator: "\n")
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
    guard let last = lastIndex(where: { !isTrimmed($0) }) else { return "" }
    return self[...last]
  }
}
