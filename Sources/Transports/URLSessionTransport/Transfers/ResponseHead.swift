import Foundation
import HTTPTypes
import Interception

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response head, converted from Foundation's.
struct ResponseHead: Sendable {
  let head: HTTPResponse
  /// The number of bytes that the reader will get, if known.
  let length: Int64?
  /// The number of bytes on the wire, if the server announced it.
  let announcedLength: Int64?
  /// The coding that Foundation decodes.
  let coding: ContentCoding?
  /// Whether the response can have content (RFC 9110, section 6.4.1).
  let mayHaveContent: Bool

  /// Converts a head.
  ///
  /// If the content is decoded, `Content-Encoding` and `Content-Length` are removed, because they describe
  /// other bytes than those that the reader gets.
  init(_ response: HTTPURLResponse, method: HTTPRequest.Method, behavior: PlatformBehavior) {
    var fields = HTTPFields()
    for (name, value) in response.allHeaderFields {
      guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), let value = value as? String else {
        continue
      }
      if name == .setCookie {
        for line in SetCookieLine.split(value) { fields.append(HTTPField(name: name, value: line)) }
      } else {
        fields.append(HTTPField(name: name, value: value))
      }
    }
    let status = response.statusCode
    let hasNone = method == .head || status == 204 || status == 304
    let announced = fields.contentLength
    let codings = fields.contentCodings
    let coding = fields.contentCoding
    let isDecoded = coding != nil && !hasNone && codings.allSatisfy(behavior.decodedCodings.contains)
    if isDecoded {
      fields[.contentEncoding] = nil
      fields[.contentLength] = nil
    }
    head = HTTPResponse(status: .init(code: status), headerFields: fields)
    announcedLength = hasNone ? 0 : announced
    length = hasNone ? 0 : isDecoded ? nil : announced
    self.coding = isDecoded ? coding : nil
    mayHaveContent = !hasNone
  }
}

/// Splits `Set-Cookie` fields that Foundation has joined by commas.
///
/// A date contains a comma too, so a new cookie begins only if a token and `=` follow the comma; neither a
/// cookie's value nor a date contains that (RFC 6265, section 4.1.1).
enum SetCookieLine {
  /// Returns the individual fields.
  static func split(_ joined: String) -> [String] {
    var lines: [String] = []
    var start = joined.startIndex
    var index = joined.startIndex
    while let comma = joined[index...].firstIndex(of: ",") {
      index = joined.index(after: comma)
      let next = joined[index...].drop { $0 == " " }
      guard beginsCookie(next) else { continue }
      lines.append(String(joined[start..<comma]))
      start = next.startIndex
      index = start
    }
    lines.append(String(joined[start...]))
    return lines
  }

  private static func beginsCookie(_ text: Substring) -> Bool {
    guard let equals = text.firstIndex(of: "=") else { return false }
    let name = text[..<equals]
    return !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (0x21...0x7E).contains(byte) && !"()<>@,;:\\\"/[]?={}".utf8.contains(byte)
      }
  }
}
