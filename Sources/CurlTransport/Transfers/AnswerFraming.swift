import HTTPTypes

/// The rules by which an answer says where it ends (RFC 9112, section 6.3; RFC 9110, section 8.6).
///
/// libcurl believes the last of several lengths, takes "+5" for 5, waits for ever for a length beyond 63
/// bits, and lets chunks overrule a length. An intermediary may have believed another one, and take a
/// part of the body for an answer of its own, so such answers are refused.
enum AnswerFraming {
  /// What is wrong, as the rest of a sentence that begins with the origin; nil when nothing is.
  static func fault(in fields: HTTPFields, hasBody: Bool) -> String? {
    var announced: Substring?
    var isCoded = false
    // In order, and not by name: a look-up by name would build the fields' index, for every answer.
    for field in fields {
      switch field.name {
      case .transferEncoding: isCoded = true
      case .contentLength:
        for part in field.value.split(separator: ",", omittingEmptySubsequences: false) {
          let number = part.trimmingBlanks()
          guard length(number) != nil else {
            return "sent a Content-Length that is not a number of bytes; the server must send digits alone."
          }
          if let announced, announced != number {
            return "sent two different values of Content-Length; the server must send one."
          }
          announced = number
        }
      default: continue
      }
    }
    guard hasBody, isCoded, announced != nil else { return nil }
    return "sent both Content-Length and Transfer-Encoding; the server must send one of them."
  }

  /// The number of bytes that a text says in digits alone; nil where it says none, or more than 63 bits hold.
  static func length(_ text: Substring) -> Int64? {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    return Int64(text)
  }
}

extension Substring {
  fileprivate func trimmingBlanks() -> Substring {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let head = drop(while: isBlank)
    guard let last = head.lastIndex(where: { !isBlank($0) }) else { return head.prefix(0) }
    return head[...last]
  }
}
