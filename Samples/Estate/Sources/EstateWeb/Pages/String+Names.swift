extension String {
  /// The text with each word in capitals as a name: the server writes `EL DORADO HILLS`, and a page shows
  /// "El Dorado Hills".
  var withNames: String {
    var (text, word) = ("", "")
    func shown(_ word: String) -> String {
      let isName = word.utf8.count > 1 && word.utf8.allSatisfy { (0x41...0x5A).contains($0) }
      return isName ? word.prefix(1) + word.dropFirst().lowercased() : word
    }
    for character in self {
      if character.isLetter {
        word.append(character)
      } else {
        text += shown(word)
        text.append(character)
        word = ""
      }
    }
    return text + shown(word)
  }
}
