import Foundation
import HTTPTypes
import Interception

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An answer's head as the chain knows it, read from Foundation's.
struct AnswerHead: Sendable {
  let head: HTTPResponse
  /// The number of bytes that will be handed on, where it is known.
  let length: Int64?
  /// The number of bytes on the wire, where the server announced it.
  let announcedLength: Int64?
  /// The coding that Foundation undoes.
  let coding: ContentCoding?
  /// Whether there may be content at all (RFC 9110, section 6.4.1).
  let mayHaveContent: Bool

  /// Reads a head.
  ///
  /// Fields that were removed because of decoding: `Content-Encoding` and `Content-Length`, which speak of
  /// other bytes than those that the reader gets.
  init(_ response: HTTPURLResponse, method: HTTPRequest.Method, habits: PlatformHabits) {
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
    let announced = fields[.contentLength].flatMap(Int64.init)
    let coding = fields[.contentEncoding].flatMap { text -> ContentCoding? in
      let name = text.trimmingCharacters(in: .whitespaces).lowercased()
      return name.isEmpty || name == "identity" ? nil : ContentCoding(name)
    }
    let isDecoded = coding != nil && !hasNone && habits.decodesUnasked
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
