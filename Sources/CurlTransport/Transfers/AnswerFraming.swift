import HTTPTypes
import Interception

/// Checks how a response states where its body ends (RFC 9112, section 6.3; RFC 9110, section 8.6).
///
/// libcurl uses the last of several lengths, reads "+5" as 5, waits forever for a length beyond 63 bits, and
/// prefers chunks to a length. An intermediary may read such a response differently and take a part of its
/// body for another response, so it is refused. So is a body in a compression that was not asked for with
/// `TE` (RFC 9110, section 10.1.4), which libcurl before 8 would deliver as it is.
enum AnswerFraming {
  /// The fault, as the rest of a sentence that begins with the origin; nil if there is none.
  static func fault(in fields: HTTPFields, hasBody: Bool) -> String? {
    var announced: Substring?
    var isCoded = false
    // In order, because a lookup by name would build the fields' index.
    for field in fields {
      switch field.name {
      case .transferEncoding:
        if hasBody, isCompressed(field.value) {
          return "sent a body in a transfer coding that was not asked for; the server must use chunked alone."
        }
        isCoded = true
      case .contentLength:
        for part in field.value.split(separator: ",", omittingEmptySubsequences: false) {
          let numbers = part.split { $0 == " " || $0 == "\t" }
          guard numbers.count == 1, length(numbers[0]) != nil else { return malformedLength }
          guard announced == nil || announced == numbers[0] else {
            return "sent two different values of Content-Length; the server must send one."
          }
          announced = numbers[0]
        }
      default: continue
      }
    }
    guard hasBody, isCoded, announced != nil else { return nil }
    return "sent both Content-Length and Transfer-Encoding; the server must send one of them."
  }

  /// The fault of a length that is not a decimal number of at most 63 bits.
  static let malformedLength =
    "sent a Content-Length that is not a number of bytes; the server must send digits alone."

  /// Whether the value of `Transfer-Encoding` is the one coding that every response may use.
  static func isChunked(_ value: String) -> Bool { value.lowercased() == "chunked" }

  private static func isCompressed(_ value: String) -> Bool {
    value.split(separator: ",").contains { part in
      let coding = part.prefix { $0 != ";" }.trimmingWhitespace().lowercased()
      return ["gzip", "x-gzip", "deflate", "compress", "x-compress"].contains(coding)
    }
  }

  /// Reads a length; nil if it is not a decimal number of at most 63 bits.
  static func length(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
  }
}
