/// Finds where an app creates its mediator.
public enum MediatorPlace {
  /// Returns the line of the first call `Mediator(` in a source text, counted from 1; nil if there is none
  /// outside of comments and strings.
  public static func line(in text: String) -> Int? {
    let code = ManifestCode(text).blanked
    guard let call = code.firstMatch(of: /(?:^|[^\w.])Mediator\s*(?:\.init\s*)?\(/) else { return nil }
    return code[..<call.range.upperBound].count(where: \.isNewline) + 1
  }
}
