/// Turns the names of a document into Swift identifiers, by the API design guidelines.
enum SwiftName {
  /// The name of a type: `pet_store` becomes `PetStore`, `userId` becomes `UserID`.
  static func type(_ text: String) -> String {
    let name = words(text).map { capitalized($0) }.joined()
    return name.first.map(isStart) == true ? name : "Model" + name
  }

  /// The name of a property, a case or a parameter, without backticks: `pet_id` becomes `petID`.
  static func member(_ text: String) -> String {
    let parts = words(text)
    let name = (parts.first?.lowercased() ?? "") + parts.dropFirst().map { capitalized($0) }.joined()
    guard name.first.map(isStart) == true else { return "value" + name }
    return unusable.contains(name) ? name + "Value" : name
  }

  /// Returns a name as it is written in code, in backticks if it is a keyword.
  static func written(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Returns a name as it is written before the colon of an argument, where few keywords need backticks.
  static func label(_ name: String) -> String { ["inout", "let", "var"].contains(name) ? "`\(name)`" : name }

  /// Splits a text into words, at what is no letter or digit, and where lowercase becomes uppercase.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    func end() {
      if !word.isEmpty { words.append(word) }
      word = ""
    }
    let characters = Array(text)
    for (index, character) in characters.enumerated() {
      let next = index + 1 < characters.count ? characters[index + 1] : nil
      // The plural of an acronym, such as URLs, is one word.
      let endsPlural = next == "s" && (index + 2 == characters.count || !characters[index + 2].isLowercase)
      guard isPart(character) else {
        end()
        // Names such as +1 and -1 differ only in their signs.
        if words.isEmpty, let sign = signs[character], character != "-" || next?.isNumber != false {
          words.append(sign)
        }
        continue
      }
      if character.isUppercase, let last = word.last {
        if last.isLowercase || last.isNumber || next?.isLowercase == true && last.isUppercase && !endsPlural {
          end()
        }
      }
      word.append(character)
    }
    end()
    return words.isEmpty && text.isEmpty ? ["empty"] : words
  }

  private static let signs: [Character: String] = [
    "+": "plus", "-": "minus", "*": "asterisk", "<": "less", ">": "greater", "=": "equal", "!": "not",
    "@": "at", "#": "number", "$": "dollar", "%": "percent", "&": "and", "~": "tilde",
  ]

  private static func capitalized(_ word: String) -> String {
    let upper = word.uppercased()
    if acronyms.contains(upper) { return upper }
    // IDs, URLs
    if upper.hasSuffix("S"), acronyms.contains(String(upper.dropLast())) {
      return String(upper.dropLast()) + "s"
    }
    let rest = word.dropFirst()
    return word.prefix(1).uppercased()
      + (rest.allSatisfy { !$0.isLowercase } ? rest.lowercased() : String(rest))
  }

  private static let acronyms: Set<String> = [
    "API", "CSV", "HTML", "HTTP", "HTTPS", "ID", "IP", "JSON", "PDF", "PNG", "SDK", "SQL", "SSL", "SVG",
    "TLS",
    "UI", "URI", "URL", "UTC", "UUID", "XML", "YAML",
  ]

  private static func isStart(_ character: Character) -> Bool { character.isLetter || character == "_" }
  /// Letters and digits of ASCII, and letters of other scripts, all of which Swift permits in identifiers.
  private static func isPart(_ character: Character) -> Bool {
    character.isASCII
      ? character.isLetter || character.isNumber
      : character.isLetter && character.unicodeScalars.count == 1
        && character.unicodeScalars.first?.properties.isXIDContinue == true
  }

  /// Names that a member can't have, even in backticks, or that mean something else then.
  private static let unusable: Set<String> = [
    "init", "self", "Self", "Type", "Protocol", "rawValue", "hashValue",
  ]

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch", "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let",
    "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
    "where", "while",
  ]
}

/// The names of one scope, each of which is used once.
struct NameScope {
  private var used: Set<String>

  init(reserved: Set<String> = []) { used = reserved }

  /// Returns a name that is not in use yet: the name itself, with a suffix, or with a number.
  mutating func unique(_ name: String, suffix: String = "") -> String {
    var candidate = name
    var number = 2
    if used.contains(candidate), !suffix.isEmpty { candidate = name + suffix }
    let base = candidate
    while !used.insert(candidate).inserted {
      candidate = "\(base)\(number)"
      number += 1
    }
    return candidate
  }
}
