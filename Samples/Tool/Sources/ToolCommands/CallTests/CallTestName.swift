import Foundation

/// The name of a written test, of which its type and its files are named.
public enum CallTestName {
  private static let maximumLength = 60

  /// Returns a name for a call, such as `GetListingsHouse503`, of ASCII letters and digits.
  public static func name(of call: RecordedCall) -> String {
    let method = String(call.target.prefix { $0 != " " })
    let url = URL(string: call.url)
    let path = url?.path ?? ""
    let place = words(path).isEmpty ? words(url?.host ?? "") : words(path)
    let words = words(method.lowercased()) + place.prefix(4) + words(call.outcome.word)
    let name = words.map(capitalized).reduce("") { name, word in
      // Two numbers would read as one.
      let isNumber = name.utf8.last.map(isDigit) == true && word.utf8.first.map(isDigit) == true
      return name + (isNumber ? "_" : "") + word
    }
    return String(name.prefix(maximumLength))
  }

  /// Whether a text can name a type of Swift and its files.
  public static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= maximumLength else { return false }
    return name.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: "_") } && !isDigit(first)
  }

  /// Returns names that differ: a repeated one has the number of its call at its end.
  public static func distinct(_ calls: [RecordedCall]) -> [String] {
    var used: Set<String> = []
    return calls.map { call in
      let name = name(of: call)
      // A file system may ignore case.
      if used.insert(name.lowercased()).inserted { return name }
      let numbered = "\(name)Call\(call.number)"
      used.insert(numbered.lowercased())
      return numbered
    }
  }

  private static func words(_ text: String) -> [String] {
    text.utf8.split { !isWord($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
