/// A file of variables: lines "name=value", and comments that begin with `#`.
package enum VariablesFile {
  /// Returns the variables of a file.
  ///
  /// - Throws: ``FileFault`` for the first line that is none of them; it has the name, but never the value.
  package static func variables(_ source: SourceText) throws(FileFault) -> [String: Value] {
    var variables: [String: Value] = [:]
    var cursor = TextCursor(source)
    while !cursor.isAtEnd {
      cursor.skipSpaces()
      let start = cursor.index
      defer { cursor.skipLine() }
      guard !cursor.isAtLineEnd, cursor.next != "#" else { continue }
      let name = cursor.take(while: TextCursor.isNamePart)
      cursor.skipSpaces()
      guard !name.isEmpty, cursor.take("=") else {
        throw FileFault(
          "This line is no variable; write it as name=value.", at: Span(start: start, end: start + 1))
      }
      cursor.skipSpaces()
      let rest = cursor.restOfLine
      variables[name] = Value(variable: cursor.text(rest.start..<rest.end))
    }
    return variables
  }
}
