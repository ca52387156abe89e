/// Searches for bytes in bytes, in a time that is linear in both (Knuth, Morris and Pratt).
///
/// Texts are searched as UTF-8, because the search in strings of the standard library takes much longer.
enum ByteSearch {
  static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    part.isEmpty || !starts(of: part, in: bytes, limit: 1).isEmpty
  }

  /// Returns the parts between separators; nil for more than a number of them.
  static func split(_ text: String, at separator: String, limit: Int) -> [String]? {
    let (bytes, separator) = (Array(text.utf8), Array(separator.utf8))
    let starts = starts(of: separator, in: bytes, limit: limit)
    guard starts.count < limit else { return nil }
    var parts: [String] = []
    var index = 0
    for start in starts {
      parts.append(String(decoding: bytes[index..<start], as: UTF8.self))
      index = start + separator.count
    }
    return parts + [String(decoding: bytes[index...], as: UTF8.self)]
  }

  /// Returns the places of a part that is not empty, without those that overlap an earlier one.
  private static func starts(of part: [UInt8], in bytes: [UInt8], limit: Int) -> [Int] {
    guard bytes.count >= part.count else { return [] }
    var borders = [0]
    for index in part.indices.dropFirst() {
      var length = borders[index - 1]
      while length > 0, part[length] != part[index] { length = borders[length - 1] }
      borders.append(part[length] == part[index] ? length + 1 : 0)
    }
    var starts: [Int] = []
    var matched = 0
    for (index, byte) in bytes.enumerated() {
      while matched > 0, part[matched] != byte { matched = borders[matched - 1] }
      if part[matched] == byte { matched += 1 }
      guard matched == part.count else { continue }
      starts.append(index + 1 - matched)
      guard starts.count < limit else { break }
      matched = 0
    }
    return starts
  }
}
