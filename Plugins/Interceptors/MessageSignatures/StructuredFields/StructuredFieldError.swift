/// A violation of the syntax of structured fields (RFC 9651, section 4.2), or of a limit.
struct StructuredFieldError: Error, Sendable, Hashable {
  /// The rule that is violated.
  enum Rule: String, Sendable, Hashable {
    case tooLong = "the value is longer than allowed"
    case tooManyMembers = "there are more members than allowed"
    case notASCII = "a character is not ASCII"
    case endOfText = "the value ends where a member or an item must follow"
    case trailingComma = "no member follows a comma"
    case missingComma = "members must be separated by commas"
    case trailingText = "text follows the end of the item"
    case key = "a key begins with a lower-case letter or an asterisk"
    case duplicateKey = "a key occurs more than once"
    case item = "an item begins with a digit, a minus sign, a letter or one of * \" : ? @ %"
    case number = "a number has digits, at most 15, or 12 and three after a point"
    case string = "a string has printable ASCII characters and ends with a quotation mark"
    case escape = "a backslash precedes a backslash or a quotation mark"
    case base64 = "a byte sequence is canonical base64 that ends with a colon"
    case boolean = "a boolean is ?0 or ?1"
    case date = "a date is an integer after an at sign"
    case displayString =
      "a display string is UTF-8 in lower-case percent encoding, in quotation marks after %"
    case innerList = "the items of an inner list are separated by spaces and end with a parenthesis"
  }

  let rule: Rule
  /// The number of bytes of the value before the fault.
  let offset: Int
}
